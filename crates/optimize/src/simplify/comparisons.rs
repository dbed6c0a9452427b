//! Rules of comparisons of integers.

use reconverge_ir::Op;

use super::matching::Bound;
use super::rule::{Rule, rule, rule_if};
use super::words::{A, B, FALSE, ONE, ONES, TRUE, X, Y, Z, ZERO, fold, op};

pub(super) const RULES: &[Rule] = &[
    // Of a value with itself.
    rule("i_equal_self", op(Op::IEqual, &[X, X]), TRUE),
    rule("i_not_equal_self", op(Op::INotEqual, &[X, X]), FALSE),
    rule("u_less_than_self", op(Op::ULessThan, &[X, X]), FALSE),
    rule("u_greater_than_self", op(Op::UGreaterThan, &[X, X]), FALSE),
    rule("s_less_than_self", op(Op::SLessThan, &[X, X]), FALSE),
    rule("s_greater_than_self", op(Op::SGreaterThan, &[X, X]), FALSE),
    rule("u_less_than_equal_self", op(Op::ULessThanEqual, &[X, X]), TRUE),
    rule("u_greater_than_equal_self", op(Op::UGreaterThanEqual, &[X, X]), TRUE),
    rule("s_less_than_equal_self", op(Op::SLessThanEqual, &[X, X]), TRUE),
    rule("s_greater_than_equal_self", op(Op::SGreaterThanEqual, &[X, X]), TRUE),
    // With the minimum or maximum of the type.
    rule("u_less_zero", op(Op::ULessThan, &[X, ZERO]), FALSE),
    rule("zero_u_less", op(Op::ULessThan, &[ZERO, X]), op(Op::INotEqual, &[X, ZERO])),
    rule("u_less_one", op(Op::ULessThan, &[X, ONE]), op(Op::IEqual, &[X, ZERO])),
    rule("ones_u_less", op(Op::ULessThan, &[ONES, X]), FALSE),
    rule("u_less_ones", op(Op::ULessThan, &[X, ONES]), op(Op::INotEqual, &[X, ONES])),
    rule("u_greater_zero", op(Op::UGreaterThan, &[X, ZERO]), op(Op::INotEqual, &[X, ZERO])),
    rule("zero_u_greater", op(Op::UGreaterThan, &[ZERO, X]), FALSE),
    rule("u_greater_ones", op(Op::UGreaterThan, &[X, ONES]), FALSE),
    rule("one_u_greater", op(Op::UGreaterThan, &[ONE, X]), op(Op::IEqual, &[X, ZERO])),
    rule("ones_u_greater", op(Op::UGreaterThan, &[ONES, X]), op(Op::INotEqual, &[X, ONES])),
    rule("u_less_equal_zero", op(Op::ULessThanEqual, &[X, ZERO]), op(Op::IEqual, &[X, ZERO])),
    rule("zero_u_less_equal", op(Op::ULessThanEqual, &[ZERO, X]), TRUE),
    rule("u_less_equal_ones", op(Op::ULessThanEqual, &[X, ONES]), TRUE),
    rule("ones_u_less_equal", op(Op::ULessThanEqual, &[ONES, X]), op(Op::IEqual, &[X, ONES])),
    rule("u_greater_equal_zero", op(Op::UGreaterThanEqual, &[X, ZERO]), TRUE),
    rule("zero_u_greater_equal", op(Op::UGreaterThanEqual, &[ZERO, X]), op(Op::IEqual, &[X, ZERO])),
    rule("u_greater_equal_one", op(Op::UGreaterThanEqual, &[X, ONE]), op(Op::INotEqual, &[X, ZERO])),
    rule("ones_u_greater_equal", op(Op::UGreaterThanEqual, &[ONES, X]), TRUE),
    rule("u_greater_equal_ones", op(Op::UGreaterThanEqual, &[X, ONES]), op(Op::IEqual, &[X, ONES])),
    // Equality of results of invertible operations.
    rule("equal_add", op(Op::IEqual, &[op(Op::IAdd, &[X, A]), B]), op(Op::IEqual, &[X, fold(Op::ISub, &[B, A])])),
    rule("equal_sub", op(Op::IEqual, &[op(Op::ISub, &[X, A]), B]), op(Op::IEqual, &[X, fold(Op::IAdd, &[A, B])])),
    rule(
        "equal_constant_sub",
        op(Op::IEqual, &[op(Op::ISub, &[A, X]), B]),
        op(Op::IEqual, &[X, fold(Op::ISub, &[A, B])]),
    ),
    rule(
        "equal_xor",
        op(Op::IEqual, &[op(Op::BitwiseXor, &[X, A]), B]),
        op(Op::IEqual, &[X, fold(Op::BitwiseXor, &[A, B])]),
    ),
    rule("equal_not", op(Op::IEqual, &[op(Op::Not, &[X]), A]), op(Op::IEqual, &[X, fold(Op::Not, &[A])])),
    rule("equal_negated", op(Op::IEqual, &[op(Op::SNegate, &[X]), A]), op(Op::IEqual, &[X, fold(Op::SNegate, &[A])])),
    rule("equal_difference", op(Op::IEqual, &[op(Op::ISub, &[X, Y]), ZERO]), op(Op::IEqual, &[X, Y])),
    rule("equal_difference_bits", op(Op::IEqual, &[op(Op::BitwiseXor, &[X, Y]), ZERO]), op(Op::IEqual, &[X, Y])),
    rule("equal_nots", op(Op::IEqual, &[op(Op::Not, &[X]), op(Op::Not, &[Y])]), op(Op::IEqual, &[X, Y])),
    rule("equal_negateds", op(Op::IEqual, &[op(Op::SNegate, &[X]), op(Op::SNegate, &[Y])]), op(Op::IEqual, &[X, Y])),
    rule("equal_sums", op(Op::IEqual, &[op(Op::IAdd, &[X, Y]), op(Op::IAdd, &[X, Z])]), op(Op::IEqual, &[Y, Z])),
    rule("equal_sum_self", op(Op::IEqual, &[op(Op::IAdd, &[X, Y]), X]), op(Op::IEqual, &[Y, ZERO])),
    rule(
        "not_equal_add",
        op(Op::INotEqual, &[op(Op::IAdd, &[X, A]), B]),
        op(Op::INotEqual, &[X, fold(Op::ISub, &[B, A])]),
    ),
    rule(
        "not_equal_sub",
        op(Op::INotEqual, &[op(Op::ISub, &[X, A]), B]),
        op(Op::INotEqual, &[X, fold(Op::IAdd, &[A, B])]),
    ),
    rule(
        "not_equal_constant_sub",
        op(Op::INotEqual, &[op(Op::ISub, &[A, X]), B]),
        op(Op::INotEqual, &[X, fold(Op::ISub, &[A, B])]),
    ),
    rule(
        "not_equal_xor",
        op(Op::INotEqual, &[op(Op::BitwiseXor, &[X, A]), B]),
        op(Op::INotEqual, &[X, fold(Op::BitwiseXor, &[A, B])]),
    ),
    rule("not_equal_not", op(Op::INotEqual, &[op(Op::Not, &[X]), A]), op(Op::INotEqual, &[X, fold(Op::Not, &[A])])),
    rule(
        "not_equal_negated",
        op(Op::INotEqual, &[op(Op::SNegate, &[X]), A]),
        op(Op::INotEqual, &[X, fold(Op::SNegate, &[A])]),
    ),
    rule("not_equal_difference", op(Op::INotEqual, &[op(Op::ISub, &[X, Y]), ZERO]), op(Op::INotEqual, &[X, Y])),
    rule(
        "not_equal_difference_bits",
        op(Op::INotEqual, &[op(Op::BitwiseXor, &[X, Y]), ZERO]),
        op(Op::INotEqual, &[X, Y]),
    ),
    rule("not_equal_nots", op(Op::INotEqual, &[op(Op::Not, &[X]), op(Op::Not, &[Y])]), op(Op::INotEqual, &[X, Y])),
    rule(
        "not_equal_negateds",
        op(Op::INotEqual, &[op(Op::SNegate, &[X]), op(Op::SNegate, &[Y])]),
        op(Op::INotEqual, &[X, Y]),
    ),
    rule(
        "not_equal_sums",
        op(Op::INotEqual, &[op(Op::IAdd, &[X, Y]), op(Op::IAdd, &[X, Z])]),
        op(Op::INotEqual, &[Y, Z]),
    ),
    rule("not_equal_sum_self", op(Op::INotEqual, &[op(Op::IAdd, &[X, Y]), X]), op(Op::INotEqual, &[Y, ZERO])),
    // Of a select between constants.
    rule_if("equal_selected_yes", op(Op::IEqual, &[op(Op::Select, &[X, A, B]), A]), X, differ),
    rule_if("equal_selected_no", op(Op::IEqual, &[op(Op::Select, &[X, A, B]), B]), op(Op::LogicalNot, &[X]), differ),
    rule_if(
        "not_equal_selected_yes",
        op(Op::INotEqual, &[op(Op::Select, &[X, A, B]), A]),
        op(Op::LogicalNot, &[X]),
        differ,
    ),
    rule_if("not_equal_selected_no", op(Op::INotEqual, &[op(Op::Select, &[X, A, B]), B]), X, differ),
];

/// Returns whether the constants differ in every component.
fn differ(bound: &Bound) -> bool {
    bound.both(|left, right, _| left != right)
}
