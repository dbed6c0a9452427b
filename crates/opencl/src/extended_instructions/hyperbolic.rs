//! Hyperbolic functions and their inverses, by exponentials and logarithms.
//!
//! `cosh x = t + 1 / 4t` and `sinh x = t - 1 / 4t` with `t = e^(|x| - ln 2)`, which does not overflow before they do; near zero
//! `sinh x = (m + m / (m + 1)) / 2` and everywhere `tanh x = m / (m + 2)` with `m = e^|x| - 1` and `e^|2x| - 1`. The inverses are
//! `log (1 + t)` with `t` in twice the precision.

use super::exact::magnitude;
use super::exponential;
use super::logarithm;
use super::numbers::LN_2;
use super::pair::{Pair, quotient, sum};
use crate::formula::Value;

fn unless_nan<'w>(x: Value<'w>, result: Value<'w>) -> Value<'w> {
    x.is_nan().select(x, result)
}

/// Half of `e^x`.
fn half_of_power(x: Value<'_>) -> Value<'_> {
    exponential::of_pair(Pair::from(x).plus(LN_2.pair(x).negated()))
}

pub(super) fn cosine<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let half = half_of_power(limited(magnitude(&[x])));
    unless_nan(x, half + quarter_of_inverse(half))
}

/// A quarter divided by a number that may be infinite.
fn quarter_of_inverse(x: Value<'_>) -> Value<'_> {
    let finite = x.is_infinite().select(x.constant(1.0), x);
    x.is_infinite().select(x.constant(0.0), quotient(x.constant(0.25), finite).value())
}

/// The number, clamped to one whose exponential is infinite as well.
fn limited(x: Value<'_>) -> Value<'_> {
    x.at_most(1000.0).select(x, 1000.0)
}

pub(super) fn sine<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let positive = limited(magnitude(&[x]));
    let less_one = exponential::of_pair_minus_one(positive.at_most(1.0).select(positive, 1.0));
    let near = (less_one + quotient(less_one, less_one + 1.0).value()) * 0.5;
    let half = half_of_power(positive);
    let far = half - quarter_of_inverse(half);
    unless_nan(x, positive.less(1.0).select(near, far).with_sign_of(x))
}

pub(super) fn tangent<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let positive = magnitude(&[x]);
    // Beyond this the result is one.
    let positive = positive.at_most(20.0).select(positive, 20.0);
    let less_one = exponential::of_pair_minus_one(positive + positive);
    unless_nan(x, quotient(less_one, less_one + 2.0).value().with_sign_of(x))
}

/// `log 2x` for numbers so large that adding one to their square has no effect.
fn of_large(x: Value<'_>) -> Pair<'_> {
    logarithm::of_positive(x).plus(LN_2.pair(x))
}

fn large(like: Value<'_>) -> f64 {
    f64::from(like.format().fraction / 2 + 4).exp2()
}

/// One of two results, with harmless operands for the first if they are too large.
fn by_size<'w>(x: Value<'w>, small: impl FnOnce(Value<'w>) -> Pair<'w>) -> Value<'w> {
    let is_large = x.greater(large(x));
    let small = small(is_large.select(x.constant(1.0), x));
    let finite = x.less(f64::INFINITY);
    let result = Pair::chosen(is_large, of_large(finite.select(x, 1.0)), small).value();
    finite.select(result, x)
}

pub(super) fn inverse_sine<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let result = by_size(magnitude(&[x]), |x| {
        let one = x.constant(1.0);
        let square = super::pair::product(x, x);
        let root = square.plus_value(one).square_root();
        logarithm::of_one_plus(square.over(root.plus_value(one)).plus_value(x))
    });
    // So small that the square has no effect, or is subnormal.
    let result = magnitude(&[x]).less(1.0 / large(x)).select(magnitude(&[x]), result);
    unless_nan(x, result.with_sign_of(x))
}

pub(super) fn inverse_cosine<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let result = by_size(x, |x| {
        let above = sum(x, -1.0);
        let zero = Pair::from(x.constant(0.0));
        let is_above = x.greater(1.0);
        let square =
            Pair::chosen(is_above, above.times(above.plus_value(x.constant(2.0))), Pair::from(x.constant(1.0)));
        let root = Pair::chosen(is_above, square.square_root(), zero);
        logarithm::of_one_plus(Pair::chosen(is_above, above, zero).plus(root))
    });
    x.at_least(1.0).select(result, x.constant(f64::NAN))
}

pub(super) fn inverse_tangent<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let positive = magnitude(&[x]);
    let is_below = positive.less(1.0);
    let inner = is_below.select(positive, 0.5);
    let ratio = Pair::from(inner + inner).over(sum(inner.constant(1.0), -inner));
    let result = logarithm::of_one_plus(ratio).scaled(0.5).value();
    let result = positive.less(1.0 / large(x)).select(positive, result);
    let edge = positive.equals(1.0).select(x.constant(f64::INFINITY), x.constant(f64::NAN));
    is_below.select(result, edge).with_sign_of(x)
}
