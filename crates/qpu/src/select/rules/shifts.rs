//! Shifts.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;
use reconverge_lanes::patterns::{Operation, Types};

use super::{Computation, Rule, WORDS, rule};
use crate::machine::AddOp;
use crate::select::emit::Word;
use crate::select::selector::Selector;
use crate::select::values::Selected;

const LONG: Types = Types::INT64;

pub(super) const RULES: &[Rule] = &[
    rule(&[Operation::Op(Op::ShiftLeftLogical)], &[WORDS, Types::INTS], WORDS, |selector, computation| {
        shift(selector, computation, AddOp::Shl)
    }),
    rule(&[Operation::Op(Op::ShiftRightLogical)], &[WORDS, Types::INTS], WORDS, |selector, computation| {
        shift(selector, computation, AddOp::Shr)
    }),
    rule(&[Operation::Op(Op::ShiftRightArithmetic)], &[WORDS, Types::INTS], WORDS, |selector, computation| {
        shift(selector, computation, AddOp::Asr)
    }),
    rule(&[Operation::Op(Op::ShiftLeftLogical)], &[LONG, Types::INTS], LONG, |selector, computation| {
        shift_wide(selector, computation, AddOp::Shl)
    }),
    rule(&[Operation::Op(Op::ShiftRightLogical)], &[LONG, Types::INTS], LONG, |selector, computation| {
        shift_wide(selector, computation, AddOp::Shr)
    }),
    rule(&[Operation::Op(Op::ShiftRightArithmetic)], &[LONG, Types::INTS], LONG, |selector, computation| {
        shift_wide(selector, computation, AddOp::Asr)
    }),
];

fn shift(selector: &mut Selector<'_>, computation: &Computation, op: AddOp) -> Result<Selected, Diagnostic> {
    let (a, amount) = (computation.words(selector, 0)?, computation.words(selector, 1)?);
    let base = if op == AddOp::Asr { selector.emit.signed(a[0], computation.ty) } else { a[0] };
    let word = match amount[0] {
        Word::Constant(amount) => selector.emit.shift(op, base, amount & 31),
        amount => selector.emit.binary(op, base, amount),
    };
    Ok(selector.emit.narrowed(word, computation.ty).into())
}

fn shift_wide(selector: &mut Selector<'_>, computation: &Computation, op: AddOp) -> Result<Selected, Diagnostic> {
    let (a, amount) = (computation.words(selector, 0)?, computation.words(selector, 1)?);
    Ok(selector.emit.shift_wide(op, &a, amount[0]).into())
}
