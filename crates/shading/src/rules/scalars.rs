//! A number in place of a vector of equal components, where the operator takes both.
//!
//! ```text
//! v * vec3(2.0) - vec3(x)    ⇒  v * 2.0 - x
//! ```
//!
//! The operators of arithmetic take a vector and a number in every language; those of bits do not in WGSL.

use super::Context;
use crate::syntax::{Binary, Expr, Shape, TypeShape};

/// Applies the rule to an expression.
pub(super) fn shorten(expr: &mut Expr, context: &mut Context<'_>) {
    context.rewrite_parts(*expr, shorten);
    let Shape::Binary { operator, left, right } = *context.shape(*expr) else { return };
    if !matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide) {
        return;
    }
    let own = context.expressions[*expr].effects;
    match (repeated(left, context), repeated(right, context)) {
        (Some(number), None) if is_vector(right, context) => {
            context.expressions.replace(*expr, Shape::Binary { operator, left: number, right }, own);
        }
        (None, Some(number)) if is_vector(left, context) => {
            context.expressions.replace(*expr, Shape::Binary { operator, left, right: number }, own);
        }
        _ => {}
    }
}

fn is_vector(expr: Expr, context: &Context<'_>) -> bool {
    matches!(context.type_shape(expr), TypeShape::Vector { .. })
}

/// The number that all components of a vector are.
fn repeated(expr: Expr, context: &Context<'_>) -> Option<Expr> {
    let Shape::Construct(arguments) = context.shape(expr) else { return None };
    let &[number] = &arguments[..] else { return None };
    match (context.type_shape(expr), context.type_shape(number)) {
        (TypeShape::Vector { scalar, .. }, TypeShape::Scalar(of_number)) if scalar == of_number => Some(number),
        _ => None,
    }
}
