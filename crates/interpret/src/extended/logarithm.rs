//! Logarithms.
//!
//! `ln x = k ln 2 + ln m` with `√½ ≤ m < √2`, and `ln m = 2 artanh s` with `s = (m − 1) / (m + 1)` by its series: without cancellation,
//! since `m` is on the side of one where `k` is zero. Near one the quotient `s` determines the relative accuracy, 104 bits.

use super::constants::{LN_2, LOG2_E, LOG10_E};
use super::exponential::TINY;
use super::wide::{Scaled, Wide, split};

/// `s² < 0.0295`, so 21 terms reach 2⁻¹⁰⁶.
const TERMS: u32 = 21;

/// The natural logarithm.
pub(super) fn ln(x: f64) -> Scaled {
    special(x).unwrap_or_else(|| logarithm(Wide::new(x)).into())
}

pub(super) fn log2(x: f64) -> Scaled {
    special(x).unwrap_or_else(|| {
        let (exponent, rest) = parts(Wide::new(x));
        (rest * LOG2_E + f64::from(exponent)).into()
    })
}

pub(super) fn log10(x: f64) -> Scaled {
    special(x).unwrap_or_else(|| (logarithm(Wide::new(x)) * LOG10_E).into())
}

/// `ln (1 + x)`.
pub(super) fn ln_plus_one(x: f64) -> Scaled {
    if x.abs() < TINY || x.is_nan() {
        return x.into();
    }
    special(x + 1.0).unwrap_or_else(|| logarithm_plus_one(Wide::new(x)).into())
}

/// The logarithm of a number without one, or without a finite one.
fn special(x: f64) -> Option<Scaled> {
    match x {
        _ if x == 0.0 => Some(f64::NEG_INFINITY.into()),
        _ if x > 0.0 && x.is_finite() => None,
        f64::INFINITY => Some(x.into()),
        _ => Some(Scaled::NAN),
    }
}

/// The natural logarithm of a finite number above zero.
pub(super) fn logarithm(x: Wide) -> Wide {
    let (exponent, rest) = parts(x);
    if exponent == 0 { rest } else { LN_2 * f64::from(exponent) + rest }
}

/// `ln (1 + x)` for a finite `x` above −1.
pub(super) fn logarithm_plus_one(x: Wide) -> Wide {
    if x.high.abs() < 0.25 { series(x / (x + 2.0)) } else { logarithm(x + 1.0) }
}

/// The integer nearest to the binary logarithm of `x`, and the natural logarithm of the rest.
fn parts(x: Wide) -> (i32, Wide) {
    let (significand, exponent) = split(x.high);
    let exponent = exponent + i32::from(significand > std::f64::consts::SQRT_2);
    let rest = x.doubled(-exponent);
    (exponent, series((rest + -1.0) / (rest + 1.0)))
}

/// `2 artanh s`.
fn series(s: Wide) -> Wide {
    let square = s.square();
    let sum = (0..=TERMS).rev().fold(Wide::new(0.0), |sum, index| sum * square + Wide::ONE / f64::from(2 * index + 1));
    s.doubled(1) * sum
}
