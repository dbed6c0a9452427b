//! Control flow in formulas that are separate functions.
//!
//! ```text
//! either(c, || a, || b)           repeat([x], |x| more, |x| next)
//!
//!      branch_if %c                    branch ^header(%x)
//!       │        │                          │
//!     ^yes      ^no                   ^header(%x') ◀──────┐
//!       │        │                      │        │         │
//!   branch(%a) branch(%b)             ^body    ^after      │
//!       └──┐  ┌──┘                      └─ branch(%next) ──┘
//!     ^after(%value)
//! ```
//!
//! `choose` is the same for the cases of a switch. The writer continues at the end of `^after`. Only scalars can be conditions, so such formulas are written for scalars.

use reconverge_ir::{Block, Inst, Op, Position};

use super::value::Value;
use super::writer::FormulaWriter;

impl<'w> FormulaWriter<'w> {
    /// The result of one of two branches.
    pub(crate) fn either<const N: usize>(
        &'w self,
        condition: Value<'w>,
        yes: impl FnOnce() -> [Value<'w>; N],
        no: impl FnOnce() -> [Value<'w>; N],
    ) -> [Value<'w>; N] {
        let from = self.block();
        let (yes_block, yes_values) = self.branch(yes);
        let yes_end = self.block();
        let (no_block, no_values) = self.branch(no);
        let no_end = self.block();
        let after = self.new_block();
        let parameters = yes_values.map(|value| self.parameter(after, value));
        self.append(from, Op::BranchIf, &[condition.inst(), yes_block.into(), no_block.into()]);
        for (end, values) in [(yes_end, yes_values), (no_end, no_values)] {
            let operands: Vec<Inst> = [after.into()].into_iter().chain(values.map(Value::inst)).collect();
            self.append(end, Op::Branch, &operands);
        }
        self.go_to(after);
        parameters
    }

    /// The result of the branch of the case that a word is equal to, or of the last one.
    pub(crate) fn choose<const N: usize>(
        &'w self,
        selector: Value<'w>,
        cases: &[(u32, &dyn Fn() -> [Value<'w>; N])],
        otherwise: &dyn Fn() -> [Value<'w>; N],
    ) -> [Value<'w>; N] {
        let from = self.block();
        let mut targets = Vec::new();
        let mut ends = Vec::new();
        for (_, write) in cases {
            let (block, values) = self.branch(write);
            targets.push(block);
            ends.push((self.block(), values));
        }
        let (default, values) = self.branch(otherwise);
        ends.push((self.block(), values));
        let after = self.new_block();
        let parameters = values.map(|value| self.parameter(after, value));
        let mut operands = vec![selector.inst(), default.into()];
        for (&(number, _), target) in cases.iter().zip(targets) {
            operands.push(self.build(|build| build.editor().word(number)));
            operands.push(target.into());
        }
        self.append(from, Op::Switch, &operands);
        for (end, values) in ends {
            let operands: Vec<Inst> = [after.into()].into_iter().chain(values.map(Value::inst)).collect();
            self.append(end, Op::Branch, &operands);
        }
        self.go_to(after);
        parameters
    }

    fn branch<const N: usize>(&'w self, write: impl FnOnce() -> [Value<'w>; N]) -> (Block, [Value<'w>; N]) {
        let block = self.new_block();
        self.go_to(block);
        (block, write())
    }

    /// Repeats a step on a state as long as a condition holds. Returns the last state.
    pub(crate) fn repeat<const N: usize>(
        &'w self,
        first: [Value<'w>; N],
        is_more: impl FnOnce([Value<'w>; N]) -> Value<'w>,
        next: impl FnOnce([Value<'w>; N]) -> [Value<'w>; N],
    ) -> [Value<'w>; N] {
        let header = self.new_block();
        let jump = |from: Block, state: [Value<'w>; N]| {
            let operands: Vec<Inst> = [header.into()].into_iter().chain(state.map(Value::inst)).collect();
            self.append(from, Op::Branch, &operands);
        };
        jump(self.block(), first);
        let state = first.map(|value| self.parameter(header, value));
        self.go_to(header);
        let more = is_more(state);
        let decides = self.block();
        let body = self.new_block();
        self.go_to(body);
        let following = next(state);
        jump(self.block(), following);
        let after = self.new_block();
        self.append(decides, Op::BranchIf, &[more.inst(), body.into(), after.into()]);
        self.go_to(after);
        state
    }

    /// A block behind the current one.
    fn new_block(&self) -> Block {
        let position = Position::After(self.block().into());
        self.build(|build| {
            let block = build.editor().insert(position, Op::Block, None, &[]);
            build.module().cast(block).expect("a block is a block")
        })
    }

    fn parameter(&'w self, block: Block, like: Value<'w>) -> Value<'w> {
        let ty = self.ty(like.shape());
        let parameter = self.build(|build| build.add_parameter(block, ty));
        Value::new(self, parameter.into(), like.shape())
    }

    fn append(&self, block: Block, op: Op, operands: &[Inst]) {
        self.build(|build| build.editor().append(block, op, None, operands));
    }
}
