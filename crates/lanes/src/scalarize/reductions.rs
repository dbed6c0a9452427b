//! `dot`, `any` and `all`: operations whose result depends on all components, combined from the first one on.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::elementwise::rows;
use super::parts::Parts;

/// Splits an operation that combines components.
pub(super) fn split(parts: &mut Parts<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let ty = parts.ty(inst);
    let count = parts.of(operands[0], inst)?.len();
    let rows = rows(parts, inst, operands, count)?;
    let (terms, combine): (Vec<Inst>, Op) = match parts.module.op(inst) {
        Op::Dot => (rows.iter().map(|row| parts.emit(inst, Op::FMul, Some(ty), row)).collect(), Op::FAdd),
        Op::Any => (rows.iter().map(|row| row[0]).collect(), Op::LogicalOr),
        _ => (rows.iter().map(|row| row[0]).collect(), Op::LogicalAnd),
    };
    let whole = terms.into_iter().reduce(|sum, term| parts.emit(inst, combine, Some(ty), &[sum, term]));
    parts.finish(inst, [whole.expect("invariant: a vector has components")]);
    Ok(())
}
