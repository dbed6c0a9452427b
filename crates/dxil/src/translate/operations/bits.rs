//! Bits of integers.
//!
//! SPIR-V's operations on bits are for 32 bits in Vulkan. Narrower integers are extended before; wider ones are two words.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::GlslStd450Op;

use super::{Call, values};
use crate::translate::function::{Body, Translated};
use crate::translate::numbers::Number;

pub(super) fn reverse(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.int_type(32);
    if call.overload.width == 64 {
        let [low, high] = words(body, call)?.map(|word| body.emit(Op::BitReverse, ty, &[word]));
        return Ok(Translated::Value(body.join_words(Number::U64, high, low)));
    }
    let word = word(body, call)?;
    let reversed = body.emit(Op::BitReverse, ty, &[word]);
    if call.overload.width == 32 {
        return Ok(Translated::Value(reversed));
    }
    let distance = body.shader.u32(16);
    let reversed = body.emit(Op::ShiftRightLogical, ty, &[reversed, distance]);
    Ok(Translated::Value(body.narrowed(call.overload, reversed)))
}

pub(super) fn count(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.int_type(32);
    if call.overload.width == 64 {
        let counts = words(body, call)?.map(|word| body.emit(Op::BitCount, ty, &[word]));
        return Ok(Translated::Value(body.emit(Op::IAdd, ty, &counts)));
    }
    let word = word(body, call)?;
    Ok(Translated::Value(body.emit(Op::BitCount, ty, &[word])))
}

/// The number of the lowest bit that is set; all ones if none is.
pub(super) fn lowest(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.int_type(32);
    if call.overload.width < 64 {
        let word = word(body, call)?;
        return Ok(Translated::Value(body.extended(GlslStd450Op::FindILsb, ty, &[word])));
    }
    let [low, high] = words(body, call)?;
    let [in_low, in_high] = [low, high].map(|word| body.extended(GlslStd450Op::FindILsb, ty, &[word]));
    let distance = body.shader.u32(32);
    let above = body.emit(Op::IAdd, ty, &[in_high, distance]);
    let in_high = keep_none(body, in_high, above);
    Ok(Translated::Value(first_found(body, in_low, in_high)))
}

/// The number of bits that are above the highest one that is set; all ones if none is.
pub(super) fn highest(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    highest_by(body, call, GlslStd450Op::FindUMsb)
}

/// The number of bits that are above the highest one that differs from the sign; all ones if none does.
pub(super) fn highest_signed(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    highest_by(body, call, GlslStd450Op::FindSMsb)
}

fn highest_by(body: &mut Body<'_, '_>, call: &Call<'_>, find: GlslStd450Op) -> Result<Translated, Diagnostic> {
    let ty = body.shader.int_type(32);
    let found = match call.overload.width {
        64 => {
            let [low, high] = words(body, call)?;
            // The low word counts from its top only where the high one has the sign alone: it is inverted there if the number is negative.
            let low = match find {
                GlslStd450Op::FindSMsb => {
                    let distance = body.shader.u32(31);
                    let sign = body.emit(Op::ShiftRightArithmetic, ty, &[high, distance]);
                    body.emit(Op::BitwiseXor, ty, &[low, sign])
                }
                _ => low,
            };
            let in_low = body.extended(GlslStd450Op::FindUMsb, ty, &[low]);
            let in_high = body.extended(find, ty, &[high]);
            let distance = body.shader.u32(32);
            let above = body.emit(Op::IAdd, ty, &[in_high, distance]);
            let in_high = keep_none(body, in_high, above);
            first_found(body, in_high, in_low)
        }
        _ => {
            let word = match find {
                GlslStd450Op::FindSMsb => signed_word(body, call)?,
                _ => word(body, call)?,
            };
            body.extended(find, ty, &[word])
        }
    };
    let top = body.shader.u32(call.overload.width - 1);
    let above = body.emit(Op::ISub, ty, &[top, found]);
    Ok(Translated::Value(keep_none(body, found, above)))
}

