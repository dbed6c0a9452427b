//! Bits of several scalars taken for another type; the first scalar has the lowest bits.
//!
//! ```text
//! u8x4 → u32     zero-extend each, shift it to its place, or them together
//! u64 → f32x2    shift each part down, truncate it, take the bits for a float
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op};

use super::parts::Parts;
use crate::error::unsupported;

/// Splits a bit cast.
pub(super) fn split(parts: &mut Parts<'_>, inst: Inst, operand: Inst) -> Result<(), Diagnostic> {
    let leaves = parts.leaves(parts.ty(inst), inst)?;
    let scalars = parts.of(operand, inst)?;
    let (from, to) = (width(parts, parts.ty(scalars[0])), width(parts, leaves[0].ty));
    let (Some(from), Some(to)) = (from, to) else { return Err(unsupported(inst, "bitcast")) };
    if from as usize * scalars.len() != to as usize * leaves.len()
        || !(from.is_multiple_of(to) || to.is_multiple_of(from))
    {
        return Err(unsupported(inst, "bitcast"));
    }
    let words: Vec<Inst> = match from == to {
        true => scalars.to_vec(),
        false => {
            let numbers: Vec<Inst> = scalars.iter().map(|&scalar| as_unsigned(parts, inst, scalar, from)).collect();
            match from < to {
                true => numbers.chunks((to / from) as usize).map(|chunk| join(parts, inst, chunk, from, to)).collect(),
                false => numbers.into_iter().flat_map(|whole| cut(parts, inst, whole, from, to)).collect(),
            }
        }
    };
    let results = words.into_iter().zip(leaves.iter()).map(|(word, leaf)| as_type(parts, inst, word, leaf.ty));
    let results: Vec<Inst> = results.collect();
    parts.finish(inst, results);
    Ok(())
}

/// The bits of a scalar: those of a pointer are those of its address.
fn width(parts: &Parts<'_>, ty: Inst) -> Option<u32> {
    match parts.module.type_view(ty)? {
        TypeView::Int { width, .. } | TypeView::Float { width, .. } => Some(width),
        TypeView::Pointer { .. } => Some(64),
        _ => None,
    }
}

/// The bits of a scalar as an unsigned integer.
fn as_unsigned(parts: &mut Parts<'_>, at: Inst, value: Inst, width: u32) -> Inst {
    let ty = parts.unsigned(width);
    as_type(parts, at, value, ty)
}

/// The bits of a scalar as another type of the same width.
pub(super) fn as_type(parts: &mut Parts<'_>, at: Inst, value: Inst, ty: Inst) -> Inst {
    let from = parts.ty(value);
    let is_pointer = |ty: Inst| parts.module.op(ty) == Op::TypePointer;
    let op = match (is_pointer(from), is_pointer(ty)) {
        _ if from == ty => return value,
        (true, false) => Op::ConvertPtrToU,
        (false, true) => Op::ConvertUToPtr,
        _ => Op::Bitcast,
    };
    parts.help(at, op, Some(ty), &[value])
}

/// One wider integer of several, the first lowest.
fn join(parts: &mut Parts<'_>, at: Inst, numbers: &[Inst], from: u32, to: u32) -> Inst {
    let ty = parts.unsigned(to);
    let mut whole = None;
    for (index, &number) in numbers.iter().enumerate() {
        let mut part = parts.help(at, Op::UConvert, Some(ty), &[number]);
        if index > 0 {
            let amount = parts.integer(ty, index as u64 * u64::from(from));
            part = parts.help(at, Op::ShiftLeftLogical, Some(ty), &[part, amount]);
        }
        whole = Some(match whole {
            Some(whole) => parts.help(at, Op::BitwiseOr, Some(ty), &[whole, part]),
            None => part,
        });
    }
    whole.expect("invariant: a chunk is not empty")
}

/// Several narrower integers of one, the lowest first.
fn cut(parts: &mut Parts<'_>, at: Inst, whole: Inst, from: u32, to: u32) -> Vec<Inst> {
    let (wide, narrow) = (parts.unsigned(from), parts.unsigned(to));
    let part = |index: u32| {
        let amount = parts.integer(wide, u64::from(index * to));
        let shifted = match index {
            0 => whole,
            _ => parts.help(at, Op::ShiftRightLogical, Some(wide), &[whole, amount]),
        };
        parts.help(at, Op::UConvert, Some(narrow), &[shifted])
    };
    (0..from / to).map(part).collect()
}
