//! Functions of floating-point numbers with an exact result, or one that is rounded only to the format.
//!
//! Remainders are computed by long division of the significands, one bit in each step: at most 2100 steps, without intermediate rounding.

use super::wide::{power_of_two, split};
use crate::Value;
use crate::compute::rounding::{Number, Rounding, decomposed};
use crate::value::mask;

/// `x − y · trunc(x / y)`.
pub(super) fn fmod(x: f64, y: f64) -> f64 {
    match division(x, y) {
        Ok((rest, _, exponent)) => signed(rest, exponent, x),
        Err(special) => special,
    }
}

/// `x − n · y` for the integer `n` nearest to `x / y`, ties to even.
pub(crate) fn remainder(x: f64, y: f64) -> f64 {
    remainder_and_quotient(x, y).0
}

/// The remainder, and the lowest seven bits of `n` with the sign of `x / y`.
pub(super) fn remainder_and_quotient(x: f64, y: f64) -> (f64, i32) {
    let (rest, quotient, exponent) = match division(x, y) {
        Ok(division) => division,
        Err(special) => return (special, 0),
    };
    let divisor = divisor(y, exponent);
    let is_up = 2 * rest > divisor || 2 * rest == divisor && quotient & 1 == 1;
    let result = if is_up { -signed(divisor - rest, exponent, x) } else { signed(rest, exponent, x) };
    let bits = (quotient.wrapping_add(u64::from(is_up)) & 127) as i32;
    (result, if x.is_sign_negative() == y.is_sign_negative() { bits } else { -bits })
}

/// `x · 2^k`.
pub(super) fn ldexp(width: u8, x: f64, k: i64) -> Value {
    if !x.is_finite() {
        return crate::compute::arithmetic::rounded(width, x);
    }
    let number = Number::from_f64(x);
    let exponent = number.exponent.saturating_add(k.clamp(-100_000, 100_000) as i32);
    Number { exponent, ..number }.rounded(width, Rounding::NearestEven)
}

/// A fraction of magnitude from ½ to below 1, and the exponent; zeros, infinities and NaN are returned unchanged, with exponent zero.
pub(super) fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (significand, exponent) = split(x);
    (significand / 2.0, exponent + 1)
}

/// The exponent; the least 32-bit integer for zero, the greatest for infinities and NaN.
pub(super) fn ilogb(x: f64) -> i32 {
    match x {
        _ if x == 0.0 => i32::MIN,
        _ if x.is_finite() => split(x).1,
        _ => i32::MAX,
    }
}

/// The exponent as a number.
pub(super) fn logb(x: f64) -> f64 {
    match x {
        _ if x == 0.0 => f64::NEG_INFINITY,
        _ if x.is_finite() => f64::from(split(x).1),
        _ => x.abs(),
    }
}

/// The next number of a format from `x` towards `y`.
pub(super) fn nextafter(width: u8, x: f64, y: f64) -> Value {
    if x.is_nan() || y.is_nan() || x == y {
        return crate::compute::arithmetic::rounded(width, if x.is_nan() { x } else { y });
    }
    let sign = 1 << (width - 1);
    let Value::Float { bits, .. } = Value::float(width, x) else { unreachable!("this gives floats") };
    let bits = match bits & mask(width - 1) {
        0 if y > 0.0 => 1,
        0 => sign | 1,
        _ if (y > x) == (x > 0.0) => bits + 1,
        _ => bits - 1,
    };
    Value::Float { width, bits }
}

/// The fractional part above the floor, always less than one; and the floor.
pub(super) fn fract(width: u8, x: f64) -> (f64, f64) {
    let greatest = 1.0
        - power_of_two(match width {
            16 => -11,
            32 => -24,
            _ => -53,
        });
    let part = match x {
        _ if x == 0.0 || x.is_nan() => x,
        _ if x.is_infinite() => 0f64.copysign(x),
        _ => (x - x.floor()).min(greatest),
    };
    (part, x.floor())
}

/// The fractional and the integer part, both with the sign of `x`.
pub(super) fn modf(x: f64) -> (f64, f64) {
    let part = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    (if x.is_nan() { x } else { part.copysign(x) }, x.trunc())
}

/// The maximum: `y` if `x < y`, otherwise `x`; the other one if one is NaN.
pub(super) fn fmax(x: f64, y: f64) -> f64 {
    if x < y || x.is_nan() { y } else { x }
}

/// The minimum: `y` if `y < x`, otherwise `x`; the other one if one is NaN.
pub(super) fn fmin(x: f64, y: f64) -> f64 {
    if y < x || x.is_nan() { y } else { x }
}

/// The one of greater magnitude, or the maximum if equal.
pub(super) fn maxmag(x: f64, y: f64) -> f64 {
    match (x.abs(), y.abs()) {
        (a, b) if a > b => x,
        (a, b) if b > a => y,
        _ => fmax(x, y),
    }
}

/// The one of lesser magnitude, or the minimum if equal.
pub(super) fn minmag(x: f64, y: f64) -> f64 {
    match (x.abs(), y.abs()) {
        (a, b) if a < b => x,
        (a, b) if b < a => y,
        _ => fmin(x, y),
    }
}

/// `x − y` if that is positive, otherwise zero.
pub(super) fn fdim(x: f64, y: f64) -> f64 {
    match x.partial_cmp(&y) {
        None => f64::NAN,
        Some(std::cmp::Ordering::Greater) => x - y,
        Some(_) => 0.0,
    }
}

/// One with the sign of `x`; a zero stays unchanged and NaN becomes zero.
pub(crate) fn sign(x: f64) -> f64 {
    match x {
        _ if x.is_nan() => 0.0,
        _ if x == 0.0 => x,
        _ => 1f64.copysign(x),
    }
}

/// `|x| / |y|`: the remainder in units of a power of two, the quotient modulo 2⁶⁴ and the exponent of the unit; or the remainder if no
/// division is needed.
fn division(x: f64, y: f64) -> Result<(u64, u64, i32), f64> {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return Err(f64::NAN);
    }
    if x == 0.0 || y.is_infinite() {
        return Err(x);
    }
    let ((dividend, x_exponent), (_, y_exponent)) = (normalized(x), normalized(y));
    match x_exponent - y_exponent {
        // Less than half of the divisor: it is its own remainder.
        ..-2 => Err(x),
        steps => {
            let exponent = x_exponent.min(y_exponent);
            let divisor = divisor(y, exponent);
            let (mut rest, mut quotient) = (dividend % divisor, dividend / divisor);
            for _ in 0..steps.max(0) {
                rest *= 2;
                quotient = quotient << 1 | u64::from(rest >= divisor);
                rest -= if rest >= divisor { divisor } else { 0 };
            }
            Ok((rest, quotient, exponent))
        }
    }
}

/// `|y|` in units of `2^exponent`.
fn divisor(y: f64, exponent: i32) -> u64 {
    let (divisor, own) = normalized(y);
    divisor << (own - exponent)
}

/// A significand of 53 bits, and the exponent of its lowest bit.
fn normalized(value: f64) -> (u64, i32) {
    let (significand, exponent) = decomposed(value);
    let shift = significand.leading_zeros() - 11;
    (significand << shift, exponent - shift as i32)
}

/// `± magnitude · 2^exponent` with the sign of a number; the result must be a double.
fn signed(magnitude: u64, exponent: i32, sign: f64) -> f64 {
    let number = Number { is_negative: sign.is_sign_negative(), significand: u128::from(magnitude), exponent };
    number.rounded(64, Rounding::NearestEven).as_f64().unwrap_or(f64::NAN)
}
