//! Rules that replace expensive operations by cheaper ones; `strength_reduction` describes the costs.

use reconverge_ir::Op;

use super::matching::Bound;
use super::rule::{Rule, rule, rule_if};
use super::words::{A, FLOAT_ONE, ONE, X, fold, op};

pub(super) const RULES: &[Rule] = &[
    rule_if("mul_power", op(Op::IMul, &[X, A]), op(Op::ShiftLeftLogical, &[X, LOGARITHM]), is_power),
    rule_if("u_div_power", op(Op::UDiv, &[X, A]), op(Op::ShiftRightLogical, &[X, LOGARITHM]), is_power),
    rule_if("u_mod_power", op(Op::UMod, &[X, A]), op(Op::BitwiseAnd, &[X, fold(Op::ISub, &[A, ONE])]), is_power),
    rule_if(
        "s_mod_power",
        op(Op::SMod, &[X, A]),
        op(Op::BitwiseAnd, &[X, fold(Op::ISub, &[A, ONE])]),
        is_positive_power,
    ),
    // The reciprocal is exact only for powers of two.
    rule("f_div_power", op(Op::FDiv, &[X, A]), op(Op::FMul, &[X, fold(Op::FDiv, &[FLOAT_ONE, A])])),
];

/// The exponent of a power of two: the number of zero bits below its set bit.
const LOGARITHM: super::rule::Term = fold(Op::BitCount, &[fold(Op::ISub, &[A, ONE])]);

fn is_power(bound: &Bound) -> bool {
    bound.each(|bits, _| bits.is_power_of_two())
}

fn is_positive_power(bound: &Bound) -> bool {
    bound.each(|bits, width| bits.is_power_of_two() && bits >> (width - 1) == 0)
}