/// A result, or all ones where the number it is computed from is all ones.
fn keep_none(body: &mut Body<'_, '_>, found: Inst, result: Inst) -> Inst {
    let (ty, bool_type) = (body.shader.int_type(32), body.shader.build.bool_type());
    let none = body.shader.u32(u32::MAX);
    let is_none = body.emit(Op::IEqual, bool_type, &[found, none]);
    body.emit(Op::Select, ty, &[is_none, none, result])
}

/// The first of two numbers that is not all ones.
fn first_found(body: &mut Body<'_, '_>, first: Inst, second: Inst) -> Inst {
    let (ty, bool_type) = (body.shader.int_type(32), body.shader.build.bool_type());
    let none = body.shader.u32(u32::MAX);
    let is_none = body.emit(Op::IEqual, bool_type, &[first, none]);
    body.emit(Op::Select, ty, &[is_none, second, first])
}

/// A field of bits: width, offset and value are the arguments. Both numbers count modulo 32; a field of no bits is zero, and a field that
/// goes beyond the top ends there.
pub(super) fn extract_signed(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    extract(body, call, Op::BitFieldSExtract)
}

/// As [`extract_signed`], with zeros above the field.
pub(super) fn extract_unsigned(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    extract(body, call, Op::BitFieldUExtract)
}

fn extract(body: &mut Body<'_, '_>, call: &Call<'_>, op: Op) -> Result<Translated, Diagnostic> {
    if call.overload != Number::U32 {
        return Err(body.unsupported(format!("the operation {} is not supported for i64", call.row.name)));
    }
    let ty = body.shader.int_type(32);
    let operands = values(body, call)?;
    let [width, offset] = [operands[0], operands[1]].map(|word| modulo_32(body, word));
    let width = fitting_width(body, width, offset);
    Ok(Translated::Value(body.emit(op, ty, &[operands[2], offset, width])))
}

/// A word with a field replaced: width, offset, field and word are the arguments.
pub(super) fn insert(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.int_type(32);
    let operands = values(body, call)?;
    let [width, offset] = [operands[0], operands[1]].map(|word| modulo_32(body, word));
    let width = fitting_width(body, width, offset);
    Ok(Translated::Value(body.emit(Op::BitFieldInsert, ty, &[operands[3], operands[2], offset, width])))
}

fn modulo_32(body: &mut Body<'_, '_>, word: Inst) -> Inst {
    let (ty, mask) = (body.shader.int_type(32), body.shader.u32(31));
    match body.known_word(word) {
        Some(known) => body.shader.u32(known & 31),
        None => body.emit(Op::BitwiseAnd, ty, &[word, mask]),
    }
}

/// The width of a field, no more than there are bits from its offset on: SPIR-V defines nothing beyond.
fn fitting_width(body: &mut Body<'_, '_>, width: Inst, offset: Inst) -> Inst {
    let (ty, bits) = (body.shader.int_type(32), body.shader.u32(32));
    match (body.known_word(width), body.known_word(offset)) {
        (Some(width), Some(offset)) => body.shader.u32(width.min(32 - offset)),
        (_, Some(0)) => width,
        _ => {
            let room = body.emit(Op::ISub, ty, &[bits, offset]);
            body.extended(GlslStd450Op::UMin, ty, &[width, room])
        }
    }
}

/// The argument as a word with zeros above.
fn word(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Inst, Diagnostic> {
    let inst = body.unsigned(call.arguments[0])?;
    Ok(body.widened(Op::UConvert, call.overload, inst))
}

/// The argument as a word with its sign above.
fn signed_word(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Inst, Diagnostic> {
    let inst = body.signed(call.arguments[0])?;
    Ok(body.widened(Op::SConvert, call.overload, inst))
}

/// The argument as two words, the low one first.
fn words(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<[Inst; 2], Diagnostic> {
    let inst = body.value(call.arguments[0])?;
    Ok(body.split_words(inst))
}
