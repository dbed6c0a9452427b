//! Logarithms, computed in twice the precision.
//!
//! `log(2^k m) = k ln 2 + log m` with `m` in [sqrt(1/2), sqrt(2)), and `log m = 2 s + 2/3 s^3 + 2/5 s^5 + …` for `s = (m - 1) / (m + 1)`,
//! which is below 0.172 in magnitude. The first two terms are computed in twice the precision, so that the sum has about 12 more exact bits
//! than the type: enough for the exponent of a power. The series is truncated after `2/15 s^15` in 32 bits and `2/27 s^27` in 64.

use super::exact::Parts;
use super::numbers::{LN_2, LOG2_E, LOG10_E, Number, TWO_THIRDS, terms};
use super::pair::{Pair, quotient, sum};
use crate::formula::{Value, polynomial};

/// The logarithm of a finite number above zero.
pub(super) fn of_positive(x: Value<'_>) -> Pair<'_> {
    let format = x.format();
    let parts = Parts::of(x);
    let fraction = parts.significand & format.fraction_mask();
    // The fraction of the square root of two: above it the significand is halved.
    let root = std::f64::consts::SQRT_2.to_bits() & ((1 << 52) - 1);
    let halved = fraction.greater(root >> (52 - format.fraction)).to_int(format.width);
    let exponent = (parts.exponent + halved - format.bias).to_signed_width(32).signed_to_float(format.width);
    let one = ((halved.constant(format.bias) - halved) << u64::from(format.fraction)) | fraction;
    let significand = one.float_of_bits();
    near_one(significand).plus(times_ln_2(exponent))
}

/// `k ln 2` for a whole number.
fn times_ln_2(k: Value<'_>) -> Pair<'_> {
    let spare = if k.shape().width() == 64 { 11 } else { 8 };
    let ln_2 = LN_2.split(k, spare);
    Pair { high: k * ln_2.high, low: k * ln_2.low }
}

/// The logarithm of a number in [sqrt(1/2), sqrt(2)].
fn near_one(m: Value<'_>) -> Pair<'_> {
    let s = Pair::from(m - 1.0).over(sum(m, 1.0));
    let square = s.times(s);
    let z = square.high;
    let third = square.times(s).times(TWO_THIRDS.pair(m));
    let coefficients = terms(m, 6, 12, |index| 2.0 / (2 * index + 5) as f64);
    let rest = z * z * s.high * polynomial(z, &coefficients);
    s.scaled(2.0).plus(third.plus_value(rest))
}

/// The logarithm of `1 + t` for a finite sum above zero.
pub(super) fn of_one_plus(t: Pair<'_>) -> Pair<'_> {
    let one = sum(t.high.constant(1.0), t.high);
    let low = one.low + t.low;
    of_pair(Pair { high: one.high, low })
}

/// The logarithm of a finite number above zero in twice the precision.
pub(super) fn of_pair(x: Pair<'_>) -> Pair<'_> {
    of_positive(x.high).plus(quotient(x.low, x.high))
}

/// The result for a positive number; minus infinity for zero, NaN below.
fn completed<'w>(x: Value<'w>, result: Value<'w>) -> Value<'w> {
    let result = x.is_infinite().select(x, result);
    let result = x.equals(0.0).select(x.constant(f64::NEG_INFINITY), result);
    let is_none = x.is_nan() | x.less(0.0);
    is_none.select(x.constant(f64::NAN), result)
}

pub(super) fn logarithm<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    completed(x, of_positive(x).value())
}

fn times(number: Number, pair: Pair<'_>) -> Value<'_> {
    pair.times(number.pair(pair.high)).value()
}

pub(super) fn logarithm_2<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    completed(x, times(LOG2_E, of_positive(x)))
}

pub(super) fn logarithm_10<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    completed(x, times(LOG10_E, of_positive(x)))
}

pub(super) fn logarithm_of_one_plus<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let result = of_one_plus(Pair::from(x)).value();
    let result = x.is_infinite().select(x, x.equals(0.0).select(x, result));
    let result = x.equals(-1.0).select(x.constant(f64::NEG_INFINITY), result);
    let is_none = x.is_nan() | x.less(-1.0);
    is_none.select(x.constant(f64::NAN), result)
}
