//! Operations on components, chunk by chunk.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Class, Inst, Op};

use super::super::scalars::vector_type;
use super::chunks::{Chunks, put_together, take_apart, unsupported};

/// Returns whether each component of an operation's result depends only on the same component of its operands.
pub(super) fn is_elementwise(op: Op) -> bool {
    let is_whole = matches!(
        op,
        Op::Any
            | Op::All
            | Op::Dot
            | Op::VectorTimesMatrix
            | Op::MatrixTimesVector
            | Op::MatrixTimesMatrix
            | Op::OuterProduct
    );
    let is_value = matches!(op.class(), Class::Arithmetic | Class::Logical | Class::Bit | Class::Conversion);
    (is_value && !is_whole) || matches!(op, Op::CopyObject | Op::ExtInst)
}

/// Splits a component-wise operation.
pub(super) fn split(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let ty = chunks.module.ty(inst).expect("invariant: an operation on components has a type");
    let op = chunks.module.op(inst);
    let result = match chunks.module.op(ty) {
        Op::TypeStruct => chunks.module.operands(ty).next().ok_or_else(|| unsupported(inst, op.name()))?,
        _ => ty,
    };
    let (component, count) = chunks.module.components(result);
    let is_vector = |chunks: &Chunks<'_>, value: Inst| {
        chunks.module.ty(value).is_some_and(|ty| chunks.module.op(ty) == Op::TypeVector)
    };
    let types = operands.iter().filter(|&&operand| is_vector(chunks, operand)).filter_map(|&one| chunks.module.ty(one));
    let sizes = types.chain([result]).map(|ty| chunks.size(ty));
    let size = sizes.min().expect("invariant: the result has a size");
    let mut cut = Vec::new();
    for &operand in operands {
        let is_vector = is_vector(chunks, operand);
        if is_vector && chunks.module.components(chunks.module.ty(operand).expect("it is a vector")).1 != count {
            return Err(unsupported(inst, op.name()));
        }
        cut.push(if is_vector { Some(chunks.parts_of(operand, size, inst)?) } else { None });
    }
    // A scalar chunk has scalar operands.
    let op = if op == Op::VectorTimesScalar && size == 1 { Op::FMul } else { op };
    let mut pieces = chunks.chunk_types(result, size);
    if result != ty {
        pieces.iter_mut().for_each(|piece| *piece = chunks.struct_type(&[*piece, *piece]));
    }
    let decorations: Vec<Inst> = chunks.module.decorations(inst).to_vec();
    let mut build = chunks.before(inst);
    let mut parts = Vec::new();
    for (index, &piece) in pieces.iter().enumerate() {
        let operands: Vec<Inst> =
            operands.iter().zip(&cut).map(|(&operand, cut)| cut.as_ref().map_or(operand, |cut| cut[index])).collect();
        let part = build.emit(op, Some(piece), &operands);
        decorations.iter().for_each(|&note| build.editor().decorate(part, note));
        parts.push(part);
    }
    if result != ty {
        chunks.set_couple(inst, parts);
        return Ok(());
    }
    if chunks.size(ty) == size {
        chunks.finish_parts(inst, parts);
        return Ok(());
    }
    let mut build = chunks.before(inst);
    let mut singles = Vec::new();
    parts.into_iter().for_each(|part| singles.extend(take_apart(&mut build, part)));
    if chunks.has_cut(inst) {
        chunks.finish(inst, &singles);
        return Ok(());
    }
    let mut build = chunks.before(inst);
    let whole = vector_type(&mut build, component, count);
    let whole = put_together(&mut build, whole, &singles);
    chunks.finish_parts(inst, vec![whole]);
    Ok(())
}

/// `any` and `all` of a split vector: of each chunk, then of the results.
pub(super) fn reduce(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let op = chunks.module.op(inst);
    let parts = chunks.parts(operands[0], inst)?;
    let mut build = chunks.before(inst);
    let bool_type = build.bool_type();
    let together = if op == Op::Any { Op::LogicalOr } else { Op::LogicalAnd };
    let mut whole = None;
    for part in parts {
        let is_scalar = build.module().ty(part) == Some(bool_type);
        let reduced = if is_scalar { part } else { build.emit(op, Some(bool_type), &[part]) };
        whole = Some(match whole {
            None => reduced,
            Some(before) => build.emit(together, Some(bool_type), &[before, reduced]),
        });
    }
    let whole = whole.expect("invariant: a vector has chunks");
    chunks.finish_parts(inst, vec![whole]);
    Ok(())
}
