//! The error function and its complement.
//!
//! Up to two by `erf x = 2 / √π · e^(−x²) · Σ 2^n x^(2n + 1) / (2n + 1)!!`, whose terms are all positive (Abramowitz and Stegun, 7.1.6).
//! Above two by the continued fraction of the complement (7.1.14), evaluated backwards; its length is so large that more terms change the
//! result by less than 2⁻¹⁰⁰. `x²` is exact, so the exponential has full precision.

use super::constants::{ONE_OVER_ROOT_PI, TWO_OVER_ROOT_PI};
use super::exponential::{TINY, exponential};
use super::wide::{Scaled, Wide, split};

const MIDDLE: f64 = 2.0;
/// Beyond this the complement is too small for every format.
const FAR: f64 = 30.0;

pub(super) fn erf(x: f64) -> Scaled {
    if x == 0.0 || x.is_nan() {
        return x.into();
    }
    let magnitude = x.abs();
    let value = match magnitude {
        _ if magnitude < TINY => {
            let (significand, exponent) = split(magnitude);
            Scaled::new(TWO_OVER_ROOT_PI * significand, exponent)
        }
        MIDDLE.. => (Wide::ONE - tail(magnitude).wide()).into(),
        _ => series(magnitude).into(),
    };
    value.with_sign(x < 0.0)
}

/// `1 − erf x`.
pub(super) fn erfc(x: f64) -> Scaled {
    if x.is_nan() {
        return Scaled::NAN;
    }
    let magnitude = x.abs();
    match magnitude {
        _ if magnitude < TINY => Wide::sum(1.0, -x).into(),
        MIDDLE.. if x > 0.0 => tail(x),
        MIDDLE.. => (Wide::new(2.0) - tail(magnitude).wide()).into(),
        _ => {
            let part = series(magnitude);
            (if x < 0.0 { part } else { -part } + 1.0).into()
        }
    }
}

/// The error function for `0 < x < 2`.
fn series(x: f64) -> Wide {
    let square = Wide::product(x, x);
    let twice = square.doubled(1);
    // The terms grow at first, but the last ones are below 2⁻¹¹⁰ of the sum: 8⁶⁰ / 121!!.
    let sum = (1..=60).rev().fold(Wide::ONE, |sum, index| twice * sum / f64::from(2 * index + 1) + 1.0);
    exponential(-square).wide() * TWO_OVER_ROOT_PI * x * sum
}

/// The complement for `x ≥ 2`.
fn tail(x: f64) -> Scaled {
    if x > FAR {
        return Scaled::new(Wide::ONE, -10_000);
    }
    let square = Wide::product(x, x);
    let step = Wide::ONE / square.doubled(1);
    let length = 20 + (660.0 / square.high) as u32;
    let fraction = (1..=length).rev().fold(Wide::ONE, |rest, index| step * f64::from(index) / rest + 1.0);
    let power = exponential(-square);
    Scaled::new(power.value * ONE_OVER_ROOT_PI / (fraction * x), power.exponent)
}
