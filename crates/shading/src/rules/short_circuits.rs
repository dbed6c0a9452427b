//! `&&` and `||` in place of selections that compute the second operand.
//!
//! ```text
//! p = a;                          p = a;
//! if (a) {                        if (!a) {
//!     p = b;      ⇒  p = a && b;      p = b;      ⇒  p = a || b;
//! }                               }
//!
//! if (a) {                        if (a) {
//!     p = b;                          p = true;
//! } else {        ⇒  p = a && b;  } else {        ⇒  p = a || b;
//!     p = false;                      p = b;
//! }                               }
//! ```
//!
//! The second operand has no effect and does not depend on the lanes: some compilers compute both operands. Where the language says that both
//! are computed, it is also defined if the first one does not allow it: it reads no memory and no element, does not divide integers, and calls
//! no function of the text. It is no variable alone: that may have no value where the first operand decides, and glslang loads it in any case.
//! In the first two, the second operand does not name `p`, and `a` does not if the condition repeats it.

use std::mem::take;

use super::Context;
use super::effects::assignment;
use crate::syntax::{
    Binary, Block, Callee, DEEPEST_EXPRESSION, Effects, Expr, Literal, LocalId, Scalar, Shape, Statement,
    StatementKind, TypeShape, Unary,
};

/// The maximum length of a joined condition, in characters: two lines of it are easier to read than the six of the selection.
const LONGEST_CONDITION: usize = 140;

/// Applies the rule to all lists, inner lists first.
pub(super) fn join(list: &mut Block, context: &mut Context<'_>) {
    for mut statement in take(list) {
        for inner in statement.blocks_mut() {
            join(inner, context);
        }
        if let Some(chosen) = chosen(&statement, context) {
            statement.kind = chosen;
        } else if let Some(before) = list.last_mut()
            && let Some(joined) = joined(before, &statement, context)
        {
            match &mut before.kind {
                StatementKind::Declare { value, .. } => *value = Some(joined),
                StatementKind::Assign { value, .. } => *value = joined,
                _ => {}
            }
            continue;
        }
        list.push(statement);
    }
}

/// A selection with one arm that assigns a constant, as an assignment.
fn chosen(selection: &Statement, context: &mut Context<'_>) -> Option<StatementKind> {
    let StatementKind::If { condition, accept, reject } = &selection.kind else { return None };
    let ([accept], [reject]) = (&accept[..], &reject[..]) else { return None };
    let ((local, one), (of_other, other)) = (assignment(accept, context)?, assignment(reject, context)?);
    if local != of_other {
        return None;
    }
    let literals = [one, other].map(|value| context.expressions.literal(value));
    let (is_negated, operator, second) = match literals {
        [_, Some(Literal::Bool(false))] => (false, Binary::And, one),
        [Some(Literal::Bool(true)), _] => (false, Binary::Or, other),
        [_, Some(Literal::Bool(true))] => (true, Binary::Or, one),
        [Some(Literal::Bool(false)), _] => (true, Binary::And, other),
        _ => return None,
    };
    if !can_join(*condition, second, context) {
        return None;
    }
    let first = if is_negated { context.negated(*condition) } else { *condition };
    let StatementKind::Assign { target, .. } = accept.kind else { return None };
    Some(StatementKind::Assign { target, operator: None, value: context.joined(first, operator, second) })
}

/// The value of a statement and the selection behind it, as one.
fn joined(before: &Statement, selection: &Statement, context: &mut Context<'_>) -> Option<Expr> {
    let StatementKind::If { condition, accept, reject } = &selection.kind else { return None };
    let ([assigned], []) = (&accept[..], &reject[..]) else { return None };
    let (local, second) = assignment(assigned, context)?;
    let (of_before, first) = match before.kind {
        StatementKind::Declare { local, value: Some(value) } => (local, value),
        _ => assignment(before, context)?,
    };
    if local != of_before || context.mentions(second, local) || !can_join(first, second, context) {
        return None;
    }
    let is_bool = context.types[context.local(local).ty] == TypeShape::Scalar(Scalar::BOOL);
    let operator = if is_value(*condition, first, local, context) {
        Binary::And
    } else {
        match context.shape(*condition).clone() {
            Shape::Unary { operator: Unary::Not, operand } if is_value(operand, first, local, context) => Binary::Or,
            _ if is_opposite(*condition, first, local, context) => Binary::Or,
            _ => return None,
        }
    };
    is_bool.then(|| context.joined(first, operator, second))
}

/// Returns whether a condition is the value that a variable was just assigned.
fn is_value(condition: Expr, value: Expr, local: LocalId, context: &Context<'_>) -> bool {
    *context.shape(condition) == Shape::Local(local)
        || context.expressions.are_alike(condition, value) && !context.mentions(value, local)
}

/// Returns whether a condition is the opposite of that value.
fn is_opposite(condition: Expr, value: Expr, local: LocalId, context: &mut Context<'_>) -> bool {
    let opposite = context.negated(value);
    context.expressions.are_alike(condition, opposite) && !context.mentions(value, local)
}

fn can_join(first: Expr, second: Expr, context: &Context<'_>) -> bool {
    let has = |expr: Expr, effects| context.expressions[expr].effects.has(effects);
    let depth = context.expressions[first].depth.max(context.expressions[second].depth);
    !has(first, Effects::WRITES)
        && !has(second, Effects::WRITES)
        && !has(second, Effects::CONVERGENT)
        && !has(first, Effects::PINNED)
        && !has(second, Effects::PINNED)
        && !context.is_variable(second)
        && (!context.dialect.computes_both || is_always_defined(second, context))
        && depth + 2 <= DEEPEST_EXPRESSION
        && context.length(first) + context.length(second) <= LONGEST_CONDITION
}

/// Returns whether an expression can be computed where its value is not used.
fn is_always_defined(expr: Expr, context: &Context<'_>) -> bool {
    let mut is_defined = !context.effects(expr).has(Effects::READS);
    context.expressions.walk(expr, &mut |part| {
        is_defined &= match *context.shape(part) {
            Shape::Index { .. } | Shape::Call { callee: Callee::Function(_), .. } => false,
            Shape::Binary { operator: Binary::Divide | Binary::Remainder, .. } => {
                context.types.scalar(context.ty(part)).is_some_and(Scalar::is_float)
            }
            _ => true,
        };
    });
    is_defined
}
