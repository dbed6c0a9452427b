//! Instructions of `GLSL.std.450`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::GlslStd450Op as Glsl;

use super::bitcast::as_type;
use super::elementwise::rows;
use super::parts::Parts;
use crate::error::unsupported;

/// Splits an extended instruction.
pub(super) fn split(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    match parts.module.glsl_op(inst) {
        Some(op) if is_elementwise(op) => each(parts, inst, operands),
        Some(Glsl::UnpackHalf2x16) => unpack_halves(parts, inst, operands[view::ExtInst::SLOT.operands]),
        Some(Glsl::PackHalf2x16) => pack_halves(parts, inst, operands[view::ExtInst::SLOT.operands]),
        Some(op) => Err(unsupported(inst, format!("GLSL.std.450 {op:?}"))),
        None => Err(unsupported(inst, "an extended instruction with a composite")),
    }
}

/// Returns whether each component of the result depends on the same component of the operands alone.
fn is_elementwise(op: Glsl) -> bool {
    matches!(
        op,
        Glsl::Round
            | Glsl::RoundEven
            | Glsl::Trunc
            | Glsl::Floor
            | Glsl::Ceil
            | Glsl::Fract
            | Glsl::FAbs
            | Glsl::SAbs
            | Glsl::FSign
            | Glsl::SSign
            | Glsl::Radians
            | Glsl::Degrees
            | Glsl::Sin
            | Glsl::Cos
            | Glsl::Tan
            | Glsl::Asin
            | Glsl::Acos
            | Glsl::Atan
            | Glsl::Atan2
            | Glsl::Sinh
            | Glsl::Cosh
            | Glsl::Tanh
            | Glsl::Asinh
            | Glsl::Acosh
            | Glsl::Atanh
            | Glsl::Pow
            | Glsl::Exp
            | Glsl::Log
            | Glsl::Exp2
            | Glsl::Log2
            | Glsl::Sqrt
            | Glsl::InverseSqrt
            | Glsl::FMin
            | Glsl::UMin
            | Glsl::SMin
            | Glsl::FMax
            | Glsl::UMax
            | Glsl::SMax
            | Glsl::FClamp
            | Glsl::UClamp
            | Glsl::SClamp
            | Glsl::NMin
            | Glsl::NMax
            | Glsl::NClamp
            | Glsl::FMix
            | Glsl::Step
            | Glsl::SmoothStep
            | Glsl::Fma
            | Glsl::Ldexp
            | Glsl::FindILsb
            | Glsl::FindSMsb
            | Glsl::FindUMsb
    )
}

fn each(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let leaves = parts.leaves(parts.ty(inst), inst)?;
    let rows = rows(parts, inst, operands, leaves.len())?;
    let scalars = leaves.iter().zip(rows).map(|(leaf, row)| parts.emit(inst, Op::ExtInst, Some(leaf.ty), &row));
    let scalars: Vec<Inst> = scalars.collect();
    parts.finish(inst, scalars);
    Ok(())
}

/// Two numbers in a word, the first in the low half: the bits of their conversions to 16 bits.
fn pack_halves(parts: &mut Parts<'_>, inst: Inst, numbers: Inst) -> Result<(), Diagnostic> {
    let (word, narrow, half) = (parts.ty(inst), parts.unsigned(16), parts.half());
    let numbers = parts.of(numbers, inst)?;
    let &[low, high] = &*numbers else { return Err(unsupported(inst, "GLSL.std.450 PackHalf2x16")) };
    let [low, high] = [low, high].map(|number| {
        let number = parts.help(inst, Op::FConvert, Some(half), &[number]);
        let bits = as_type(parts, inst, number, narrow);
        parts.help(inst, Op::UConvert, Some(word), &[bits])
    });
    let amount = parts.integer(word, 16);
    let high = parts.help(inst, Op::ShiftLeftLogical, Some(word), &[high, amount]);
    let packed = parts.emit(inst, Op::BitwiseOr, Some(word), &[low, high]);
    parts.finish(inst, [packed]);
    Ok(())
}

/// Two numbers of 16 bits in a word, the first in the low half: each is a conversion from 16 to 32 bits.
fn unpack_halves(parts: &mut Parts<'_>, inst: Inst, word: Inst) -> Result<(), Diagnostic> {
    let leaves = parts.leaves(parts.ty(inst), inst)?;
    let (narrow, half) = (parts.unsigned(16), parts.half());
    let amount = parts.integer(parts.ty(word), 16);
    let upper = parts.help(inst, Op::ShiftRightLogical, Some(parts.ty(word)), &[word, amount]);
    let numbers = [word, upper].map(|word| {
        let bits = parts.help(inst, Op::UConvert, Some(narrow), &[word]);
        let number = as_type(parts, inst, bits, half);
        parts.emit(inst, Op::FConvert, Some(leaves[0].ty), &[number])
    });
    parts.finish(inst, numbers);
    Ok(())
}
