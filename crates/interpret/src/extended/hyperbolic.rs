//! Hyperbolic functions and their inverses.
//!
//! By `e^x − 1` and `ln (1 + x)`, so that small arguments keep their precision: for `e = e^x − 1`, `sinh x = (e + e / (e + 1)) / 2` and
//! `tanh x = f / (f + 2)` with `f = e^2x − 1`; `arsinh x = ln(1 + x + x² / (1 + √(1 + x²)))`, `arcosh x = ln(1 + t + √(t (t + 2)))` with `t
//! = x − 1`, `artanh x = ½ ln(1 + 2x / (1 − x))` (W. Kahan, "Branch cuts for complex elementary functions", 1987).

use super::constants::LN_2;
use super::exponential::{TINY, exponential, grown};
use super::logarithm::{logarithm, logarithm_plus_one};
use super::wide::{Scaled, Wide};

/// From here on `e^−x` is insignificant compared with `e^x`.
const LARGE: f64 = 40.0;
/// From here on one is insignificant compared with `x²`.
const HUGE: f64 = (1u64 << 60) as f64;

pub(super) fn sinh(x: f64) -> Scaled {
    let magnitude = x.abs();
    if magnitude < TINY || x.is_nan() {
        return x.into();
    }
    let sine = match magnitude {
        0.34.. => half_sum(magnitude, -1.0),
        _ => {
            let grown = grown(Wide::new(magnitude));
            (grown + grown / (grown + 1.0)).doubled(-1).into()
        }
    };
    sine.with_sign(x < 0.0)
}

pub(super) fn cosh(x: f64) -> Scaled {
    if x.is_nan() { Scaled::NAN } else { half_sum(x.abs(), 1.0) }
}

pub(super) fn tanh(x: f64) -> Scaled {
    let magnitude = x.abs();
    if magnitude < TINY || x.is_nan() {
        return x.into();
    }
    let tangent = match magnitude {
        LARGE.. => Wide::ONE,
        0.17.. => Wide::ONE - Wide::new(2.0) / (exponential(Wide::new(2.0 * magnitude)).wide() + 1.0),
        _ => {
            let grown = grown(Wide::new(2.0 * magnitude));
            grown / (grown + 2.0)
        }
    };
    Scaled::from(tangent).with_sign(x < 0.0)
}

pub(super) fn asinh(x: f64) -> Scaled {
    let magnitude = x.abs();
    if magnitude < TINY || !x.is_finite() {
        return x.into();
    }
    let area = match magnitude {
        HUGE.. => logarithm(Wide::new(magnitude)) + LN_2,
        _ => {
            let square = Wide::product(magnitude, magnitude);
            logarithm_plus_one(square / ((square + 1.0).sqrt() + 1.0) + magnitude)
        }
    };
    Scaled::from(area).with_sign(x < 0.0)
}

pub(super) fn acosh(x: f64) -> Scaled {
    match x {
        f64::INFINITY => x.into(),
        HUGE.. => (logarithm(Wide::new(x)) + LN_2).into(),
        1.0.. => {
            let beyond = Wide::sum(x, -1.0);
            logarithm_plus_one(beyond + (beyond * (beyond + 2.0)).sqrt()).into()
        }
        _ => Scaled::NAN,
    }
}

pub(super) fn atanh(x: f64) -> Scaled {
    let magnitude = x.abs();
    if magnitude < TINY {
        return x.into();
    }
    let area = match magnitude {
        1.0 => Wide::new(f64::INFINITY),
        _ if magnitude < 1.0 => {
            let ratio = Wide::new(2.0 * magnitude) / Wide::sum(1.0, -magnitude);
            logarithm_plus_one(ratio).doubled(-1)
        }
        _ => return Scaled::NAN,
    };
    Scaled::from(area).with_sign(x < 0.0)
}

/// `(e^x ± e^−x) / 2` for `x ≥ 0`.
fn half_sum(x: f64, sign: f64) -> Scaled {
    let power = exponential(Wide::new(x));
    if x >= LARGE {
        return Scaled::new(power.value, power.exponent.saturating_sub(1));
    }
    let power = power.wide();
    (power + Wide::new(sign) / power).doubled(-1).into()
}
