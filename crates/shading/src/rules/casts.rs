//! Integers that are converted twice.
//!
//! ```text
//! uint(int(u))         ⇒  u
//! int(uint(int(x)))    ⇒  int(x)
//! ```
//!
//! Both conversions keep the bits, so only numbers of the same width are concerned.

use super::Context;
use crate::syntax::{Expr, Scalar, Shape};

/// Applies the rule to an expression.
pub(super) fn simplify(expr: &mut Expr, context: &mut Context<'_>) {
    context.rewrite_parts(*expr, simplify);
    while let Some(operand) = conversion(*expr, context)
        && let Some(first) = conversion(operand, context)
    {
        if context.ty(first) == context.ty(*expr) {
            *expr = first;
            continue;
        }
        let ty = context.ty(*expr);
        let shape = Shape::Construct(std::iter::once(first).collect());
        *expr = context.expressions.add(shape, ty, crate::syntax::Effects::PURE);
    }
}

/// The operand of a conversion of integers to integers of the same width.
fn conversion(expr: Expr, context: &Context<'_>) -> Option<Expr> {
    let Shape::Construct(parts) = context.shape(expr) else { return None };
    let &[operand] = &parts[..] else { return None };
    let of = |expr: Expr| {
        let ty = context.ty(expr);
        let scalar = context.types.scalar(ty).filter(|scalar: &Scalar| scalar.is_integer())?;
        context.types.is_numbers(ty).then_some((scalar.width, context.types.size(ty)))
    };
    (of(expr)? == of(operand)?).then_some(operand)
}
