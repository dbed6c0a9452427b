//! Powers of e, 2 and 10.
//!
//! `e^x = 2^k e^r` with `k` the integer nearest to `x / ln 2` and `|r| <= ln 2 / 2`, where `r` is computed in twice the precision. The
//! Taylor series of `e^r - 1` is truncated where its rest is below a quarter of a unit in the last place: after `r^8 / 8!` in 32 bits and
//! `r^14 / 14!` in 64.

use spirv::GlslStd450Op as Glsl;

use super::numbers::{LN_2, LN_10, LOG2_E, LOG10_2, Number, terms};
use super::pair::{Pair, ordered_sum, product, sum};
use crate::formula::{Value, polynomial};

/// A number as `2^exponent * (1 + rest)`.
struct Scaled<'w> {
    /// An integer.
    exponent: Value<'w>,
    /// The reduced argument, in (-0.35, 0.35), and `e^r - 1 - r`.
    argument: Pair<'w>,
    beyond: Value<'w>,
}

impl<'w> Scaled<'w> {
    /// `2^exponent * e^argument`.
    fn new(exponent: Value<'w>, argument: Pair<'w>) -> Scaled<'w> {
        let r = argument.high;
        let coefficients = terms(r, 7, 13, |index| 1.0 / (1..=index + 2).map(|n| n as f64).product::<f64>());
        let beyond = r * r * polynomial(r, &coefficients);
        Scaled { exponent, argument, beyond: beyond + r * argument.low }
    }

    fn value(self) -> Value<'w> {
        let one = ordered_sum(self.argument.high.constant(1.0), self.argument.high);
        let value = one.high + (one.low + (self.argument.low + self.beyond));
        scaled(value, self.exponent)
    }

    /// The number minus one.
    fn value_minus_one(self) -> Value<'w> {
        // Far below zero the result is -1; far above it is the power.
        let greatest = self.exponent.format().bias as f64 + 1.0;
        let exponent = between(self.exponent, -100.0, greatest);
        // Half of the power, since 2^k may overflow where the result does not.
        let power = power_of_two(exponent - 1.0);
        let low = self.argument.low + self.beyond;
        let whole = sum(power, -0.5);
        let near = self.argument.high + low;
        let far = whole.high + (power * self.argument.high + (power * low + whole.low));
        let far = self.exponent.greater(greatest).select(far.constant(f64::INFINITY), far + far);
        exponent.equals(0.0).select(near, far)
    }
}

/// `2^exponent` for an integer in the range of normal numbers.
fn power_of_two(exponent: Value<'_>) -> Value<'_> {
    let format = exponent.format();
    let bits = exponent.to_signed(32).to_signed_width(format.width);
    ((bits + format.bias) << u64::from(format.fraction)).float_of_bits()
}

/// `value * 2^exponent` for an integer in twice the range of normal numbers.
fn scaled<'w>(value: Value<'w>, exponent: Value<'w>) -> Value<'w> {
    let format = value.format();
    let exponent = exponent.to_signed(32).to_signed_width(format.width);
    let half = exponent.shift_right_signed(1);
    let power = |exponent: Value<'w>| ((exponent + format.bias) << u64::from(format.fraction)).float_of_bits();
    value * power(half) * power(exponent - half)
}

/// The value clamped to two limits; the lower limit for NaN.
fn between<'w>(x: Value<'w>, least: f64, greatest: f64) -> Value<'w> {
    x.writer().glsl(Glsl::NClamp, x.shape(), &[x, x.constant(least), x.constant(greatest)])
}

/// The result, or NaN if the argument is NaN.
fn unless_nan<'w>(x: Value<'w>, result: Value<'w>) -> Value<'w> {
    x.is_nan().select(x, result)
}

/// Powers of two beyond this are zero or infinite.
fn range(like: Value<'_>) -> f64 {
    if like.shape().width() == 64 { 1100.0 } else { 160.0 }
}

/// The width of an exponent.
fn exponent_bits(like: Value<'_>) -> u32 {
    if like.shape().width() == 64 { 11 } else { 8 }
}

fn natural(x: Pair<'_>) -> Scaled<'_> {
    let limit = range(x.high) * LN_2.0;
    let high = between(x.high, -limit, limit);
    let low = high.equals(x.high).select(x.low, 0.0);
    let exponent = (high * LOG2_E.0).round_even();
    let ln_2 = LN_2.split(high, exponent_bits(high));
    let argument = sum(high - exponent * ln_2.high, low - exponent * ln_2.low);
    Scaled::new(exponent, argument)
}

/// `e^x` of a number in twice the precision; not NaN even if `x` is.
pub(super) fn of_pair(x: Pair<'_>) -> Value<'_> {
    natural(x).value()
}

pub(super) fn exponential<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    unless_nan(x, of_pair(Pair::from(x)))
}

pub(super) fn exponential_minus_one<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    unless_nan(x, of_pair_minus_one(x)).with_sign_of(x)
}

/// `e^x - 1`; not NaN even if `x` is.
pub(super) fn of_pair_minus_one(x: Value<'_>) -> Value<'_> {
    natural(Pair::from(x)).value_minus_one()
}

pub(super) fn exponential_2<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let limit = range(x);
    let high = between(x, -limit, limit);
    let exponent = high.round_even();
    let rest = high - exponent;
    unless_nan(x, Scaled::new(exponent, times(LN_2, rest)).value())
}

pub(super) fn exponential_10<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let limit = range(x) * LOG10_2.0;
    let high = between(x, -limit, limit);
    let exponent = (high * LOG10_2.0.recip()).round_even();
    let log10_2 = LOG10_2.split(high, exponent_bits(high));
    let rest = sum(high - exponent * log10_2.high, -(exponent * log10_2.low));
    unless_nan(x, Scaled::new(exponent, LN_10.pair(x).times(rest)).value())
}

fn times(number: Number, x: Value<'_>) -> Pair<'_> {
    let number = number.pair(x);
    let exact = product(number.high, x);
    ordered_sum(exact.high, exact.low + number.low * x)
}
