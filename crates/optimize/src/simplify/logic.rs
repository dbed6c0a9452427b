//! Rules of boolean logic and of selects. No rule makes the result depend on a value that was not selected.

use reconverge_ir::Op;

use super::rule::{Rule, rule};
use super::words::{FALSE, TRUE, W, X, Y, Z, op};

pub(super) const RULES: &[Rule] = &[
    // Boolean logic.
    rule("logical_and_true", op(Op::LogicalAnd, &[X, TRUE]), X),
    rule("logical_and_false", op(Op::LogicalAnd, &[X, FALSE]), FALSE),
    rule("logical_and_self", op(Op::LogicalAnd, &[X, X]), X),
    rule("logical_and_not", op(Op::LogicalAnd, &[X, op(Op::LogicalNot, &[X])]), FALSE),
    rule("logical_and_or", op(Op::LogicalAnd, &[X, op(Op::LogicalOr, &[X, Y])]), X),
    rule("logical_and_and_self", op(Op::LogicalAnd, &[op(Op::LogicalAnd, &[X, Y]), Y]), op(Op::LogicalAnd, &[X, Y])),
    rule("logical_or_true", op(Op::LogicalOr, &[X, TRUE]), TRUE),
    rule("logical_or_false", op(Op::LogicalOr, &[X, FALSE]), X),
    rule("logical_or_self", op(Op::LogicalOr, &[X, X]), X),
    rule("logical_or_not", op(Op::LogicalOr, &[X, op(Op::LogicalNot, &[X])]), TRUE),
    rule("logical_or_and", op(Op::LogicalOr, &[X, op(Op::LogicalAnd, &[X, Y])]), X),
    rule("logical_or_or_self", op(Op::LogicalOr, &[op(Op::LogicalOr, &[X, Y]), Y]), op(Op::LogicalOr, &[X, Y])),
    rule("logical_not_not", op(Op::LogicalNot, &[op(Op::LogicalNot, &[X])]), X),
    rule("logical_equal_true", op(Op::LogicalEqual, &[X, TRUE]), X),
    rule("logical_equal_false", op(Op::LogicalEqual, &[X, FALSE]), op(Op::LogicalNot, &[X])),
    rule("logical_equal_self", op(Op::LogicalEqual, &[X, X]), TRUE),
    rule("logical_equal_not_self", op(Op::LogicalEqual, &[X, op(Op::LogicalNot, &[X])]), FALSE),
    rule("logical_equal_not", op(Op::LogicalEqual, &[op(Op::LogicalNot, &[X]), Y]), op(Op::LogicalNotEqual, &[X, Y])),
    rule("logical_not_equal_true", op(Op::LogicalNotEqual, &[X, TRUE]), op(Op::LogicalNot, &[X])),
    rule("logical_not_equal_false", op(Op::LogicalNotEqual, &[X, FALSE]), X),
    rule("logical_not_equal_self", op(Op::LogicalNotEqual, &[X, X]), FALSE),
    rule("logical_not_equal_not_self", op(Op::LogicalNotEqual, &[X, op(Op::LogicalNot, &[X])]), TRUE),
    rule(
        "logical_not_equal_not",
        op(Op::LogicalNotEqual, &[op(Op::LogicalNot, &[X]), Y]),
        op(Op::LogicalEqual, &[X, Y]),
    ),
    // Negated comparisons. The negation of an ordered float comparison is unordered, and vice versa.
    rule("not_i_equal", op(Op::LogicalNot, &[op(Op::IEqual, &[X, Y])]), op(Op::INotEqual, &[X, Y])),
    rule("not_i_not_equal", op(Op::LogicalNot, &[op(Op::INotEqual, &[X, Y])]), op(Op::IEqual, &[X, Y])),
    rule("not_u_less_than", op(Op::LogicalNot, &[op(Op::ULessThan, &[X, Y])]), op(Op::UGreaterThanEqual, &[X, Y])),
    rule(
        "not_u_greater_than_equal",
        op(Op::LogicalNot, &[op(Op::UGreaterThanEqual, &[X, Y])]),
        op(Op::ULessThan, &[X, Y]),
    ),
    rule("not_u_greater_than", op(Op::LogicalNot, &[op(Op::UGreaterThan, &[X, Y])]), op(Op::ULessThanEqual, &[X, Y])),
    rule(
        "not_u_less_than_equal",
        op(Op::LogicalNot, &[op(Op::ULessThanEqual, &[X, Y])]),
        op(Op::UGreaterThan, &[X, Y]),
    ),
    rule("not_s_less_than", op(Op::LogicalNot, &[op(Op::SLessThan, &[X, Y])]), op(Op::SGreaterThanEqual, &[X, Y])),
    rule(
        "not_s_greater_than_equal",
        op(Op::LogicalNot, &[op(Op::SGreaterThanEqual, &[X, Y])]),
        op(Op::SLessThan, &[X, Y]),
    ),
    rule("not_s_greater_than", op(Op::LogicalNot, &[op(Op::SGreaterThan, &[X, Y])]), op(Op::SLessThanEqual, &[X, Y])),
    rule(
        "not_s_less_than_equal",
        op(Op::LogicalNot, &[op(Op::SLessThanEqual, &[X, Y])]),
        op(Op::SGreaterThan, &[X, Y]),
    ),
    rule("not_logical_equal", op(Op::LogicalNot, &[op(Op::LogicalEqual, &[X, Y])]), op(Op::LogicalNotEqual, &[X, Y])),
    rule(
        "not_logical_not_equal",
        op(Op::LogicalNot, &[op(Op::LogicalNotEqual, &[X, Y])]),
        op(Op::LogicalEqual, &[X, Y]),
    ),
    rule("not_ordered", op(Op::LogicalNot, &[op(Op::Ordered, &[X, Y])]), op(Op::Unordered, &[X, Y])),
    rule("not_unordered", op(Op::LogicalNot, &[op(Op::Unordered, &[X, Y])]), op(Op::Ordered, &[X, Y])),
    rule("not_f_ord_equal", op(Op::LogicalNot, &[op(Op::FOrdEqual, &[X, Y])]), op(Op::FUnordNotEqual, &[X, Y])),
    rule("not_f_unord_not_equal", op(Op::LogicalNot, &[op(Op::FUnordNotEqual, &[X, Y])]), op(Op::FOrdEqual, &[X, Y])),
    rule("not_f_ord_not_equal", op(Op::LogicalNot, &[op(Op::FOrdNotEqual, &[X, Y])]), op(Op::FUnordEqual, &[X, Y])),
    rule("not_f_unord_equal", op(Op::LogicalNot, &[op(Op::FUnordEqual, &[X, Y])]), op(Op::FOrdNotEqual, &[X, Y])),
    rule(
        "not_f_ord_less_than",
        op(Op::LogicalNot, &[op(Op::FOrdLessThan, &[X, Y])]),
        op(Op::FUnordGreaterThanEqual, &[X, Y]),
    ),
    rule(
        "not_f_unord_greater_than_equal",
        op(Op::LogicalNot, &[op(Op::FUnordGreaterThanEqual, &[X, Y])]),
        op(Op::FOrdLessThan, &[X, Y]),
    ),
    rule(
        "not_f_ord_greater_than",
        op(Op::LogicalNot, &[op(Op::FOrdGreaterThan, &[X, Y])]),
        op(Op::FUnordLessThanEqual, &[X, Y]),
    ),
    rule(
        "not_f_unord_less_than_equal",
        op(Op::LogicalNot, &[op(Op::FUnordLessThanEqual, &[X, Y])]),
        op(Op::FOrdGreaterThan, &[X, Y]),
    ),
    rule(
        "not_f_ord_less_than_equal",
        op(Op::LogicalNot, &[op(Op::FOrdLessThanEqual, &[X, Y])]),
        op(Op::FUnordGreaterThan, &[X, Y]),
    ),
    rule(
        "not_f_unord_greater_than",
        op(Op::LogicalNot, &[op(Op::FUnordGreaterThan, &[X, Y])]),
        op(Op::FOrdLessThanEqual, &[X, Y]),
    ),
    rule(
        "not_f_ord_greater_than_equal",
        op(Op::LogicalNot, &[op(Op::FOrdGreaterThanEqual, &[X, Y])]),
        op(Op::FUnordLessThan, &[X, Y]),
    ),
    rule(
        "not_f_unord_less_than",
        op(Op::LogicalNot, &[op(Op::FUnordLessThan, &[X, Y])]),
        op(Op::FOrdGreaterThanEqual, &[X, Y]),
    ),
    // Selections.
    rule("select_true", op(Op::Select, &[TRUE, X, Y]), X),
    rule("select_false", op(Op::Select, &[FALSE, X, Y]), Y),
    rule("select_equal_arms", op(Op::Select, &[X, Y, Y]), Y),
    rule("select_true_false", op(Op::Select, &[X, TRUE, FALSE]), X),
    rule("select_false_true", op(Op::Select, &[X, FALSE, TRUE]), op(Op::LogicalNot, &[X])),
    rule("select_not", op(Op::Select, &[op(Op::LogicalNot, &[X]), Y, Z]), op(Op::Select, &[X, Z, Y])),
    rule("select_select_yes", op(Op::Select, &[X, op(Op::Select, &[X, Y, Z]), W]), op(Op::Select, &[X, Y, W])),
    rule("select_select_no", op(Op::Select, &[X, Y, op(Op::Select, &[X, Z, W])]), op(Op::Select, &[X, Y, W])),
];
