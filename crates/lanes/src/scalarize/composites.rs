//! Composites: extracted, constructed, and changed in a part.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::parts::Parts;
use crate::error::unsupported;

/// Splits an instruction that moves parts.
pub(super) fn split(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let scalars = match parts.module.op(inst) {
        Op::CompositeConstruct => {
            let mut scalars = Vec::new();
            for &operand in operands {
                scalars.extend(parts.of(operand, inst)?.iter());
            }
            scalars
        }
        Op::CompositeExtract => {
            let path = path(parts, &operands[1..]);
            let span = parts.span(parts.ty(operands[0]), &path, inst)?;
            parts.of(operands[0], inst)?[span.start..][..span.count].to_vec()
        }
        Op::CompositeInsert => {
            let path = path(parts, &operands[2..]);
            let span = parts.span(parts.ty(operands[1]), &path, inst)?;
            let object = parts.of(operands[0], inst)?;
            let mut scalars = parts.of(operands[1], inst)?.to_vec();
            scalars.splice(span.start..span.start + span.count, object.iter().copied());
            scalars
        }
        Op::CopyObject | Op::CopyLogical => parts.of(operands[0], inst)?.to_vec(),
        Op::VectorShuffle => shuffle(parts, inst, operands)?,
        Op::VectorExtractDynamic => vec![extract_dynamic(parts, inst, operands)?],
        Op::VectorInsertDynamic => insert_dynamic(parts, inst, operands)?,
        op => return Err(unsupported(inst, op.name())),
    };
    parts.finish(inst, scalars);
    Ok(())
}

fn path(parts: &Parts<'_>, literals: &[Inst]) -> Vec<u32> {
    literals.iter().map(|&literal| parts.module.literal_word(literal).unwrap_or(u32::MAX)).collect()
}

/// A literal of all ones represents no component.
fn shuffle(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<Vec<Inst>, Diagnostic> {
    let mut pool = parts.of(operands[0], inst)?.to_vec();
    pool.extend(parts.of(operands[1], inst)?.iter());
    let undefined = parts.undefined(parts.ty(inst), inst)?;
    let picks = path(parts, &operands[2..]).into_iter().zip(undefined);
    Ok(picks.map(|(pick, undefined)| pool.get(pick as usize).copied().unwrap_or(undefined)).collect())
}

/// The component of a number: by selects, if the number is not a constant. Of a number that no component has, the result is not defined.
fn extract_dynamic(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<Inst, Diagnostic> {
    let scalars = parts.of(operands[0], inst)?;
    if let Some(number) = number(parts, operands[1]) {
        return Ok(scalars.get(number).copied().unwrap_or(scalars[0]));
    }
    let mut chosen = scalars[0];
    for (number, &scalar) in scalars.iter().enumerate().skip(1) {
        let is_it = is_number(parts, inst, operands[1], number);
        chosen = parts.help(inst, Op::Select, Some(parts.ty(scalar)), &[is_it, scalar, chosen]);
    }
    Ok(chosen)
}

fn insert_dynamic(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<Vec<Inst>, Diagnostic> {
    let (component, index) = (operands[1], operands[2]);
    let mut scalars = parts.of(operands[0], inst)?.to_vec();
    if let Some(number) = number(parts, index) {
        if let Some(scalar) = scalars.get_mut(number) {
            *scalar = component;
        }
        return Ok(scalars);
    }
    for (number, scalar) in scalars.iter_mut().enumerate() {
        let is_it = is_number(parts, inst, index, number);
        *scalar = parts.help(inst, Op::Select, Some(parts.ty(component)), &[is_it, component, *scalar]);
    }
    Ok(scalars)
}

/// The number that a constant index is.
fn number(parts: &Parts<'_>, index: Inst) -> Option<usize> {
    match parts.module.op(index) {
        Op::ConstantNull => Some(0),
        _ => parts.module.constant_bits(index).map(|bits| usize::try_from(bits).unwrap_or(usize::MAX)),
    }
}

fn is_number(parts: &mut Parts<'_>, at: Inst, index: Inst, number: usize) -> Inst {
    let number = parts.integer(parts.ty(index), number as u64);
    let ty = parts.bool_type();
    parts.help(at, Op::IEqual, Some(ty), &[index, number])
}
