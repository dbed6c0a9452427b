//! Wrong replacements: what claims say that is not so.

use reconverge_ir::{Inst, Module, Op, Position, terminator};
use reconverge_verify::Claims;

use super::{Maker, Mutated};

impl Maker<'_, '_> {
    pub(super) fn merged(&self, gone: Inst, standing: Inst) -> Option<Mutated> {
        let before = self.module().clone();
        let mut after = before.clone();
        after.edit().replace_all_uses(gone, standing);
        if after.op(gone) != Op::BlockParameter {
            after.edit().delete(gone);
        }
        Some(Mutated { before, after, claims: Claims { replaced: vec![(gone, standing)], copies: Vec::new() } })
    }

    /// Puts a twin of a pure instruction into a block that does not see it, and lets it give way all the same.
    pub(super) fn one_arm_for_both(&mut self) -> Option<Mutated> {
        let view = self.view;
        let mut found = Vec::new();
        for inst in self.of(|op| matches!(op, Op::IAdd | Op::IMul | Op::BitwiseXor | Op::BitwiseAnd)) {
            let own = self.block(inst);
            let others = view
                .blocks
                .iter()
                .copied()
                .filter(|&other| !view.dominates(own, other) && view.has_operands(inst, other));
            found.extend(others.map(|other| (inst, other)));
        }
        let (inst, other) = self.one(&found)?;
        let (op, ty) = (self.module().op(inst), self.module().ty(inst));
        let operands: Vec<Inst> = self.module().operands(inst).collect();
        let mut before = self.module().clone();
        let twin = before.edit().insert(self.end_of(other), op, ty, &operands);
        let user = before.edit().insert(self.end_of(other), Op::CopyObject, ty, &[twin]);
        let mut after = before.clone();
        after.edit().set_operand(user, 0, inst);
        after.edit().delete(twin);
        Some(Mutated { before, after, claims: Claims { replaced: vec![(twin, inst)], copies: Vec::new() } })
    }

    /// Lets an instruction give way to one above it, of the same kind.
    pub(super) fn other_operands(&mut self) -> Option<Mutated> {
        let pure = self.of(|op| matches!(op, Op::IAdd | Op::ISub | Op::IMul | Op::BitwiseXor | Op::BitwiseAnd));
        let mut found = Vec::new();
        for &gone in &pure {
            let above = pure.iter().copied().filter(|&standing| standing != gone && self.is_seen(standing, gone));
            found.extend(
                above.filter(|&standing| has_other_operands(self.module(), gone, standing)).map(|one| (gone, one)),
            );
        }
        let (gone, standing) = self.one(&found)?;
        self.merged(gone, standing)
    }

    /// Whether a value is defined where an instruction stands.
    pub(super) fn is_seen(&self, value: Inst, inst: Inst) -> bool {
        match self.block(value) == self.block(inst) {
            true => self.view.number(value) < self.view.number(inst),
            false => self.view.dominates(self.block(value), self.block(inst)),
        }
    }

    pub(super) fn other_order(&mut self) -> Option<Mutated> {
        let module = self.module();
        let all = self.of(|op| op == Op::ISub);
        let uneven: Vec<Inst> =
            all.into_iter().filter(|&inst| module.operand(inst, 0) != module.operand(inst, 1)).collect();
        let inst = self.one(&uneven)?;
        self.with_twin(inst, Op::ISub, [module.operand(inst, 1), module.operand(inst, 0)])
    }

    pub(super) fn other_operation(&mut self) -> Option<Mutated> {
        const OPS: [Op; 4] = [Op::IAdd, Op::IMul, Op::BitwiseXor, Op::BitwiseOr];
        let module = self.module();
        let inst = self.one(&self.of(|op| OPS.contains(&op)))?;
        let others: Vec<Op> = OPS.into_iter().filter(|&op| op != module.op(inst)).collect();
        let op = self.one(&others)?;
        self.with_twin(inst, op, [module.operand(inst, 0), module.operand(inst, 1)])
    }

