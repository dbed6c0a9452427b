//! `?:` in place of a selection that assigns one of two values.
//!
//! ```text
//! if (c) {
//!     x = a;
//! } else {        ⇒  x = c ? a : b;
//!     x = b;
//! }
//! ```
//!
//! Some compilers compute both values, so both are cheap, have no effect, read no memory and do not depend on the lanes.

use super::effects::assignment;
use super::{Context, LONGEST};
use crate::syntax::{Block, DEEPEST_EXPRESSION, Effects, Expr, Shape, Statement, StatementKind, TypeShape};

/// The maximum number of operators inside one another in a value.
const MOST_OPERATORS: u16 = 2;

/// Applies the rule to all lists, inner lists first.
pub(super) fn choose(list: &mut Block, context: &mut Context<'_>) {
    for statement in list {
        for inner in statement.blocks_mut() {
            choose(inner, context);
        }
        if let Some(chosen) = chosen(statement, context) {
            statement.kind = chosen;
        }
    }
}

fn chosen(selection: &Statement, context: &mut Context<'_>) -> Option<StatementKind> {
    let StatementKind::If { condition, accept, reject } = &selection.kind else { return None };
    let ([accept], [reject]) = (&accept[..], &reject[..]) else { return None };
    let ((local, one), (of_other, other)) = (assignment(accept, context)?, assignment(reject, context)?);
    let is_short = context.length(*condition) + context.length(one) + context.length(other) <= LONGEST;
    if local != of_other || !is_cheap(one, context) || !is_cheap(other, context) || !is_short {
        return None;
    }
    let condition = *condition;
    if context.expressions[condition].depth + 1 >= DEEPEST_EXPRESSION || has_choice(condition, context) {
        return None;
    }
    let StatementKind::Assign { target, .. } = accept.kind else { return None };
    let ty = context.ty(one);
    let shape = Shape::Choice { condition, accept: one, reject: other };
    let value = context.expressions.add(shape, ty, Effects::PURE);
    Some(StatementKind::Assign { target, operator: None, value })
}

fn is_cheap(value: Expr, context: &Context<'_>) -> bool {
    let expression = &context.expressions[value];
    let is_number = matches!(context.type_shape(value), TypeShape::Scalar(_) | TypeShape::Vector { .. });
    is_number
        && expression.effects == Effects::PURE
        && expression.depth <= MOST_OPERATORS
        && !has_choice(value, context)
        && !has_access(value, context)
}

fn has_choice(value: Expr, context: &Context<'_>) -> bool {
    contains(value, context, &|shape| matches!(shape, Shape::Choice { .. }))
}

/// Returns whether a value has a part that is not there for every operand: an element, or what a function computes.
fn has_access(value: Expr, context: &Context<'_>) -> bool {
    contains(value, context, &|shape| matches!(shape, Shape::Index { .. } | Shape::Call { .. } | Shape::Method { .. }))
}

fn contains(value: Expr, context: &Context<'_>, is_wanted: &dyn Fn(&Shape) -> bool) -> bool {
    let mut found = false;
    context.expressions.walk(value, &mut |part| found |= is_wanted(&context.expressions[part].shape));
    found
}
