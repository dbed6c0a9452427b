//! Operations of a group of lanes, component by component.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::ballots::{self, is_of_ballots};
use super::elementwise::rows;
use super::parts::Parts;
use crate::error::unsupported;

/// Splits an operation of a group.
pub(super) fn split(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let op = parts.module.op(inst);
    if is_of_ballots(op) {
        return ballots::split(parts, inst);
    }
    let refused = || unsupported(inst, op.name());
    let value = view::Group::of(parts.module, inst).and_then(|group| group.value).ok_or_else(refused)?;
    if !parts.is_composite(value) {
        return Err(refused());
    }
    let count = parts.of(value, inst)?.len();
    let rows = rows(parts, inst, operands, count)?;
    let ty = parts.ty(inst);
    let types: Vec<Inst> = match parts.is_composite(inst) {
        true => parts.leaves(ty, inst)?.iter().map(|leaf| leaf.ty).collect(),
        false => vec![ty; count],
    };
    let scalars = types.iter().zip(rows).map(|(&ty, row)| parts.emit(inst, op, Some(ty), &row));
    let scalars: Vec<Inst> = scalars.collect();
    if parts.is_composite(inst) {
        parts.finish(inst, scalars);
        return Ok(());
    }
    // Whether vectors are equal in all lanes.
    let whole = scalars.into_iter().reduce(|all, one| parts.help(inst, Op::LogicalAnd, Some(ty), &[all, one]));
    parts.finish(inst, [whole.ok_or_else(refused)?]);
    Ok(())
}
