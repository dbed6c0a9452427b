//! Arithmetic.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, GlslStd450Op};

use super::{Call, values};
use crate::module::ValueId;
use crate::translate::function::{Body, Translated};
use crate::translate::numbers::Number;

/// NaN becomes 0, as it is neither the larger nor the smaller number.
pub(super) fn saturate(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.number_type(call.overload);
    let value = body.value(call.arguments[0])?;
    let (zero, one) = (body.shader.float(call.overload, 0.0), body.shader.float(call.overload, 1.0));
    let inst = body.extended(GlslStd450Op::NClamp, ty, &[value, zero, one]);
    body.relax_number(inst, call.overload);
    Ok(Translated::Value(inst))
}

/// Neither NaN nor infinite. `OpIsFinite` is for kernels alone.
pub(super) fn is_finite(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let bool_type = body.shader.build.bool_type();
    let value = body.value(call.arguments[0])?;
    let is_nan = body.emit(Op::IsNan, bool_type, &[value]);
    let is_infinite = body.emit(Op::IsInf, bool_type, &[value]);
    let either = body.emit(Op::LogicalOr, bool_type, &[is_nan, is_infinite]);
    Ok(Translated::Value(body.emit(Op::LogicalNot, bool_type, &[either])))
}

/// At least as large as the smallest normal number, and less than infinity: false for NaN, zero and subnormal numbers.
pub(super) fn is_normal(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (ty, bool_type) = (body.shader.number_type(call.overload), body.shader.build.bool_type());
    let value = body.value(call.arguments[0])?;
    let size = body.extended(GlslStd450Op::FAbs, ty, &[value]);
    let (least, infinity) = match call.overload.width {
        16 => (0x0400, 0x7c00),
        _ => (0x0080_0000, 0x7f80_0000),
    };
    let (least, infinity) = (body.shader.constant(call.overload, least), body.shader.constant(call.overload, infinity));
    let is_large = body.emit(Op::FOrdGreaterThanEqual, bool_type, &[size, least]);
    let is_small = body.emit(Op::FOrdLessThan, bool_type, &[size, infinity]);
    Ok(Translated::Value(body.emit(Op::LogicalAnd, bool_type, &[is_large, is_small])))
}

pub(super) fn signed_max(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    extreme(body, call, GlslStd450Op::SMax, Body::signed)
}

pub(super) fn signed_min(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    extreme(body, call, GlslStd450Op::SMin, Body::signed)
}

pub(super) fn unsigned_max(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    extreme(body, call, GlslStd450Op::UMax, Body::unsigned)
}

pub(super) fn unsigned_min(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    extreme(body, call, GlslStd450Op::UMin, Body::unsigned)
}

fn extreme<'s, 'a>(
    body: &mut Body<'s, 'a>,
    call: &Call<'_>,
    instruction: GlslStd450Op,
    extend: fn(&mut Body<'s, 'a>, ValueId) -> Result<Inst, Diagnostic>,
) -> Result<Translated, Diagnostic> {
    let ty = body.shader.number_type(call.overload);
    let operands = [extend(body, call.arguments[0])?, extend(body, call.arguments[1])?];
    let inst = body.extended(instruction, ty, &operands);
    body.relax_number(inst, call.overload);
    Ok(Translated::Value(inst))
}

pub(super) fn signed_product(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let [low, high] = pair(body, call, Op::SMulExtended)?;
    Ok(Translated::members(&[high, low]))
}

pub(super) fn unsigned_product(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let [low, high] = pair(body, call, Op::UMulExtended)?;
    Ok(Translated::members(&[high, low]))
}

/// Quotient and remainder; both are all ones for a division by zero.
pub(super) fn quotient(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (ty, bool_type) = (body.shader.int_type(32), body.shader.build.bool_type());
    let operands = values(body, call)?;
    let (zero, ones) = (body.shader.u32(0), body.shader.u32(u32::MAX));
    let is_zero = body.emit(Op::IEqual, bool_type, &[operands[1], zero]);
    let results = [Op::UDiv, Op::UMod].map(|op| {
        let result = body.emit(op, ty, &operands);
        body.emit(Op::Select, ty, &[is_zero, ones, result])
    });
    Ok(Translated::members(&results))
}

pub(super) fn sum_with_carry(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    with_flag(body, call, Op::IAddCarry)
}

pub(super) fn difference_with_borrow(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    with_flag(body, call, Op::ISubBorrow)
}

fn with_flag(body: &mut Body<'_, '_>, call: &Call<'_>, op: Op) -> Result<Translated, Diagnostic> {
    let [result, flag] = pair(body, call, op)?;
    let (zero, bool_type) = (body.shader.u32(0), body.shader.build.bool_type());
    let flag = body.emit(Op::INotEqual, bool_type, &[flag, zero]);
    Ok(Translated::members(&[result, flag]))
}