    /// Puts another operation right behind an instruction, for one of its readers, and lets it give way to the instruction.
    pub(super) fn with_twin(&mut self, inst: Inst, op: Op, operands: [Inst; 2]) -> Option<Mutated> {
        let module = self.module();
        let readers = module.uses(inst).map(|used| used.user);
        let readers: Vec<Inst> =
            readers.filter(|&user| module.block_of(user).is_some() && !module.op(user).is_terminator()).collect();
        let reader = self.one(&readers)?;
        let mut before = module.clone();
        let twin = before.edit().insert(Position::After(inst), op, module.ty(inst), &operands);
        let index = before.operands(reader).position(|operand| operand == inst)?;
        before.edit().set_operand(reader, index, twin);
        let mut after = before.clone();
        after.edit().replace_all_uses(twin, inst);
        after.edit().delete(twin);
        Some(Mutated { before, after, claims: Claims { replaced: vec![(twin, inst)], copies: Vec::new() } })
    }

    pub(super) fn older_read(&mut self) -> Option<Mutated> {
        let module = self.module();
        let loads = self.of(|op| op == Op::Load);
        let mut found = Vec::new();
        for (gone, writer) in self.reads_and_writes() {
            for &standing in &loads {
                let is_same = module.ty(gone) == module.ty(standing)
                    && module.operands(gone).eq(module.operands(standing))
                    && standing != gone;
                if is_same
                    && self.is_seen(standing, writer)
                    && self.is_seen(writer, gone)
                    && !self.stores_back(writer, standing)
                {
                    found.push((gone, standing));
                }
            }
        }
        let (gone, standing) = self.one(&found)?;
        self.merged(gone, standing)
    }

    /// Whether a store writes what a load had read.
    pub(super) fn stores_back(&self, writer: Inst, load: Inst) -> bool {
        self.module().op(writer) == Op::Store && self.module().operand(writer, 1) == load
    }

    pub(super) fn older_store(&mut self) -> Option<Mutated> {
        let module = self.module();
        let stores = self.of(|op| op == Op::Store);
        let mut found = Vec::new();
        for (gone, writer) in self.reads_and_writes() {
            for &store in &stores {
                let (pointer, value) = (module.operand(store, 0), module.operand(store, 1));
                let is_same =
                    pointer == module.operand(gone, 0) && module.ty(value) == module.ty(gone) && store != writer;
                let is_other = module.op(writer) != Op::Store || module.operand(writer, 1) != value;
                let is_value = module.block_of(value).is_none() || value != gone;
                if is_same && is_other && is_value && self.is_seen(store, writer) && self.is_seen(writer, gone) {
                    found.push((gone, value));
                }
            }
        }
        let (gone, standing) = self.one(&found)?;
        self.merged(gone, standing)
    }

    pub(super) fn one_argument(&mut self) -> Option<Mutated> {
        let module = self.module();
        let mut found = Vec::new();
        for &block in &self.view.blocks {
            for (number, parameter) in module.parameters(block).enumerate() {
                let given: Vec<Inst> = (module.in_edges(block))
                    .filter(|edge| {
                        module.block_of(edge.terminator).is_some_and(|source| self.view.is_reachable(source))
                    })
                    .filter_map(|edge| {
                        let first = terminator::first_argument(module.op(edge.terminator))?;
                        module.operands(edge.terminator).nth(first + number)
                    })
                    .filter(|&value| value != parameter.inst())
                    .collect();
                // What parameters are given may turn out to be the same.
                let plain: Vec<Inst> =
                    given.iter().copied().filter(|&value| module.op(value) != Op::BlockParameter).collect();
                let differ = plain.iter().any(|&value| value != plain[0]);
                let known = plain.iter().filter(|&&value| match module.block_of(value) {
                    Some(source) => source != block && self.view.dominates(source, block),
                    None => true,
                });
                found.extend(known.filter(|_| differ).map(|&value| (parameter.inst(), value)));
            }
        }
        let (gone, standing) = self.one(&found)?;
        self.merged(gone, standing)
    }
}

fn has_other_operands(module: &Module, gone: Inst, standing: Inst) -> bool {
    let sorted = |inst| {
        let mut operands: Vec<Inst> = module.operands(inst).collect();
        operands.sort_by_key(|operand| operand.index());
        operands
    };
    module.op(gone) == module.op(standing) && sorted(gone) != sorted(standing)
}
