//! The vocabulary of the rule tables.

use reconverge_ir::Op;

use super::rule::{Known, Term};

pub(super) const X: Term = Term::Value(0);
pub(super) const Y: Term = Term::Value(1);
pub(super) const Z: Term = Term::Value(2);
pub(super) const W: Term = Term::Value(3);
pub(super) const A: Term = Term::Constant(0);
pub(super) const B: Term = Term::Constant(1);
pub(super) const ZERO: Term = Term::Is(Known::Zero);
pub(super) const ONE: Term = Term::Is(Known::One);
pub(super) const ONES: Term = Term::Is(Known::Ones);
pub(super) const TRUE: Term = Term::Is(Known::True);
pub(super) const FALSE: Term = Term::Is(Known::False);
pub(super) const FLOAT_ZERO: Term = Term::Is(Known::FloatZero);
pub(super) const NEGATIVE_ZERO: Term = Term::Is(Known::NegativeZero);
pub(super) const FLOAT_ONE: Term = Term::Is(Known::FloatOne);
pub(super) const MINUS_ONE: Term = Term::Is(Known::MinusOne);

/// An operation.
pub(super) const fn op(op: Op, operands: &'static [Term]) -> Term {
    Term::Op(op, operands)
}

/// The constant that an operation gives.
pub(super) const fn fold(op: Op, operands: &'static [Term]) -> Term {
    Term::Fold(op, operands)
}
