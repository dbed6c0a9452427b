//! Illegal replacements: claims that are false.

use reconverge_ir::{Inst, Module, Op, Position, view};
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

    /// Copies a pure instruction to a block that its original does not dominate, and replaces the copy by the original.
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
        after.edit().set_operand(user, view::CopyObject::SLOT.operand, inst);
        after.edit().delete(twin);
        Some(Mutated { before, after, claims: Claims { replaced: vec![(twin, inst)], copies: Vec::new() } })
    }

    /// Replaces an instruction by another one of the same kind above it.
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

    /// Returns whether a value is defined at an instruction.
    pub(super) fn is_seen(&self, value: Inst, inst: Inst) -> bool {
        match self.block(value) == self.block(inst) {
            true => self.view.number(value) < self.view.number(inst),
            false => self.view.dominates(self.block(value), self.block(inst)),
        }
    }

    pub(super) fn other_order(&mut self) -> Option<Mutated> {
        let module = self.module();
        let all = self.of(|op| op == Op::ISub);
        let operands = |inst: Inst| view::Binary::of(module, inst);
        let is_uneven = |&inst: &Inst| operands(inst).is_some_and(|difference| difference.left != difference.right);
        let uneven: Vec<Inst> = all.into_iter().filter(is_uneven).collect();
        let inst = self.one(&uneven)?;
        let view::Binary { left, right } = operands(inst)?;
        self.with_twin(inst, Op::ISub, [right, left])
    }

    pub(super) fn other_operation(&mut self) -> Option<Mutated> {
        const OPS: [Op; 4] = [Op::IAdd, Op::IMul, Op::BitwiseXor, Op::BitwiseOr];
        let module = self.module();
        let inst = self.one(&self.of(|op| OPS.contains(&op)))?;
        let others: Vec<Op> = OPS.into_iter().filter(|&op| op != module.op(inst)).collect();
        let op = self.one(&others)?;
        let view::Binary { left, right } = view::Binary::of(module, inst)?;
        self.with_twin(inst, op, [left, right])
    }

    /// Adds another operation right after an instruction, for one of its users, and replaces it by the instruction.
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

    /// Returns whether a store writes the value that a load had read.
    pub(super) fn stores_back(&self, writer: Inst, load: Inst) -> bool {
        view::Store::of(self.module(), writer).is_some_and(|store| store.object == load)
    }

    pub(super) fn older_store(&mut self) -> Option<Mutated> {
        let module = self.module();
        let stores = self.of(|op| op == Op::Store);
        let mut found = Vec::new();
        for (gone, writer) in self.reads_and_writes() {
            for &store in &stores {
                let view::Store { pointer, object: value, .. } = view::Store::of(module, store)?;
                let is_same = view::Load::of(module, gone).is_some_and(|load| load.pointer == pointer)
                    && module.ty(value) == module.ty(gone)
                    && store != writer;
                let is_other = !self.stores_back(writer, value);
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
                    .filter_map(|edge| module.arguments(edge.terminator).nth(number))
                    .filter(|&value| value != parameter.inst())
                    .collect();
                // The arguments of parameters may be equal by chance.
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
