//! Comparisons and conditions without a `!`.
//!
//! ```text
//! !(i >= n)  ⇒  i < n     for integers: no comparison with NaN holds, so for floating-point numbers the two differ
//! !(a == b)  ⇒  a != b
//! !(!a)      ⇒  a
//! ```

use super::Context;
use crate::syntax::{Binary, Effects, Expr, Level, Literal, Shape, Unary};

/// Applies the rule to an expression.
pub(super) fn simplify(expr: &mut Expr, context: &mut Context<'_>) {
    context.rewrite_parts(*expr, simplify);
    if let Shape::Unary { operator: Unary::Not, operand } = *context.shape(*expr)
        && let Some(shorter) = opposite(operand, context)
    {
        *expr = shorter;
    }
}

/// The opposite of a condition, as an expression without another `!`.
fn opposite(condition: Expr, context: &mut Context<'_>) -> Option<Expr> {
    match *context.shape(condition) {
        Shape::Literal(Literal::Bool(value)) => Some(context.boolean(!value)),
        Shape::Unary { operator: Unary::Not, operand } => Some(operand),
        Shape::Binary { operator, left, right } => {
            let operand = context.types.scalar(context.ty(left))?;
            if operator.level() != Level::Equality && !operand.is_integer() {
                return None;
            }
            let ty = context.ty(condition);
            let shape = Shape::Binary { operator: operator.opposite()?, left, right };
            Some(context.expressions.add(shape, ty, Effects::PURE))
        }
        _ => None,
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
