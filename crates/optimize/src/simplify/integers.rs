//! Rules of integer arithmetic. Integers wrap, so these rules hold for every value. A division with an undefined result may become one with
//! a defined result.

use reconverge_analysis::constant_folding::mask;
use reconverge_ir::Op;

use super::matching::Bound;
use super::rule::{Rule, rule, rule_if};
use super::words::{A, B, ONE, ONES, X, Y, ZERO, fold, op};

pub(super) const RULES: &[Rule] = &[
    // Sums and differences.
    rule("add_zero", op(Op::IAdd, &[X, ZERO]), X),
    rule("sub_zero", op(Op::ISub, &[X, ZERO]), X),
    rule("sub_self", op(Op::ISub, &[X, X]), ZERO),
    rule("zero_sub", op(Op::ISub, &[ZERO, X]), op(Op::SNegate, &[X])),
    rule("add_negated", op(Op::IAdd, &[X, op(Op::SNegate, &[Y])]), op(Op::ISub, &[X, Y])),
    rule("sub_negated", op(Op::ISub, &[X, op(Op::SNegate, &[Y])]), op(Op::IAdd, &[X, Y])),
    rule("negate_negate", op(Op::SNegate, &[op(Op::SNegate, &[X])]), X),
    rule("negate_sub", op(Op::SNegate, &[op(Op::ISub, &[X, Y])]), op(Op::ISub, &[Y, X])),
    rule("add_add", op(Op::IAdd, &[op(Op::IAdd, &[X, A]), B]), op(Op::IAdd, &[X, fold(Op::IAdd, &[A, B])])),
    rule("add_sub_constant", op(Op::IAdd, &[op(Op::ISub, &[X, A]), B]), op(Op::IAdd, &[X, fold(Op::ISub, &[B, A])])),
    rule("add_constant_sub", op(Op::IAdd, &[op(Op::ISub, &[A, X]), B]), op(Op::ISub, &[fold(Op::IAdd, &[A, B]), X])),
    rule("sub_add", op(Op::ISub, &[op(Op::IAdd, &[X, A]), B]), op(Op::IAdd, &[X, fold(Op::ISub, &[A, B])])),
    rule("sub_sub_constant", op(Op::ISub, &[op(Op::ISub, &[X, A]), B]), op(Op::ISub, &[X, fold(Op::IAdd, &[A, B])])),
    rule("sub_constant_sub", op(Op::ISub, &[op(Op::ISub, &[A, X]), B]), op(Op::ISub, &[fold(Op::ISub, &[A, B]), X])),
    rule("constant_sub_add", op(Op::ISub, &[A, op(Op::IAdd, &[X, B])]), op(Op::ISub, &[fold(Op::ISub, &[A, B]), X])),
    rule("constant_sub_sub", op(Op::ISub, &[A, op(Op::ISub, &[X, B])]), op(Op::ISub, &[fold(Op::IAdd, &[A, B]), X])),
    rule(
        "constant_sub_constant_sub",
        op(Op::ISub, &[A, op(Op::ISub, &[B, X])]),
        op(Op::IAdd, &[X, fold(Op::ISub, &[A, B])]),
    ),
    rule("add_then_sub", op(Op::ISub, &[op(Op::IAdd, &[X, Y]), X]), Y),
    rule("sub_from_sum", op(Op::ISub, &[X, op(Op::IAdd, &[X, Y])]), op(Op::SNegate, &[Y])),
    rule("sub_then_add", op(Op::IAdd, &[op(Op::ISub, &[X, Y]), Y]), X),
    rule("sub_of_difference", op(Op::ISub, &[X, op(Op::ISub, &[X, Y])]), Y),
    rule("difference_sub_self", op(Op::ISub, &[op(Op::ISub, &[X, Y]), X]), op(Op::SNegate, &[Y])),
    rule("add_not", op(Op::IAdd, &[X, op(Op::Not, &[X])]), ONES),
    rule("not_plus_one", op(Op::IAdd, &[op(Op::Not, &[X]), ONE]), op(Op::SNegate, &[X])),
    rule("negate_not", op(Op::SNegate, &[op(Op::Not, &[X])]), op(Op::IAdd, &[X, ONE])),
    rule("not_negate", op(Op::Not, &[op(Op::SNegate, &[X])]), op(Op::IAdd, &[X, ONES])),
    rule("negate_add_constant", op(Op::SNegate, &[op(Op::IAdd, &[X, A])]), op(Op::ISub, &[fold(Op::SNegate, &[A]), X])),
    // Products and quotients.
    rule("mul_zero", op(Op::IMul, &[X, ZERO]), ZERO),
    rule("mul_one", op(Op::IMul, &[X, ONE]), X),
    rule("mul_ones", op(Op::IMul, &[X, ONES]), op(Op::SNegate, &[X])),
    rule("mul_mul", op(Op::IMul, &[op(Op::IMul, &[X, A]), B]), op(Op::IMul, &[X, fold(Op::IMul, &[A, B])])),
    rule("mul_negated", op(Op::IMul, &[op(Op::SNegate, &[X]), op(Op::SNegate, &[Y])]), op(Op::IMul, &[X, Y])),
    rule(
        "mul_negated_constant",
        op(Op::IMul, &[op(Op::SNegate, &[X]), A]),
        op(Op::IMul, &[X, fold(Op::SNegate, &[A])]),
    ),
    rule("negate_mul_constant", op(Op::SNegate, &[op(Op::IMul, &[X, A])]), op(Op::IMul, &[X, fold(Op::SNegate, &[A])])),
    rule("u_div_one", op(Op::UDiv, &[X, ONE]), X),
    rule("s_div_one", op(Op::SDiv, &[X, ONE]), X),
    rule("s_div_ones", op(Op::SDiv, &[X, ONES]), op(Op::SNegate, &[X])),
    rule("u_mod_one", op(Op::UMod, &[X, ONE]), ZERO),
    rule("s_rem_one", op(Op::SRem, &[X, ONE]), ZERO),
    rule("s_mod_one", op(Op::SMod, &[X, ONE]), ZERO),
    rule("s_rem_ones", op(Op::SRem, &[X, ONES]), ZERO),
    rule("s_mod_ones", op(Op::SMod, &[X, ONES]), ZERO),
    rule("u_div_self", op(Op::UDiv, &[X, X]), ONE),
    rule("s_div_self", op(Op::SDiv, &[X, X]), ONE),
    rule("u_mod_self", op(Op::UMod, &[X, X]), ZERO),
    rule("s_rem_self", op(Op::SRem, &[X, X]), ZERO),
    rule("s_mod_self", op(Op::SMod, &[X, X]), ZERO),
    rule_if(
        "u_div_u_div",
        op(Op::UDiv, &[op(Op::UDiv, &[X, A]), B]),
        op(Op::UDiv, &[X, fold(Op::IMul, &[A, B])]),
        product_fits,
    ),
    rule("u_mod_u_mod", op(Op::UMod, &[op(Op::UMod, &[X, A]), A]), op(Op::UMod, &[X, A])),
];

/// Returns whether the product of two divisors is one.
fn product_fits(bound: &Bound) -> bool {
    bound.both(|left, right, width| {
        let product = u128::from(left) * u128::from(right);
        product != 0 && product <= u128::from(mask(width))
    })
}
