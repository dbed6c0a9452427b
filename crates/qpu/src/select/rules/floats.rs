//! Floats of 32 bits, and what needs the bits of halves alone.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;
use reconverge_lanes::patterns::{Operation, Types};

use super::{Computation, Rule, SHORT_FLOATS, rule};
use crate::machine::{AddOp, Condition};
use crate::select::emit::{Emitter, SIGN, Word};
use crate::select::float::Direction;
use crate::select::selector::Selector;
use crate::select::value::{ScalarType, one};
use crate::select::values::Selected;

const FLOAT: Types = Types::FLOAT;

pub(super) const RULES: &[Rule] = &[
    rule(&[Operation::Op(Op::FNegate)], &[FLOAT], FLOAT, |selector, computation| {
        let a = computation.words(selector, 0)?[0];
        Ok(one(selector.emit.xor(a, Word::Constant(SIGN))).into())
    }),
    rule(&[Operation::Op(Op::FNegate)], &[Types::HALF], Types::HALF, |selector, computation| {
        let a = computation.words(selector, 0)?[0];
        Ok(one(selector.emit.xor(a, Word::Constant(0x8000))).into())
    }),
    rule(&[Operation::Op(Op::FAdd)], &[FLOAT], FLOAT, |selector, computation| {
        of_floats(selector, computation, |emit, a, b| emit.fadd(a, b))
    }),
    rule(&[Operation::Op(Op::FSub)], &[FLOAT], FLOAT, |selector, computation| {
        of_floats(selector, computation, |emit, a, b| emit.fsub(a, b))
    }),
    rule(&[Operation::Op(Op::FMul)], &[FLOAT], FLOAT, |selector, computation| {
        of_floats(selector, computation, |emit, a, b| emit.fmul(a, b))
    }),
    rule(&[Operation::Op(Op::FDiv)], &[FLOAT], FLOAT, |selector, computation| {
        of_floats(selector, computation, |emit, a, b| emit.fdiv(a, b))
    }),
    rule(&[Operation::Op(Op::FRem)], &[FLOAT], FLOAT, |selector, computation| {
        of_floats(selector, computation, |emit, a, b| {
            let quotient = emit.fdiv(a, b);
            let whole = emit.truncated(quotient);
            let product = emit.fmul(whole, b);
            emit.fsub(a, product)
        })
    }),
    rule(&[Operation::Op(Op::FMod)], &[FLOAT], FLOAT, |selector, computation| {
        of_floats(selector, computation, |emit, a, b| {
            let quotient = emit.fdiv(a, b);
            let whole = emit.rounded_to(Direction::Down, quotient);
            let product = emit.fmul(whole, b);
            emit.fsub(a, product)
        })
    }),
    rule(&[Operation::Op(Op::IsInf)], &[SHORT_FLOATS], Types::BOOL, |selector, computation| {
        class(selector, computation, |emit, size, infinity| {
            emit.flags(AddOp::Xor, size, infinity);
            Condition::ZeroSet
        })
    }),
    rule(&[Operation::Op(Op::IsNan)], &[SHORT_FLOATS], Types::BOOL, |selector, computation| {
        class(selector, computation, |emit, size, infinity| {
            emit.flags(AddOp::Sub, infinity, size);
            Condition::CarrySet
        })
    }),
    rule(&[Operation::Op(Op::IsFinite)], &[SHORT_FLOATS], Types::BOOL, |selector, computation| {
        class(selector, computation, |emit, size, infinity| {
            emit.flags(AddOp::Sub, size, infinity);
            Condition::CarrySet
        })
    }),
    rule(&[Operation::Op(Op::IsNormal)], &[SHORT_FLOATS], Types::BOOL, |selector, computation| {
        let least = if computation.from == ScalarType::Float(16) { 0x0400 } else { 0x0080_0000 };
        class(selector, computation, |emit, size, infinity| {
            // What is less than the least normal number wraps around, and is great.
            let above = emit.sub(size, Word::Constant(least));
            let room = emit.sub(infinity, Word::Constant(least));
            emit.flags(AddOp::Sub, above, room);
            Condition::CarrySet
        })
    }),
    rule(&[Operation::Op(Op::SignBitSet)], &[SHORT_FLOATS], Types::BOOL, |selector, computation| {
        let a = computation.words(selector, 0)?[0];
        let (_, sign) = limits(computation.from);
        selector.emit.flags(AddOp::And, a, Word::Constant(sign));
        Ok(one(selector.emit.boolean(Condition::ZeroClear)).into())
    }),
];

fn of_floats(
    selector: &mut Selector<'_>,
    computation: &Computation,
    operation: impl FnOnce(&mut Emitter, Word, Word) -> Word,
) -> Result<Selected, Diagnostic> {
    let (a, b) = (computation.words(selector, 0)?[0], computation.words(selector, 1)?[0]);
    Ok(one(operation(&mut selector.emit, a, b)).into())
}

/// The bits of infinity and of the sign.
fn limits(ty: ScalarType) -> (u32, u32) {
    if ty == ScalarType::Float(16) { (0x7c00, 0x8000) } else { (0x7f80_0000, SIGN) }
}

/// A test of the bits of a number without its sign, against those of infinity.
fn class(
    selector: &mut Selector<'_>,
    computation: &Computation,
    test: impl FnOnce(&mut Emitter, Word, Word) -> Condition,
) -> Result<Selected, Diagnostic> {
    let a = computation.words(selector, 0)?[0];
    let (infinity, sign) = limits(computation.from);
    let size = selector.emit.and(a, Word::Constant(sign - 1));
    let infinity = Word::Register(selector.emit.loaded(infinity));
    let condition = test(&mut selector.emit, size, infinity);
    Ok(one(selector.emit.boolean(condition)).into())
}
