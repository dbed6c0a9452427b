//! Conditions without a `!`, and without `?:`.
//!
//! ```text
//! !(i >= n)         ⇒  i < n        for integers: no comparison with NaN holds, so for floating-point numbers the two differ
//! !(a == b)         ⇒  a != b
//! !(!a)             ⇒  a
//! !(a || i >= n)    ⇒  !a && i < n  (De Morgan) where the text becomes no longer
//! a ? true : b      ⇒  a || b       for an operand that does not depend on the lanes
//! a ? b : false     ⇒  a && b
//! ```
//!
//! In the last two `b` is no variable alone, as in `short_circuits.rs`.

use super::Context;
use crate::syntax::{Binary, Effects, Expr, Level, Literal, Scalar, Shape, TypeShape, Unary};

/// The length of `!` and of parentheses.
const NOT: i32 = 1;
const PARENTHESES: i32 = 2;

/// Applies the rule to an expression.
pub(super) fn simplify(expr: &mut Expr, context: &mut Context<'_>) {
    context.rewrite_parts(*expr, simplify);
    let shorter = match *context.shape(*expr) {
        Shape::Unary { operator: Unary::Not, operand } => opposite(operand, context),
        Shape::Choice { condition, accept, reject } => joined(condition, accept, reject, context),
        _ => None,
    };
    *expr = shorter.unwrap_or(*expr);
}

/// A choice of which one side is `true` or `false`.
fn joined(condition: Expr, accept: Expr, reject: Expr, context: &mut Context<'_>) -> Option<Expr> {
    let constant = |side: Expr| match context.expressions.literal(side) {
        Some(Literal::Bool(value)) => Some(value),
        _ => None,
    };
    let (is_negated, operator, other) = match (constant(accept), constant(reject)) {
        (Some(true), None) => (false, Binary::Or, reject),
        (Some(false), None) => (true, Binary::And, reject),
        (None, Some(true)) => (true, Binary::Or, accept),
        (None, Some(false)) => (false, Binary::And, accept),
        _ => return None,
    };
    let effects = context.expressions[other].effects;
    let is_scalar = [condition, other].iter().all(|&operand| is_condition(operand, context));
    let has_effects = effects.has(Effects::WRITES) || effects.has(Effects::CONVERGENT);
    if !is_scalar || has_effects || context.is_variable(other) {
        return None;
    }
    let condition = if is_negated { context.negated(condition) } else { condition };
    Some(context.joined(condition, operator, other))
}

fn is_condition(expr: Expr, context: &Context<'_>) -> bool {
    matches!(context.type_shape(expr), TypeShape::Scalar(scalar) if scalar == Scalar::BOOL)
}

/// The opposite of a condition, as an expression without another `!` around it.
fn opposite(condition: Expr, context: &mut Context<'_>) -> Option<Expr> {
    match *context.shape(condition) {
        Shape::Literal(Literal::Bool(value)) => Some(context.boolean(!value)),
        Shape::Unary { operator: Unary::Not, operand } => Some(operand),
        Shape::Binary { operator: operator @ (Binary::And | Binary::Or), left, right } => {
            if !is_condition(condition, context) || longer(condition, context) >= NOT + PARENTHESES {
                return None;
            }
            let operator = if operator == Binary::And { Binary::Or } else { Binary::And };
            let (left, right) = (context.negated(left), context.negated(right));
            Some(context.joined(left, operator, right))
        }
        Shape::Binary { operator, left, right } => {
            let ty = context.ty(condition);
            let shape = Shape::Binary { operator: opposite_comparison(operator, left, context)?, left, right };
            Some(context.expressions.add(shape, ty, Effects::PURE))
        }
        _ => None,
    }
}

/// The comparison that holds where another one does not, also for NaN.
fn opposite_comparison(operator: Binary, left: Expr, context: &Context<'_>) -> Option<Binary> {
    let operand = context.types.scalar(context.ty(left))?;
    let is_exact = operator.level() == Level::Equality || operand.is_integer();
    operator.opposite().filter(|_| is_exact)
}

/// By how many characters the opposite of a condition is longer.
fn longer(condition: Expr, context: &Context<'_>) -> i32 {
    match *context.shape(condition) {
        Shape::Literal(_) => 0,
        Shape::Unary { operator: Unary::Not, operand } => match context.shape(operand) {
            Shape::Binary { .. } | Shape::Choice { .. } => -NOT - PARENTHESES,
            _ => -NOT,
        },
        Shape::Binary { operator: operator @ (Binary::And | Binary::Or), left, right } => {
            // `&&` inside `||` becomes `||` inside `&&`, which needs parentheses, too.
            let inner = |side: Expr| match *context.shape(side) {
                Shape::Binary { operator: of_side @ (Binary::And | Binary::Or), .. } if of_side != operator => {
                    longer(side, context).min(NOT)
                }
                _ => longer(side, context),
            };
            (inner(left) + inner(right)).min(NOT + PARENTHESES)
        }
        Shape::Binary { operator, left, .. } if opposite_comparison(operator, left, context).is_some() => 0,
        Shape::Binary { .. } | Shape::Choice { .. } => NOT + PARENTHESES,
        _ => NOT,
    }
}

impl Context<'_> {
    /// The opposite of a condition. The parts of the condition become its own.
    pub(super) fn negated(&mut self, condition: Expr) -> Expr {
        if let Some(shorter) = opposite(condition, self) {
            return shorter;
        }
        let ty = self.ty(condition);
        self.expressions.add(Shape::Unary { operator: Unary::Not, operand: condition }, ty, Effects::PURE)
    }

    /// The two operands joined by `&&` or `||`.
    pub(super) fn joined(&mut self, left: Expr, operator: Binary, right: Expr) -> Expr {
        let ty = self.ty(left);
        self.expressions.add(Shape::Binary { operator, left, right }, ty, Effects::PURE)
    }

    /// Rewrites the parts of an expression, and what it knows of them.
    pub(super) fn rewrite_parts(&mut self, expr: Expr, rewrite: fn(&mut Expr, &mut Context<'_>)) {
        let parts = self.shape(expr).parts();
        if parts.is_empty() {
            return;
        }
        for (index, part) in parts.into_iter().enumerate() {
            let mut rewritten = part;
            rewrite(&mut rewritten, self);
            *self.expressions[expr].shape.parts_mut()[index] = rewritten;
        }
        self.expressions.refresh(expr);
    }
}
