//! Operations component by component.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, OpGroup};
use smallvec::SmallVec;

use super::parts::Parts;
use crate::error::unsupported;

/// Returns whether each scalar of the result depends on the same scalar of the operands alone. Scalar operands count for all.
pub(super) fn is_elementwise(op: Op) -> bool {
    op == Op::VectorTimesScalar
        || matches!(
            op.group(),
            OpGroup::NumberConversion
                | OpGroup::PointerConversion
                | OpGroup::IntegerArithmetic
                | OpGroup::FloatArithmetic
                | OpGroup::IntegerDivision
                | OpGroup::FloatTest
                | OpGroup::BooleanLogic
                | OpGroup::Select
                | OpGroup::IntegerComparison
                | OpGroup::FloatComparison
                | OpGroup::Shift
                | OpGroup::Bitwise
                | OpGroup::BitField
                | OpGroup::BitCount
                | OpGroup::Hint
        )
}

/// Splits an operation on components.
pub(super) fn split(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let op = match parts.module.op(inst) {
        Op::VectorTimesScalar => Op::FMul,
        op => op,
    };
    let leaves = parts.leaves(parts.ty(inst), inst)?;
    let rows = rows(parts, inst, operands, leaves.len())?;
    let scalars = leaves.iter().zip(rows).map(|(leaf, row)| parts.emit(inst, op, Some(leaf.ty), &row));
    let scalars: Vec<Inst> = scalars.collect();
    parts.finish(inst, scalars);
    Ok(())
}

/// The operands of each of `count` parts of an operation: of a composite its scalar, and what has no parts as it is.
pub(super) fn rows(
    parts: &mut Parts<'_>,
    inst: Inst,
    operands: &[Inst],
    count: usize,
) -> Result<Vec<SmallVec<[Inst; 4]>>, Diagnostic> {
    let mut rows = vec![SmallVec::with_capacity(operands.len()); count];
    for &operand in operands {
        if !parts.is_composite(operand) {
            rows.iter_mut().for_each(|row| row.push(operand));
            continue;
        }
        let scalars = parts.of(operand, inst)?;
        if scalars.len() != count {
            return Err(unsupported(inst, parts.module.op(inst).name()));
        }
        rows.iter_mut().zip(scalars.iter()).for_each(|(row, &scalar)| row.push(scalar));
    }
    Ok(rows)
}

/// Splits an operation with a result of two words. That of scalars stays, and its words are taken right after it.
pub(super) fn split_wide(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let op = parts.module.op(inst);
    let leaves = parts.leaves(parts.ty(inst), inst)?;
    if !parts.is_composite(operands[0]) {
        let words = parts.extract::<2>(inst, leaves[0].ty);
        parts.set(inst, words);
        return Ok(());
    }
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for (leaf, row) in leaves.iter().zip(rows(parts, inst, operands, leaves.len() / 2)?) {
        let couple = parts.couple_type(leaf.ty);
        let couple = parts.emit(inst, op, Some(couple), &row);
        let words = parts.extract::<2>(couple, leaf.ty);
        low.push(words[0]);
        high.push(words[1]);
    }
    low.extend(high);
    parts.finish(inst, low);
    Ok(())
}
