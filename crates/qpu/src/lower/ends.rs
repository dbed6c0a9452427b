//! Terminators with several ways.
//!
//! Lanes that stay together take a plain branch. Lanes that diverge take one way after another: those of the second way park, and the
//! others continue.

use reconverge_control_tree::Jump;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Edge, Inst, Terminator, terminator::operand};

use super::edges::{Arm, Move};
use super::points::Point;
use super::{Flow, Lowering};
use crate::machine::{AddOp, BranchCondition, Condition};
use crate::select::emit::Word;
use crate::select::value::ScalarType;

impl Lowering<'_, '_> {
    fn splits(&self, block: Block) -> bool {
        let flow = self.select.values.flow;
        flow.tree().opened_by(block).is_some_and(|construct| flow.splits(construct))
    }

    pub(super) fn end_if(&mut self, block: Block, end: Terminator) -> Result<(), Diagnostic> {
        let tree = self.select.values.flow.tree();
        let construct = tree.opened_by(block).expect("invariant: an if opens a construct");
        self.undefine(tree.construct(construct).merge);
        self.end_exit(block, end)
    }

    pub(super) fn end_exit(&mut self, block: Block, end: Terminator) -> Result<(), Diagnostic> {
        let condition = self.select.values.module.operand(end, operand::CONDITION);
        let arms = self.arms(block);
        if !self.splits(block) {
            return self.go_together(block, condition, &arms);
        }
        self.part(block, condition, &arms)
    }

    /// All lanes take the same way.
    fn go_together(&mut self, block: Block, condition: Inst, arms: &[Arm]) -> Result<(), Diagnostic> {
        let [first, second] = arms else { return Ok(()) };
        let targets = [first.target, second.target];
        self.begin_execute(block, &targets);
        let is_next = |arm: &Arm| self.next == Some(Point::Block(arm.target));
        let (near, far) = if is_next(second) { (second, first) } else { (first, second) };
        let (near, far) = (near.clone(), far.clone());
        let behind = self.behind_block(block);
        let waits = |lowering: &Self, arm: &Arm| {
            let is_entered = matches!(arm.jump, Some(Jump::Enter(_) | Jump::Next | Jump::Back(_)));
            !is_entered && lowering.waits(arm.target) && behind != Point::Block(arm.target)
        };
        if waits(self, &far) {
            let skip = self.select.emit.label();
            self.select.branch_together(condition, !far.wanted, skip)?;
            let next = self.next.take();
            let index = self.index(far.target);
            self.park(index);
            self.go(behind, Flow::Parked);
            self.next = next;
            self.select.emit.place(skip);
        } else {
            let label = self.labels(far.target).block;
            self.select.branch_together(condition, far.wanted, label)?;
        }
        self.flow = Flow::Active;
        self.leave(block, None, near.target, near.jump)
    }

    /// Lanes diverge. Those of a list with code continue first; those of another list, and those that leave, park.
    fn part(&mut self, block: Block, condition: Inst, arms: &[Arm]) -> Result<(), Diagnostic> {
        let mut order: Vec<Arm> = arms.to_vec();
        // A list continues, first the one that is written next; then lanes that stay in the list or in the loop.
        let goes_on = |arm: &Arm| match (arm.is_list, arm.jump) {
            (true, _) if self.next == Some(Point::Block(arm.target)) => 0,
            (true, _) => 1,
            (false, Some(Jump::Next | Jump::Back(_))) => 2,
            (false, _) if self.next == Some(Point::Block(arm.target)) => 3,
            (false, _) => 4,
        };
        order.sort_by_key(goes_on);
        let [first, second] = order.as_slice() else { return Ok(()) };
        let (first, second) = (first.clone(), second.clone());
        let moves = self.moves(second.end, second.target)?;
        let index = self.index(second.target);
        let known = self.park_where(condition, second.wanted, index, &moves)?;
        self.select.emit.is_whole = false;
        if !first.is_list && !matches!(first.jump, Some(Jump::Next)) {
            return self.leave_rest(block, &first);
        }
        // Where the other lanes leave the construct, more than the list may be executed without lanes.
        let own = self.select.values.flow.tree().opened_by(block);
        let stays = second.is_list || matches!(second.jump, Some(Jump::Merge(construct)) if Some(construct) == own);
        if first.is_list && stays && self.is_cheap(first.target) && self.next == Some(Point::Block(first.target)) {
            self.flow = Flow::Active;
            return Ok(());
        }
        let behind = if first.is_list { self.behind_block(first.target) } else { self.behind_block(block) };
        let label = match behind {
            // The lanes that parked are there.
            Point::Block(target) if target == second.target => self.labels(target).block,
            point => self.entrance_label(point),
        };
        self.branch_if_none_active(known, label);
        self.go(Point::Block(first.target), Flow::Active);
        Ok(())
    }

