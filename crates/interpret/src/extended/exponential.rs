//! Exponentials.
//!
//! `e^x = 2^k · e^r` with `|r| ≤ ½ ln 2`; `e^r − 1` by Taylor's series at `r / 8` and three doublings, `e^2s − 1 = (e^s − 1)(e^s + 1)`,
//! so that small results keep all their bits. An exact `x` gives about 98 correct bits where the exponent is greatest, more elsewhere.

use super::constants::{LN_2, LN_10};
use super::wide::{Scaled, Wide};

/// Below this, `f(x) = x + O(x²)` rounds to `x` in every format.
pub(super) const TINY: f64 = 1.0 / (1u64 << 60) as f64;
/// An exponent that no format reaches.
const FAR: i32 = 100_000;
const DOUBLINGS: i32 = 3;
const TERMS: u32 = 16;

pub(super) fn exp(x: f64) -> Scaled {
    exponential(Wide::new(x))
}

pub(super) fn exp2(x: f64) -> Scaled {
    if x.is_nan() {
        return Scaled::NAN;
    }
    let x = x.clamp(-10_000.0, 10_000.0);
    let whole = x.round_ties_even();
    Scaled::new(grown(LN_2 * (x - whole)) + 1.0, whole as i32)
}

pub(super) fn exp10(x: f64) -> Scaled {
    if x.is_nan() {
        return Scaled::NAN;
    }
    exponential(LN_10 * x.clamp(-10_000.0, 10_000.0))
}

/// `e^x − 1`.
pub(super) fn exp_minus_one(x: f64) -> Scaled {
    if x.abs() < TINY || x.is_nan() {
        return x.into();
    }
    if x.abs() < 0.34 {
        return grown(Wide::new(x)).into();
    }
    let power = exponential(Wide::new(x));
    match power.exponent {
        ..-200 => (-1.0).into(),
        -200..200 => (power.wide() + -1.0).into(),
        _ => power,
    }
}

/// `e^x`.
pub(super) fn exponential(x: Wide) -> Scaled {
    if x.high.is_nan() {
        return Scaled::NAN;
    }
    if x.high.abs() > 10_000.0 {
        return Scaled::new(Wide::ONE, if x.high > 0.0 { FAR } else { -FAR });
    }
    let whole = (x.high / LN_2.high).round_ties_even();
    Scaled::new(grown(x - LN_2 * whole) + 1.0, whole as i32)
}

/// `e^x − 1` for `|x| < 0.36`.
pub(super) fn grown(x: Wide) -> Wide {
    let x = x.doubled(-DOUBLINGS);
    let series = (2..=TERMS).rev().fold(Wide::ONE, |sum, index| x * sum / f64::from(index) + 1.0);
    (0..DOUBLINGS).fold(x * series, |grown, _| grown * (grown + 2.0))
}
