//! `x = x + y` ⇒ `x += y`, and `x += 1` ⇒ `x++` for integers.
//!
//! The target is computed once instead of twice, so it has no effect.

use super::Context;
use crate::syntax::{Binary, Block, Effects, Expr, Literal, Scalar, Shape, StatementKind, Type, TypeShape};

/// Applies the rule to all statements.
pub(super) fn shorten(list: &mut Block, context: &mut Context<'_>) {
    for statement in list {
        if let StatementKind::Assign { target, operator: None, value } = statement.kind
            && let Some((operator, value)) = compound(target, value, context)
        {
            statement.kind = StatementKind::Assign { target, operator: Some(operator), value };
        }
        if let StatementKind::Assign { target, operator: Some(operator), value } = statement.kind
            && let Some(operator) = step(target, operator, value, context)
        {
            statement.kind = StatementKind::Step { target, operator };
        }
        for inner in statement.blocks_mut() {
            shorten(inner, context);
        }
    }
}

/// The operator and the second operand of a compound assignment.
pub(super) fn compound(target: Expr, value: Expr, context: &Context<'_>) -> Option<(Binary, Expr)> {
    let Shape::Binary { operator, left, right } = *context.shape(value) else { return None };
    let has_effect = [target, value].iter().any(|&expr| context.expressions[expr].effects.has(Effects::WRITES));
    let is_matrix = matches!(context.type_shape(target), TypeShape::Matrix { .. });
    let is_allowed = operator.is_compound() && (!is_matrix || context.dialect.assigns_matrices);
    if !is_allowed || has_effect || context.ty(value) != context.ty(target) {
        return None;
    }
    let is_target = |operand: Expr| context.expressions.are_alike(operand, target);
    // A product of a vector and a matrix is a vector.
    let is_matrix = matches!(context.type_shape(right), TypeShape::Matrix { .. });
    if is_target(left) && (!is_matrix || context.dialect.assigns_matrices) {
        return Some((operator, right));
    }
    let is_numbers = |operand: Expr| context.types.is_numbers(context.ty(operand));
    let commutes = matches!(operator, Binary::Add | Binary::Multiply | Binary::BitAnd | Binary::BitXor | Binary::BitOr);
    (commutes && is_target(right) && is_numbers(left) && is_numbers(right)).then_some((operator, left))
}

/// The operator of a step of one.
fn step(target: Expr, operator: Binary, value: Expr, context: &Context<'_>) -> Option<Binary> {
    let scalar = integer(context.ty(target), context)?;
    let backward = match operator {
        Binary::Add => Binary::Subtract,
        Binary::Subtract => Binary::Add,
        _ => return None,
    };
    let all_ones = u64::MAX >> (64 - u32::from(scalar.width.clamp(1, 64)));
    match context.expressions.literal(value)? {
        Literal::Int(1) | Literal::Uint(1) => Some(operator),
        Literal::Int(-1) => Some(backward),
        Literal::Uint(number) if number == all_ones => Some(backward),
        _ => None,
    }
}

fn integer(ty: Type, context: &Context<'_>) -> Option<Scalar> {
    match context.types[ty] {
        TypeShape::Scalar(scalar) if scalar.is_integer() => Some(scalar),
        _ => None,
    }
}
