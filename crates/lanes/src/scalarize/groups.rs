//! Operations of a group of lanes, component by component.

use reconverge_ir::{Inst, Op, view};

use super::elementwise::rows;
use super::parts::Parts;
use crate::LanesError;

/// Whether the result is about more than the components of the value: a ballot is a vector of bits of lanes.
fn is_about_lanes(op: Op) -> bool {
    matches!(
        op,
        Op::GroupNonUniformBallot
            | Op::GroupNonUniformInverseBallot
            | Op::GroupNonUniformBallotBitExtract
            | Op::GroupNonUniformBallotBitCount
            | Op::GroupNonUniformBallotFindLSB
            | Op::GroupNonUniformBallotFindMSB
            | Op::SubgroupBallotKHR
    )
}

/// Splits an operation of a group.
pub(super) fn split(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), LanesError> {
    let op = parts.module.op(inst);
    let refused = || LanesError::unsupported(inst, op.name());
    let value = view::Group::of(parts.module, inst).and_then(|group| group.value).ok_or_else(refused)?;
    if is_about_lanes(op) || !parts.is_composite(value) {
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
