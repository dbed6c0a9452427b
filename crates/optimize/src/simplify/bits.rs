//! Rules of masks and shifts.

use reconverge_ir::Op;

use super::matching::Bound;
use super::rule::{Rule, rule, rule_if};
use super::words::{A, B, ONES, X, Y, ZERO, fold, op};

pub(super) const RULES: &[Rule] = &[
    // Masks.
    rule("and_zero", op(Op::BitwiseAnd, &[X, ZERO]), ZERO),
    rule("and_ones", op(Op::BitwiseAnd, &[X, ONES]), X),
    rule("and_self", op(Op::BitwiseAnd, &[X, X]), X),
    rule("and_not", op(Op::BitwiseAnd, &[X, op(Op::Not, &[X])]), ZERO),
    rule(
        "and_and",
        op(Op::BitwiseAnd, &[op(Op::BitwiseAnd, &[X, A]), B]),
        op(Op::BitwiseAnd, &[X, fold(Op::BitwiseAnd, &[A, B])]),
    ),
    rule("and_and_self", op(Op::BitwiseAnd, &[op(Op::BitwiseAnd, &[X, Y]), Y]), op(Op::BitwiseAnd, &[X, Y])),
    rule("and_or", op(Op::BitwiseAnd, &[X, op(Op::BitwiseOr, &[X, Y])]), X),
    rule("or_zero", op(Op::BitwiseOr, &[X, ZERO]), X),
    rule("or_ones", op(Op::BitwiseOr, &[X, ONES]), ONES),
    rule("or_self", op(Op::BitwiseOr, &[X, X]), X),
    rule("or_not", op(Op::BitwiseOr, &[X, op(Op::Not, &[X])]), ONES),
    rule(
        "or_or",
        op(Op::BitwiseOr, &[op(Op::BitwiseOr, &[X, A]), B]),
        op(Op::BitwiseOr, &[X, fold(Op::BitwiseOr, &[A, B])]),
    ),
    rule("or_or_self", op(Op::BitwiseOr, &[op(Op::BitwiseOr, &[X, Y]), Y]), op(Op::BitwiseOr, &[X, Y])),
    rule("or_and", op(Op::BitwiseOr, &[X, op(Op::BitwiseAnd, &[X, Y])]), X),
    rule("xor_zero", op(Op::BitwiseXor, &[X, ZERO]), X),
    rule("xor_ones", op(Op::BitwiseXor, &[X, ONES]), op(Op::Not, &[X])),
    rule("xor_self", op(Op::BitwiseXor, &[X, X]), ZERO),
    rule("xor_not", op(Op::BitwiseXor, &[X, op(Op::Not, &[X])]), ONES),
    rule(
        "xor_xor",
        op(Op::BitwiseXor, &[op(Op::BitwiseXor, &[X, A]), B]),
        op(Op::BitwiseXor, &[X, fold(Op::BitwiseXor, &[A, B])]),
    ),
    rule("xor_xor_self", op(Op::BitwiseXor, &[op(Op::BitwiseXor, &[X, Y]), Y]), X),
    rule("xor_of_nots", op(Op::BitwiseXor, &[op(Op::Not, &[X]), op(Op::Not, &[Y])]), op(Op::BitwiseXor, &[X, Y])),
    rule(
        "xor_not_constant",
        op(Op::BitwiseXor, &[op(Op::Not, &[X]), A]),
        op(Op::BitwiseXor, &[X, fold(Op::Not, &[A])]),
    ),
    rule("not_not", op(Op::Not, &[op(Op::Not, &[X])]), X),
    rule(
        "not_xor_constant",
        op(Op::Not, &[op(Op::BitwiseXor, &[X, A])]),
        op(Op::BitwiseXor, &[X, fold(Op::Not, &[A])]),
    ),
    rule("not_add_constant", op(Op::Not, &[op(Op::IAdd, &[X, A])]), op(Op::ISub, &[fold(Op::Not, &[A]), X])),
    rule("not_constant_sub", op(Op::Not, &[op(Op::ISub, &[A, X])]), op(Op::IAdd, &[X, fold(Op::Not, &[A])])),
    rule_if(
        "and_with_masked_off",
        op(Op::BitwiseAnd, &[op(Op::BitwiseOr, &[X, A]), B]),
        op(Op::BitwiseAnd, &[X, B]),
        are_disjoint,
    ),
    rule_if("and_of_all_or", op(Op::BitwiseAnd, &[op(Op::BitwiseOr, &[X, A]), B]), B, covers),
    // Shifts. A shift by the width or more has no defined result.
    rule("shl_zero", op(Op::ShiftLeftLogical, &[X, ZERO]), X),
    rule("shr_zero", op(Op::ShiftRightLogical, &[X, ZERO]), X),
    rule("sar_zero", op(Op::ShiftRightArithmetic, &[X, ZERO]), X),
    rule("zero_shl", op(Op::ShiftLeftLogical, &[ZERO, X]), ZERO),
    rule("zero_shr", op(Op::ShiftRightLogical, &[ZERO, X]), ZERO),
    rule("zero_sar", op(Op::ShiftRightArithmetic, &[ZERO, X]), ZERO),
    rule("ones_sar", op(Op::ShiftRightArithmetic, &[ONES, X]), ONES),
    rule_if(
        "shl_shl",
        op(Op::ShiftLeftLogical, &[op(Op::ShiftLeftLogical, &[X, A]), B]),
        op(Op::ShiftLeftLogical, &[X, fold(Op::IAdd, &[A, B])]),
        shifts_fit,
    ),
    rule_if(
        "shr_shr",
        op(Op::ShiftRightLogical, &[op(Op::ShiftRightLogical, &[X, A]), B]),
        op(Op::ShiftRightLogical, &[X, fold(Op::IAdd, &[A, B])]),
        shifts_fit,
    ),
    rule_if(
        "sar_sar",
        op(Op::ShiftRightArithmetic, &[op(Op::ShiftRightArithmetic, &[X, A]), B]),
        op(Op::ShiftRightArithmetic, &[X, fold(Op::IAdd, &[A, B])]),
        shifts_fit,
    ),
    rule_if("shl_shl_out", op(Op::ShiftLeftLogical, &[op(Op::ShiftLeftLogical, &[X, A]), B]), ZERO, shifts_out),
    rule_if("shr_shr_out", op(Op::ShiftRightLogical, &[op(Op::ShiftRightLogical, &[X, A]), B]), ZERO, shifts_out),
    rule(
        "shr_of_shl",
        op(Op::ShiftRightLogical, &[op(Op::ShiftLeftLogical, &[X, A]), A]),
        op(Op::BitwiseAnd, &[X, fold(Op::ShiftRightLogical, &[ONES, A])]),
    ),
    rule(
        "shl_of_shr",
        op(Op::ShiftLeftLogical, &[op(Op::ShiftRightLogical, &[X, A]), A]),
        op(Op::BitwiseAnd, &[X, fold(Op::ShiftLeftLogical, &[ONES, A])]),
    ),
    rule(
        "shl_of_sar",
        op(Op::ShiftLeftLogical, &[op(Op::ShiftRightArithmetic, &[X, A]), A]),
        op(Op::BitwiseAnd, &[X, fold(Op::ShiftLeftLogical, &[ONES, A])]),
    ),
    rule("bit_reverse_twice", op(Op::BitReverse, &[op(Op::BitReverse, &[X])]), X),
];

/// Returns whether two masks have no common bit.
fn are_disjoint(bound: &Bound) -> bool {
    bound.both(|left, right, _| left & right == 0)
}

/// Returns whether the first mask has every bit of the second.
fn covers(bound: &Bound) -> bool {
    bound.both(|left, right, _| left & right == right)
}

/// Returns whether the sum of two shift amounts is a valid amount that its type can represent. Amounts have the width of the shifted value,
/// or the rule does not apply.
fn shifts_fit(bound: &Bound) -> bool {
    let width = u64::from(bound.width());
    bound.both(|left, right, _| left < width && right < width && left + right < width)
}

/// Returns whether two valid amounts together shift out all bits.
fn shifts_out(bound: &Bound) -> bool {
    let width = u64::from(bound.width());
    bound.both(|left, right, _| left < width && right < width && left + right >= width)
}