    /// The lanes that did not park leave, too.
    fn leave_rest(&mut self, block: Block, arm: &Arm) -> Result<(), Diagnostic> {
        let is_back = matches!(arm.jump, Some(Jump::Back(_))) && !self.latched.contains(&arm.target);
        for Move { to, word, is_varying } in self.moves(arm.end, arm.target)? {
            if is_back || !is_varying {
                self.select.emit.copy(to, word);
            } else {
                self.select.emit.copy_active(to, word);
            }
        }
        if let Some(Jump::Back(construct)) = arm.jump.filter(|_| is_back) {
            self.go_back(construct, arm.target);
            return Ok(());
        }
        let index = self.index(arm.target);
        self.park(index);
        let behind = self.behind_block(block);
        self.go(behind, Flow::Parked);
        Ok(())
    }

    pub(super) fn end_switch(&mut self, block: Block, end: Terminator) -> Result<(), Diagnostic> {
        let tree = self.select.values.flow.tree();
        let construct = tree.opened_by(block).expect("invariant: a switch opens a construct");
        self.undefine(tree.construct(construct).merge);
        let selector = self.select.values.module.operand(end, operand::CONDITION);
        let words = self.select.value(selector)?;
        let default = self.select.values.module.target(Edge { terminator: end, operand: operand::DEFAULT });
        let default = default.expect("invariant: successors are blocks");
        let cases = self.cases(end, self.select.values.scalar_type(selector)?);
        if !self.splits(block) {
            let targets: Vec<Block> = cases.iter().map(|&(_, target)| target).chain([default]).collect();
            self.begin_execute(block, &targets);
            self.switch_together(&words, &cases);
            self.go(Point::Block(default), Flow::Active);
            return Ok(());
        }
        let index = self.index(default);
        let wakes_at = self.select.emit.copied(Word::Constant(index));
        for &(bits, target) in &cases {
            let word = self.difference(&words, bits);
            let index = self.index(target);
            self.select.emit.test(word);
            self.select.emit.copy_when(wakes_at, Word::Constant(index), Condition::ZeroSet);
        }
        let execute = self.select.emit.execute;
        self.select.emit.copy_active(execute, Word::Register(wakes_at));
        self.select.emit.is_whole = false;
        let lists = self.select.values.flow.lists(self.select.values.flow.tree().construct(construct));
        let first = lists.first().map(|&list| self.select.values.flow.tree().first_block(list));
        let first = first.map_or_else(|| self.behind_block(block), Point::Block);
        self.go(first, Flow::Parked);
        Ok(())
    }

    /// The literals of a switch as its selector has them in registers, and where they lead.
    fn cases(&self, end: Terminator, ty: ScalarType) -> Vec<(u64, Block)> {
        let mask = match ty {
            ScalarType::Int(bits @ (8 | 16)) => (1 << bits) - 1,
            _ => u64::MAX,
        };
        let module = self.select.values.module;
        let bits = |literal: Inst| {
            let words = module.literal_words(literal);
            let word = |place: usize| u64::from(words.get(place).copied().unwrap_or(0));
            (word(0) | word(1) << 32) & mask
        };
        module.cases(end).filter_map(|(literal, target)| Some((bits(literal), module.cast(target)?))).collect()
    }

    /// A word that is zero where a selector is a literal.
    fn difference(&mut self, selector: &[Word], bits: u64) -> Word {
        let emit = &mut self.select.emit;
        let low = emit.xor(selector[0], Word::Constant(bits as u32));
        match selector.get(1) {
            None => low,
            Some(&high) => {
                let high = emit.xor(high, Word::Constant((bits >> 32) as u32));
                emit.or(low, high)
            }
        }
    }

    /// A switch whose lanes stay together: a branch for each literal.
    fn switch_together(&mut self, selector: &[Word], cases: &[(u64, Block)]) {
        for &(bits, target) in cases {
            let word = self.difference(selector, bits);
            if self.select.emit.is_whole {
                self.select.emit.test(word);
            } else {
                let execute = Word::Register(self.select.emit.execute);
                self.select.emit.flags(AddOp::Or, word, execute);
            }
            let label = self.labels(target).block;
            self.select.emit.branch(BranchCondition::Any(Condition::ZeroSet), label);
        }
    }
}
