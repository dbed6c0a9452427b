//! Rules of floats that hold for every float: NaN, infinities, both zeros, and subnormal numbers unless an execution mode allows devices to
//! flush them. The signs of zeros are those of rounding to nearest and towards zero.

use reconverge_ir::Op;

use super::rule::{Rule, rule, rule_kept};
use super::words::{FALSE, FLOAT_ONE, FLOAT_ZERO, MINUS_ONE, NEGATIVE_ZERO, TRUE, X, Y, op};

pub(super) const RULES: &[Rule] = &[
    rule("f_negate_negate", op(Op::FNegate, &[op(Op::FNegate, &[X])]), X),
    rule("f_add_negated", op(Op::FAdd, &[X, op(Op::FNegate, &[Y])]), op(Op::FSub, &[X, Y])),
    rule("f_sub_negated", op(Op::FSub, &[X, op(Op::FNegate, &[Y])]), op(Op::FAdd, &[X, Y])),
    rule("f_mul_negated", op(Op::FMul, &[op(Op::FNegate, &[X]), op(Op::FNegate, &[Y])]), op(Op::FMul, &[X, Y])),
    rule("f_div_negated", op(Op::FDiv, &[op(Op::FNegate, &[X]), op(Op::FNegate, &[Y])]), op(Op::FDiv, &[X, Y])),
    rule_kept("f_add_negative_zero", op(Op::FAdd, &[X, NEGATIVE_ZERO]), X),
    rule_kept("f_sub_zero", op(Op::FSub, &[X, FLOAT_ZERO]), X),
    rule_kept("f_mul_one", op(Op::FMul, &[X, FLOAT_ONE]), X),
    rule_kept("f_div_one", op(Op::FDiv, &[X, FLOAT_ONE]), X),
    rule_kept("f_mul_minus_one", op(Op::FMul, &[X, MINUS_ONE]), op(Op::FNegate, &[X])),
    rule_kept("f_div_minus_one", op(Op::FDiv, &[X, MINUS_ONE]), op(Op::FNegate, &[X])),
    rule_kept("f_negative_zero_sub", op(Op::FSub, &[NEGATIVE_ZERO, X]), op(Op::FNegate, &[X])),
    rule("f_ord_not_equal_self", op(Op::FOrdNotEqual, &[X, X]), FALSE),
    rule("f_ord_less_self", op(Op::FOrdLessThan, &[X, X]), FALSE),
    rule("f_ord_greater_self", op(Op::FOrdGreaterThan, &[X, X]), FALSE),
    rule("f_unord_equal_self", op(Op::FUnordEqual, &[X, X]), TRUE),
    rule("f_unord_less_equal_self", op(Op::FUnordLessThanEqual, &[X, X]), TRUE),
    rule("f_unord_greater_equal_self", op(Op::FUnordGreaterThanEqual, &[X, X]), TRUE),
];
