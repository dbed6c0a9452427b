//! The gamma function and its logarithm.
//!
//! Near two, `ln Γ(2 + z) = (1 − γ) z + Σ (−1)^k (ζ(k) − 1) z^k / k` for `|z| ≤ ½` (Abramowitz and Stegun, 6.1.33): error 2⁻¹⁰⁶ after 52
//! terms. Other arguments are reduced by `Γ(x + 1) = x Γ(x)`, whose factors are exact wide numbers; from 32 on the logarithm is Stirling's
//! series (6.1.41), error 2⁻¹²⁰ after 14 terms. Below zero by reflection, `Γ(x) Γ(1 − x) = π / sin πx` (6.1.17).
//!
//! The logarithm has zeros. At one and two the series is accurate. Each negative zero is between two doubles; for a double next to it up to
//! 2⁵⁰ cancels, which leaves 50 bits. (The doubles next to the first 24 were tested; all were correctly rounded.) Everywhere else the error
//! is below 2⁻⁹⁵.

use super::circular::sin_pi;
use super::constants::{HALF_LN_TWO_PI, LN_GAMMA_AT_2, PI, STIRLING};
use super::exponential::{TINY, exponential};
use super::logarithm::logarithm;
use super::wide::{Scaled, Wide, split};

/// `ln |Γ(x)|`, and the sign of the gamma function: zero at a pole; `None` if undefined.
pub(super) fn ln_gamma(x: f64) -> (Scaled, Option<i8>) {
    match x {
        f64::INFINITY => return (x.into(), Some(1)),
        f64::NEG_INFINITY => return (f64::INFINITY.into(), None),
        _ if x.is_nan() => return (Scaled::NAN, None),
        _ if x <= 0.0 && x.floor() == x => return (f64::INFINITY.into(), Some(0)),
        _ => {}
    }
    let sign = if x > 0.0 || x.floor() % 2.0 == 0.0 { 1 } else { -1 };
    let logarithm = match x.abs() {
        magnitude if magnitude < TINY => (-logarithm(Wide::new(magnitude))).into(),
        _ if x > 0.0 => of_positive(Wide::new(x)),
        _ => {
            let sine = sin_pi(x).value.abs();
            (logarithm(PI / sine) - of_positive(Wide::sum(1.0, -x)).wide()).into()
        }
    };
    (logarithm, Some(sign))
}

/// `Γ(x)`: infinite at zero, NaN at the other poles.
pub(super) fn gamma(x: f64) -> Scaled {
    /// Beyond this every format overflows, or underflows on the other side.
    const FAR: f64 = 200.0;
    match x {
        _ if x == 0.0 => return (1.0 / x).into(),
        f64::INFINITY => return x.into(),
        _ if x.is_nan() || x < 0.0 && x.floor() == x => return Scaled::NAN,
        FAR.. => return Scaled::new(Wide::ONE, 10_000),
        _ => {}
    }
    if x.abs() < TINY {
        let (significand, exponent) = split(x);
        return Scaled::new(Wide::ONE / significand, -exponent);
    }
    if x > 0.0 {
        return product(Wide::new(x));
    }
    let sine = sin_pi(x).value;
    if x < -FAR {
        return Scaled::new(Wide::ONE, -10_000).with_sign(sine.high < 0.0);
    }
    let other = product(Wide::sum(1.0, -x));
    Scaled::new(PI / (sine * other.value), -other.exponent)
}

/// `ln Γ(x)` for `x > 0`.
fn of_positive(x: Wide) -> Scaled {
    /// From here on only `x (ln x − 1)` matters.
    const HUGE: f64 = 1e60;
    match x.high {
        HUGE.. => Scaled::new((logarithm(x) + -1.0) * x.doubled(-100), 100),
        32.0.. => stirling(x).into(),
        _ => {
            let NearTwo { factors, is_divisor, rest } = NearTwo::new(x);
            let factors = if is_divisor { -logarithm(factors) } else { logarithm(factors) };
            (factors + at_two(rest)).into()
        }
    }
}

/// `Γ(x)` for `0 < x ≤ 201`.
fn product(x: Wide) -> Scaled {
    let NearTwo { factors, is_divisor, rest } = NearTwo::new(x);
    let Scaled { value, exponent } = exponential(at_two(rest));
    let value = if is_divisor { value / factors } else { value * factors };
    Scaled::new(value, exponent + if x.high > MANY { HALVINGS } else { 0 })
}

/// From here on the product of the factors, up to 2¹²⁴⁵, has to be split to be a double.
const MANY: f64 = 160.0;
const HALVINGS: i32 = 320;

/// The reduction of `Γ(x)` to `Γ(2 + rest)`, where `|rest| ≤ ½`.
struct NearTwo {
    factors: Wide,
    is_divisor: bool,
    rest: Wide,
}

impl NearTwo {
    fn new(x: Wide) -> NearTwo {
        let steps = (x.high - 2.0).round_ties_even();
        let start = if x.high > MANY { Wide::ONE.doubled(-HALVINGS) } else { Wide::ONE };
        let shifted = |step: i32| x + f64::from(step);
        let factors = match steps as i32 {
            steps @ ..0 => (0..-steps).fold(start, |product, step| product * shifted(step)),
            steps => (1..=steps).fold(start, |product, step| product * shifted(-step)),
        };
        NearTwo { factors, is_divisor: steps < 0.0, rest: x + -(2.0 + steps) }
    }
}

/// `ln Γ(2 + z)` for `|z| ≤ ½`.
fn at_two(z: Wide) -> Wide {
    LN_GAMMA_AT_2.iter().rev().fold(Wide::new(0.0), |sum, &coefficient| (sum + coefficient) * z)
}

/// `(x − ½) ln x − x + ½ ln 2π + Σ B₂ₖ / (2k (2k − 1) x^(2k − 1))`.
fn stirling(x: Wide) -> Wide {
    let inverse = Wide::ONE / x;
    let square = inverse.square();
    let series = STIRLING.iter().rev().fold(Wide::new(0.0), |sum, &coefficient| sum * square + coefficient);
    (x + -0.5) * logarithm(x) - x + HALF_LN_TWO_PI + series * inverse
}
