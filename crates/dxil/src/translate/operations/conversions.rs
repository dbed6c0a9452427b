//! Conversions between numbers, words and bytes.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::GlslStd450Op;

use super::{Call, values};
use crate::error::AssumptionCode;
use crate::translate::function::{Body, Translated};
use crate::translate::numbers::Number;

pub(super) fn bitcast(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (from, to) = (body.number_of(call.arguments[0])?, body.shader.number(call.instruction.ty));
    let to = to.expect("invariant: the signature has a number as its result");
    let value = body.value(call.arguments[0])?;
    if !from.is_relaxed() {
        let ty = body.shader.number_type(to);
        return Ok(Translated::Value(body.emit(Op::Bitcast, ty, &[value])));
    }
    // Numbers of at least 16 bits have the bits of a half only after a conversion.
    let inst = match to.is_int() {
        true => packed_half(body, value),
        false => unpacked_half(body, value),
    };
    body.relax_number(inst, to);
    Ok(Translated::Value(inst))
}

pub(super) fn make_double(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let operands = values(body, call)?;
    Ok(Translated::Value(body.join_words(Number::F64, operands[0], operands[1])))
}

pub(super) fn split_double(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let value = body.value(call.arguments[0])?;
    Ok(Translated::members(&body.split_words(value)))
}

/// The bits of a half. Direct3D rounds towards zero, which Vulkan does not promise.
pub(super) fn single_to_half(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let message = "a conversion of 32 to 16 bits by f32tof16 rounds as the device does; Direct3D rounds towards zero";
    body.shader.assume(AssumptionCode::HalfRounding, message);
    let value = body.value(call.arguments[0])?;
    Ok(Translated::Value(packed_half(body, value)))
}

pub(super) fn half_to_single(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let value = body.value(call.arguments[0])?;
    Ok(Translated::Value(unpacked_half(body, value)))
}

fn packed_half(body: &mut Body<'_, '_>, value: Inst) -> Inst {
    let (ty, vector) = (body.shader.int_type(32), body.shader.numbers_type(Number::F32, 2));
    let zero = body.shader.f32(0.0);
    let pair = body.emit(Op::CompositeConstruct, vector, &[value, zero]);
    body.extended(GlslStd450Op::PackHalf2x16, ty, &[pair])
}

fn unpacked_half(body: &mut Body<'_, '_>, value: Inst) -> Inst {
    let (ty, vector) = (body.shader.number_type(Number::F32), body.shader.numbers_type(Number::F32, 2));
    let pair = body.extended(GlslStd450Op::UnpackHalf2x16, vector, &[value]);
    body.component(ty, pair, 0)
}

/// Four bytes of a word: mode 0 with zeros, mode 1 with their signs above.
pub(super) fn unpack_bytes(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let extract = match call.constant(body, 0) {
        0 => Op::BitFieldUExtract,
        1 => Op::BitFieldSExtract,
        mode => return Err(body.invalid(format!("expected the mode 0 or 1 of Unpack4x8, found {mode}"))),
    };
    let (ty, eight) = (body.shader.int_type(32), body.shader.u32(8));
    let word = body.value(call.arguments[1])?;
    let bytes = [0, 8, 16, 24].map(|place| {
        let place = body.shader.u32(place);
        let byte = body.emit(extract, ty, &[word, place, eight]);
        body.narrowed(call.overload, byte)
    });
    Ok(Translated::members(&bytes))
}

/// A word of the low bytes of four numbers: mode 0 takes them as they are, 1 limits them to 0 to 255, 2 to -128 to 127.
pub(super) fn pack_bytes(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let limits = match call.constant(body, 0) {
        0 => None,
        1 => Some((0, 255)),
        2 => Some((-128i32, 127i32)),
        mode => return Err(body.invalid(format!("expected the mode 0, 1 or 2 of Pack4x8, found {mode}"))),
    };
    let (ty, eight) = (body.shader.int_type(32), body.shader.u32(8));
    let mut word = body.shader.u32(0);
    for (place, &argument) in (0..).step_by(8).zip(&call.arguments[1..]) {
        let byte = body.signed(argument)?;
        let byte = body.widened(Op::SConvert, call.overload, byte);
        let byte = match limits {
            None => byte,
            Some((least, most)) => {
                let limits = [least, most].map(|limit| body.shader.u32(limit.cast_unsigned()));
                body.extended(GlslStd450Op::SClamp, ty, &[byte, limits[0], limits[1]])
            }
        };
        let place = body.shader.u32(place);
        word = body.emit(Op::BitFieldInsert, ty, &[word, byte, place, eight]);
    }
    Ok(Translated::Value(word))
}
