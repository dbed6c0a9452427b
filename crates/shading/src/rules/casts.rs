//! Integers that are converted twice.
//!
//! ```text
//! uint(int(u))         ⇒  u
//! int(uint(int(x)))    ⇒  int(x)
//! ```
//!
//! Both conversions keep the bits, so only numbers of the same width are concerned.

use super::Context;
use crate::syntax::{Block, Expr, Scalar, Shape};

/// Applies the rule to all expressions.
pub(super) fn simplify(list: &mut Block, context: &mut Context<'_>) {
    for statement in list {
        for expr in statement.expressions_mut() {
            in_expression(expr, context);
        }
        for inner in statement.blocks_mut() {
            simplify(inner, context);
        }
    }
}

fn in_expression(expr: &mut Expr, context: &mut Context<'_>) {
    context.rewrite_parts(*expr, in_expression);
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
