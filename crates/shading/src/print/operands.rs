//! Where an operand has parentheses.
//!
//! An operand has parentheses if its operator binds less tightly than its place asks for. The places ask for more than the grammar of C does, so
//! that all four languages read the text alike, and that no reader has to know the levels by heart: WGSL refuses shifts of sums, `&`, `^` and
//! `|` with other operators, and `&&` in `||`.
//!
//! | operator | left | right |
//! |---|---|---|
//! | `*`, `/`, `%` | a product | a prefix |
//! | `+`, `-` | a sum | a product |
//! | `<<`, `>>` | a prefix | a prefix |
//! | comparisons | a sum | a sum |
//! | `&`, `^`, <code>\|</code> | the same operator, or a prefix | a prefix |
//! | `&&`, <code>\|\|</code> | the same operator, or a comparison | a comparison |
//!
//! A minus sign never comes behind another one, so no tokens join.

use super::Printer;
use super::expressions::Written;
use crate::syntax::{Binary, Level, Unary};

/// The side of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

impl Printer<'_> {
    /// An operand of an operator between two.
    pub(super) fn side(operand: Written, operator: Binary, side: Side) -> String {
        let follows_minus = operator == Binary::Subtract && side == Side::Right && operand.text.starts_with('-');
        let is_chain = side == Side::Left && operand.operator == Some(operator) && is_chained(operator);
        let fits = is_chain || operand.level >= least(operator, side);
        if fits && !follows_minus { operand.text } else { parenthesized(&operand.text) }
    }

    /// The operand of an operator before it.
    pub(super) fn prefixed(operand: Written, operator: Unary) -> Written {
        let joins = operator == Unary::Negate && operand.text.starts_with('-');
        let text = if joins { parenthesized(&operand.text) } else { operand.at_least(Level::Prefix) };
        Written::new(format!("{}{text}", operator.symbol()), Level::Prefix)
    }
}

/// How tightly an operand has to bind.
fn least(operator: Binary, side: Side) -> Level {
    match (operator.level(), side) {
        (Level::Product, Side::Left) | (Level::Sum, Side::Right) => Level::Product,
        (Level::Sum, Side::Left) | (Level::Relation | Level::Equality, _) => Level::Sum,
        (Level::And | Level::Or, _) => Level::Equality,
        _ => Level::Prefix,
    }
}

/// Returns whether operands on the left may have the same operator.
fn is_chained(operator: Binary) -> bool {
    matches!(operator.level(), Level::BitAnd | Level::BitXor | Level::BitOr | Level::And | Level::Or)
}

pub(super) fn parenthesized(text: &str) -> String {
    format!("({text})")
}
