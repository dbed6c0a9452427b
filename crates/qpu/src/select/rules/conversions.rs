//! Conversions of numbers, and bits taken for another type.
//!
//! Conversions between halves and integers go by floats of 32 bits, which is exact: an integer that a float rounds is too great for a half.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;
use reconverge_lanes::patterns::{Operation, Types};

use super::{Computation, Rule, SHORT_FLOATS, WORDS, rule};
use crate::machine::AddOp;
use crate::select::emit::{SIGN, Word};
use crate::select::selector::Selector;
use crate::select::value::{ScalarType, one, two};
use crate::select::values::Selected;

const LONG: Types = Types::INT64;
const NARROW: Types = Types::INT8.or(Types::INT16);
/// Types of the same size: one word.
const HALF_BITS: Types = Types::INT16.or(Types::HALF);
const FLOAT_BITS: Types = Types::INT32.or(Types::FLOAT);

const TO_BITS: &[Operation] = &[Operation::Op(Op::Bitcast)];
const TO_NUMBER: &[Operation] = &[Operation::Op(Op::Bitcast), Operation::Op(Op::ConvertPtrToU)];
const TO_POINTER: &[Operation] = &[Operation::Op(Op::Bitcast), Operation::Op(Op::ConvertUToPtr)];
const BETWEEN_POINTERS: &[Operation] = &[
    Operation::Op(Op::Bitcast),
    Operation::Op(Op::PtrCastToGeneric),
    Operation::Op(Op::GenericCastToPtr),
    Operation::Op(Op::GenericCastToPtrExplicit),
];

pub(super) const RULES: &[Rule] = &[
    rule(&[Operation::Op(Op::UConvert)], &[WORDS], LONG, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(two(a[0], Word::Constant(0)).into())
    }),
    rule(&[Operation::Op(Op::SConvert)], &[WORDS], LONG, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let low = selector.emit.signed(a[0], computation.from);
        let high = selector.emit.shift(AddOp::Asr, low, 31);
        Ok(two(low, high).into())
    }),
    rule(&[Operation::Op(Op::UConvert)], &[Types::INTS], WORDS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(selector.emit.narrowed(a[0], computation.ty).into())
    }),
    rule(&[Operation::Op(Op::SConvert)], &[Types::INTS], WORDS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let word = selector.emit.signed(a[0], computation.from);
        Ok(selector.emit.narrowed(word, computation.ty).into())
    }),
    rule(&[Operation::Op(Op::ConvertSToF)], &[WORDS], SHORT_FLOATS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let word = selector.emit.signed(a[0], computation.from);
        let float = selector.emit.unary(AddOp::IToF, word);
        Ok(rounded(selector, float, computation.ty))
    }),
    rule(&[Operation::Op(Op::ConvertUToF)], &[WORDS], SHORT_FLOATS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let bound = selector.values.bound(computation.operand(0));
        let float = selector.emit.unsigned_to_float(a[0], bound);
        Ok(rounded(selector, float, computation.ty))
    }),
    rule(&[Operation::Op(Op::ConvertUToF)], &[LONG], SHORT_FLOATS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let float = match a[1] {
            Word::Constant(0) => selector.emit.unsigned_to_float(a[0], u32::MAX),
            _ => selector.emit.wide_to_float(&a),
        };
        Ok(rounded(selector, float, computation.ty))
    }),
    rule(&[Operation::Op(Op::ConvertSToF)], &[LONG], SHORT_FLOATS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        let emit = &mut selector.emit;
        let mask = emit.shift(AddOp::Asr, a[1], 31);
        let size = emit.negated_wide_where(&a, mask);
        let size = emit.wide_to_float(&size);
        let sign = emit.and(mask, Word::Constant(SIGN));
        let float = emit.or(size, sign);
        Ok(rounded(selector, float, computation.ty))
    }),
    rule(&[Operation::Op(Op::ConvertFToU)], &[SHORT_FLOATS], LONG, |selector, computation| {
        let a = as_float(selector, computation)?;
        Ok(selector.emit.float_to_wide(a).into())
    }),
    rule(&[Operation::Op(Op::ConvertFToS)], &[SHORT_FLOATS], LONG, |selector, computation| {
        let a = as_float(selector, computation)?;
        let emit = &mut selector.emit;
        let mask = emit.shift(AddOp::Asr, a, 31);
        let size = emit.fabs(a);
        let size = emit.float_to_wide(size);
        Ok(emit.negated_wide_where(&size, mask).into())
    }),
    rule(&[Operation::Op(Op::ConvertFToS)], &[SHORT_FLOATS], WORDS, to_signed),
    rule(&[Operation::Op(Op::ConvertFToU)], &[SHORT_FLOATS], NARROW, to_signed),
    rule(&[Operation::Op(Op::ConvertFToU)], &[SHORT_FLOATS], Types::INT32, |selector, computation| {
        let a = as_float(selector, computation)?;
        Ok(one(selector.emit.float_to_unsigned(a)).into())
    }),
    rule(&[Operation::Op(Op::FConvert)], &[Types::HALF], Types::FLOAT, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(one(selector.emit.half_to_float(a[0])).into())
    }),
    rule(&[Operation::Op(Op::FConvert)], &[Types::FLOAT], Types::HALF, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(one(selector.emit.float_to_half(a[0])).into())
    }),
    rule(TO_BITS, &[Types::INT8], Types::INT8, same),
    rule(TO_BITS, &[HALF_BITS], HALF_BITS, same),
    rule(TO_BITS, &[FLOAT_BITS], FLOAT_BITS, same),
    rule(TO_BITS, &[LONG], LONG, same),
    // An address is the low word of the number that it is in the IR.
    rule(TO_NUMBER, &[Types::POINTER], LONG, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(two(a[0], Word::Constant(0)).into())
    }),
    rule(TO_NUMBER, &[Types::POINTER], WORDS, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(selector.emit.narrowed(a[0], computation.ty).into())
    }),
    rule(TO_POINTER, &[Types::INTS], Types::POINTER, |selector, computation| {
        let a = computation.words(selector, 0)?;
        Ok(one(a[0]).into())
    }),
    rule(BETWEEN_POINTERS, &[Types::POINTER], Types::POINTER, same),
];

/// The same words.
fn same(selector: &mut Selector<'_>, computation: &Computation) -> Result<Selected, Diagnostic> {
    Ok(computation.words(selector, 0)?.into())
}

/// The operand as a float of 32 bits.
fn as_float(selector: &mut Selector<'_>, computation: &Computation) -> Result<Word, Diagnostic> {
    let a = computation.words(selector, 0)?[0];
    Ok(match computation.from {
        ScalarType::Float(16) => selector.emit.half_to_float(a),
        _ => a,
    })
}

/// A float of 32 bits in a type of the result.
fn rounded(selector: &mut Selector<'_>, float: Word, ty: ScalarType) -> Selected {
    one(match ty {
        ScalarType::Float(16) => selector.emit.float_to_half(float),
        _ => float,
    })
    .into()
}

fn to_signed(selector: &mut Selector<'_>, computation: &Computation) -> Result<Selected, Diagnostic> {
    let a = as_float(selector, computation)?;
    let word = selector.emit.unary(AddOp::FToI, a);
    Ok(selector.emit.narrowed(word, computation.ty).into())
}
