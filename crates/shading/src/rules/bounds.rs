//! Constant indexes outside of a vector, a matrix or an array.
//!
//! ```text
//! if (never) { v[7] = 1.0; }      ⇒      if (never) { v[3] = 1.0; }
//! ```
//!
//! A module may have such an access in code that is not executed: if it is, its behaviour is undefined (SPIR-V, section 3.3.8,
//! `OpAccessChain`). Compilers of text refuse it wherever it stands, so it becomes one to the last element.

use super::Context;
use crate::syntax::{Effects, Expr, Length, Literal, Shape, TypeShape};

/// Applies the rule to an expression.
pub(super) fn keep(expr: &mut Expr, context: &mut Context<'_>) {
    context.rewrite_parts(*expr, keep);
    let Shape::Index { base, index } = *context.shape(*expr) else { return };
    let count = match context.type_shape(base) {
        TypeShape::Array { length: Length::Constant(count), .. } => count,
        TypeShape::Vector { size, .. } | TypeShape::Packed { size, .. } => u32::from(size),
        TypeShape::Matrix { columns, .. } => u32::from(columns),
        TypeShape::StoredMatrix(matrix) => u32::from(matrix.vectors()),
        _ => return,
    };
    let Some(greatest) = count.checked_sub(1) else { return };
    let last = match context.expressions.literal(index) {
        Some(Literal::Int(value)) if !(0..i64::from(count)).contains(&value) => Literal::Int(i64::from(greatest)),
        Some(Literal::Uint(value)) if value >= u64::from(count) => Literal::Uint(u64::from(greatest)),
        _ => return,
    };
    context.expressions.replace(index, Shape::Literal(last), Effects::PURE);
    context.expressions.refresh(*expr);
}
