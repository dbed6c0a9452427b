//! Powers and roots: `|x|^y = e^(y log |x|)` in twice the precision, with the signs and special cases that OpenCL requires (OpenCL C 3.0,
//! section 7.5.1).

use spirv::GlslStd450Op as Glsl;

use super::exponential;
use super::logarithm;
use super::numbers::ONE_THIRD;
use super::pair::{Pair, product};
use crate::formula::Value;

/// `|x|^y`, also if `|x|` is zero or infinite, and `y` is not zero; undefined for NaN.
fn magnitude_of_power<'w>(x: Value<'w>, y: Pair<'w>) -> Value<'w> {
    let x = (x.bits() & (x.format().sign() - 1)).float_of_bits();
    let grows = y.high.greater(0.0);
    let ends = x.equals(0.0) | x.is_infinite();
    let logarithm = logarithm::of_positive(ends.select(x.constant(1.0), x));
    let power = exponential::of_pair(logarithm.times(y));
    let is_large = x.is_infinite() ^ !grows;
    ends.select(is_large.select(x.constant(f64::INFINITY), 0.0), power)
}

/// An exponent, clamped: beyond the limit every power except that of one is zero or infinite.
fn bounded(y: Value<'_>) -> Value<'_> {
    let limit = f64::from(y.format().fraction + 13).exp2();
    y.writer().glsl(Glsl::NClamp, y.shape(), &[y, y.constant(-limit), y.constant(limit)])
}

fn nan(x: Value<'_>) -> Value<'_> {
    x.constant(f64::NAN)
}

pub(super) fn power<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let is_whole = y.truncate().equals(y);
    let half = y * 0.5;
    let is_odd = is_whole & half.truncate().differs(half) & !y.is_infinite();
    let is_negative = x.bits().is_negative();
    let magnitude = magnitude_of_power(x, Pair::from(bounded(y)));
    let is_one = x.equals(1.0) | (x.equals(-1.0) & y.is_infinite());
    let magnitude = is_one.select(x.constant(1.0), magnitude);
    let signed = (is_negative & is_odd).select(-magnitude, magnitude);
    let has_none = x.less(0.0) & !is_whole & !x.is_infinite();
    let result = (has_none | x.is_nan() | y.is_nan()).select(nan(x), signed);
    (x.equals(1.0) | y.equals(0.0)).select(x.constant(1.0), result)
}

/// The power of a non-negative number.
pub(super) fn power_of_positive<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let magnitude = magnitude_of_power(x, Pair::from(bounded(y)));
    let ends = x.equals(0.0) | x.is_infinite();
    let result = x.equals(1.0).select(x.constant(1.0), y.equals(0.0).select(x.constant(1.0), magnitude));
    let has_none = (ends & y.equals(0.0)) | (x.equals(1.0) & y.is_infinite()) | x.less(0.0);
    (has_none | x.is_nan() | y.is_nan()).select(nan(x), result)
}

/// An integer in twice the precision of a float.
fn pair_of_integer<'w>(n: Value<'w>, like: Value<'w>) -> Pair<'w> {
    let width = like.shape().width();
    let high = n.signed_to_float(width);
    match width {
        32 => {
            // In halves, since the nearest float may exceed the greatest integer.
            let upper = (n.shift_right_signed(16) << 16).signed_to_float(width);
            let lower = (n & 0xffff).signed_to_float(width);
            Pair { high, low: (upper - high) + lower }
        }
        _ => Pair::from(high),
    }
}

fn is_odd(n: Value<'_>) -> Value<'_> {
    (n & 1).differs(0)
}

pub(super) fn power_of_integer<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, n) = (operands[0], operands[1]);
    let magnitude = magnitude_of_power(x, pair_of_integer(n, x));
    let signed = (x.bits().is_negative() & is_odd(n)).select(-magnitude, magnitude);
    n.equals(0).select(x.constant(1.0), x.is_nan().select(x, signed))
}

pub(super) fn root<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, n) = (operands[0], operands[1]);
    let one = Pair::from(x.constant(1.0));
    let magnitude = magnitude_of_power(x, one.over(pair_of_integer(n, x)));
    let signed = (x.bits().is_negative() & is_odd(n)).select(-magnitude, magnitude);
    let has_none = n.equals(0) | (x.less(0.0) & !is_odd(n)) | x.is_nan();
    has_none.select(nan(x), signed)
}

pub(super) fn cube_root<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let root = magnitude_of_power(x, ONE_THIRD.pair(x)).with_sign_of(x);
    x.is_nan().select(x, root)
}

/// The length of a vector of two; it overflows only if the result does.
pub(super) fn hypotenuse<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let magnitude = |x: Value<'w>| (x.bits() & (x.format().sign() - 1)).float_of_bits();
    let (a, b) = (magnitude(x), magnitude(y));
    let swap = a.less(b);
    let (large, small) = (swap.select(b, a), swap.select(a, b));
    // Scaled so that squares neither overflow nor underflow.
    let format = x.format();
    let half = i32::try_from(format.bias / 2).expect("invariant: a bias is small");
    let lift = half + i32::try_from(format.fraction).expect("invariant: a fraction is short");
    let power = |exponent: i32| f64::powi(2.0, exponent);
    let (is_large, is_small) = (large.greater(power(half - 2)), large.less(power(-half / 2)));
    let scale = is_large.select(x.constant(power(-half - 3)), is_small.select(x.constant(power(lift)), 1.0));
    let back = is_large.select(x.constant(power(half + 3)), is_small.select(x.constant(power(-lift)), 1.0));
    let square = |x: Value<'w>| product(x * scale, x * scale);
    let root = square(large).plus(square(small)).square_root().value() * back;
    let root = large.equals(0.0).select(large, root);
    let root = (x.is_nan() | y.is_nan()).select(nan(x), root);
    (x.is_infinite() | y.is_infinite()).select(x.constant(f64::INFINITY), root)
}