/// The two members of an operation of 32-bit integers that returns a struct.
fn pair(body: &mut Body<'_, '_>, call: &Call<'_>, op: Op) -> Result<[Inst; 2], Diagnostic> {
    let ty = body.shader.int_type(32);
    let operands = values(body, call)?;
    let struct_type = body.shader.pair_type(ty);
    let both = body.emit(op, struct_type, &operands);
    Ok([0, 1].map(|index| {
        let index = body.shader.build.editor().word(index);
        body.emit(Op::CompositeExtract, ty, &[both, index])
    }))
}

/// A product and a sum. Only `precise` forbids to do both in one step.
pub(super) fn float_multiply_add(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let operands = values(body, call)?;
    let product = body.number(Op::FMul, call.overload, &operands[..2]);
    Ok(Translated::Value(body.number(Op::FAdd, call.overload, &[product, operands[2]])))
}

pub(super) fn int_multiply_add(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let operands = values(body, call)?;
    let product = body.number(Op::IMul, call.overload, &operands[..2]);
    Ok(Translated::Value(body.number(Op::IAdd, call.overload, &[product, operands[2]])))
}

/// The sum of the absolute differences of four bytes, where the byte of the reference is not zero, and of the accumulator.
pub(super) fn masked_difference(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    if call.overload != Number::U32 {
        return Err(body.unsupported("the operation Msad (number 50) is not supported for i64"));
    }
    let (ty, bool_type) = (body.shader.int_type(32), body.shader.build.bool_type());
    let operands = values(body, call)?;
    let (zero, eight) = (body.shader.u32(0), body.shader.u32(8));
    let mut sum = operands[2];
    for byte in 0..4 {
        let place = body.shader.u32(8 * byte);
        let [reference, source] =
            [operands[0], operands[1]].map(|word| body.emit(Op::BitFieldUExtract, ty, &[word, place, eight]));
        let difference = body.emit(Op::ISub, ty, &[reference, source]);
        let difference = body.extended(GlslStd450Op::SAbs, ty, &[difference]);
        let counts = body.emit(Op::INotEqual, bool_type, &[reference, zero]);
        let difference = body.emit(Op::Select, ty, &[counts, difference, zero]);
        sum = body.emit(Op::IAdd, ty, &[sum, difference]);
    }
    Ok(Translated::Value(sum))
}

/// Products and sums, from the first component on.
pub(super) fn dot(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let operands = values(body, call)?;
    let (left, right) = operands.split_at(operands.len() / 2);
    if !body.is_precise {
        let vector = body.shader.numbers_type(call.overload, left.len() as u32);
        let sides = [left, right].map(|side| body.emit(Op::CompositeConstruct, vector, side));
        return Ok(Translated::Value(body.number(Op::Dot, call.overload, &sides)));
    }
    let mut sum: Option<Inst> = None;
    for (&left, &right) in left.iter().zip(right) {
        let product = body.number(Op::FMul, call.overload, &[left, right]);
        sum = Some(match sum {
            None => product,
            Some(sum) => body.number(Op::FAdd, call.overload, &[sum, product]),
        });
    }
    Ok(Translated::Value(sum.expect("invariant: vectors have components")))
}

/// The dot product of two pairs of halves, with the precision of 32 bits, and an accumulator.
pub(super) fn dot_of_halves(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.number_type(Number::F32);
    let mut operands = values(body, call)?;
    for operand in &mut operands[1..] {
        if body.shader.build.module().ty(*operand) != Some(ty) {
            *operand = body.emit(Op::FConvert, ty, &[*operand]);
        }
    }
    let [accumulator, ax, ay, bx, by] = operands[..] else {
        unreachable!("invariant: the signature has five arguments")
    };
    let products = [(ax, bx), (ay, by)].map(|(left, right)| body.emit(Op::FMul, ty, &[left, right]));
    let sum = body.emit(Op::FAdd, ty, &products);
    let sum = body.emit(Op::FAdd, ty, &[sum, accumulator]);
    if body.is_precise {
        body.shader.decorate(sum, Decoration::NoContraction);
    }
    Ok(Translated::Value(sum))
}

pub(super) fn signed_dot_of_bytes(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    dot_of_bytes(body, call, Op::BitFieldSExtract)
}

pub(super) fn unsigned_dot_of_bytes(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    dot_of_bytes(body, call, Op::BitFieldUExtract)
}

fn dot_of_bytes(body: &mut Body<'_, '_>, call: &Call<'_>, extract: Op) -> Result<Translated, Diagnostic> {
    let ty = body.shader.int_type(32);
    let operands = values(body, call)?;
    let eight = body.shader.u32(8);
    let mut sum = operands[0];
    for byte in 0..4 {
        let place = body.shader.u32(8 * byte);
        let sides = [operands[1], operands[2]].map(|word| body.emit(extract, ty, &[word, place, eight]));
        let product = body.emit(Op::IMul, ty, &sides);
        sum = body.emit(Op::IAdd, ty, &[sum, product]);
    }
    Ok(Translated::Value(sum))
}
