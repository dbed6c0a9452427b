//! The gamma function and its logarithm.
//!
//! For large numbers Stirling's series, in twice the precision except for its tail: `log gamma(w) = (w - 1/2) (log w - 1) - 1/2 + log
//! sqrt(2 pi) + 1 / 12 w - 1 / 360 w^3 + …`. Smaller numbers are shifted up by `gamma(z) = gamma(z + n) / (z (z + 1) … (z + n - 1))`, to 8
//! in 32 bits and to 16 in 64. Below one half the reflection `gamma(x) gamma(1 - x) = pi / sin(pi x)`. Near 1 and 2, where the logarithm is
//! zero, its Taylor series: `log gamma(1 + r) = -euler r + zeta(2) / 2 r^2 - zeta(3) / 3 r^3 + …`; around 2 with `1 - euler` and `zeta(n) - 1`.

use super::exponential;
use super::logarithm;
use super::numbers::{LN_PI, LN_ROOT_TWO_PI, MINUS_EULER, ONE_MINUS_EULER, PI, terms};
use super::pair::{Pair, sum};
use super::trigonometric::sine_of_half_turns;
use crate::formula::{Value, polynomial};

/// The coefficients of `w^-1`, `w^-3` and so on: `B(2n) / (2n (2n - 1))` for the Bernoulli numbers.
const STIRLING: [f64; 8] = [
    1.0 / 12.0,
    -1.0 / 360.0,
    1.0 / 1260.0,
    -1.0 / 1680.0,
    1.0 / 1188.0,
    -691.0 / 360_360.0,
    1.0 / 156.0,
    -3617.0 / 122_400.0,
];

/// A gamma function as the power of e by `logarithm`, divided by `divisor`.
struct Gamma<'w> {
    logarithm: Pair<'w>,
    divisor: Pair<'w>,
    /// True if the number was shifted up; if not, the divisor is one.
    is_low: Value<'w>,
}

impl<'w> Gamma<'w> {
    /// The function of a finite number that is at least one half.
    fn of(z: Pair<'w>) -> Gamma<'w> {
        let one = z.high.constant(1.0);
        let (lift, count) = if z.high.shape().width() == 64 { (16, 8) } else { (8, 4) };
        let is_low = z.high.less(f64::from(lift));
        // Larger numbers are not shifted; the factors are ones then, so that the product is finite.
        let start = Pair::chosen(is_low, z, Pair::from(one));
        let product =
            (1..lift).fold(start, |product, step| product.times(start.plus_value(one.constant(f64::from(step)))));
        let divisor = Pair::chosen(is_low, product, Pair::from(one));
        let lifted = Pair::chosen(is_low, z.plus_value(one.constant(f64::from(lift))), z);
        let inverse = one / lifted.high;
        let tail = inverse * polynomial(inverse * inverse, &STIRLING[..count]);
        let half = one.constant(-0.5);
        let main = lifted.plus_value(half).times(logarithm::of_pair(lifted).plus_value(-one));
        let constant = LN_ROOT_TWO_PI.pair(one).plus_value(half).plus_value(tail);
        Gamma { logarithm: main.plus(constant), divisor, is_low }
    }

    /// The logarithm of the function.
    fn full_logarithm(&self) -> Pair<'w> {
        self.logarithm.plus(logarithm::of_pair(self.divisor).negated())
    }
}

/// The limits beyond which the function, and its logarithm, overflow.
fn limits(like: Value<'_>) -> (f64, f64) {
    if like.shape().width() == 64 { (180.0, 2.5e305) } else { (40.0, 4.085e36) }
}

/// The number, or `1 - x` below one half.
fn reflected<'w>(x: Value<'w>, limit: f64) -> (Value<'w>, Pair<'w>) {
    let is_reflected = x.less(0.5);
    let z = Pair::chosen(is_reflected, sum(x.constant(1.0), -x), Pair::from(x));
    let fits = z.high.less(limit);
    (is_reflected, Pair::chosen(fits, z, Pair::from(x.constant(limit))))
}

fn is_pole(x: Value<'_>) -> Value<'_> {
    x.at_most(0.0) & x.floor().equals(x)
}

pub(super) fn gamma<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let (is_reflected, z) = reflected(x, limits(x).0);
    let gamma = Gamma::of(z);
    // The square root of the inverse, since the power itself may be subnormal where the product is not.
    let exponent = Pair::chosen(is_reflected, gamma.logarithm.scaled(-0.5), gamma.logarithm);
    let power = exponential::of_pair(exponent);
    // The low part of a quotient by an infinite power would be NaN.
    let direct = Pair::from(power).over(gamma.divisor).value();
    let direct = power.is_infinite().select(power, direct);
    let divisor = gamma.divisor.value();
    let ratio = x.constant(PI.0) / sine_of_half_turns(&[x]);
    // This order avoids intermediate overflow: near zero the ratio is large, far from zero the power is small.
    let [first, last] = [gamma.is_low.select(divisor, ratio), gamma.is_low.select(ratio, 1.0)];
    let result = is_reflected.select(power * first * power * last, direct);
    let result = x.greater(limits(x).0).select(x.constant(f64::INFINITY), result);
    let zero = x.constant(f64::INFINITY).with_sign_of(x);
    let pole = x.equals(0.0).select(zero, x.constant(f64::NAN));
    let result = is_pole(x).select(pole, result);
    x.is_nan().select(x, result)
}

pub(super) fn logarithm_of_gamma<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let (is_reflected, z) = reflected(x, limits(x).1);
    let logarithm = Gamma::of(z).full_logarithm();
    let magnitude = super::exact::magnitude(&[x]);
    let sine = super::exact::magnitude(&[sine_of_half_turns(&[x])]);
    let sine = (is_reflected & sine.greater(0.0)).select(sine, 1.0);
    // A tiny number is that sine divided by pi, which loses digits where it is subnormal.
    let is_tiny = magnitude.less((-100f64).exp2()) & magnitude.greater(0.0);
    let sine = is_tiny.select(magnitude, sine);
    let factor = Pair::chosen(is_tiny, Pair::from(x.constant(0.0)), LN_PI.pair(x));
    let reflection = factor.plus(logarithm::of_positive(sine).plus(logarithm).negated());
    let result = Pair::chosen(is_reflected, reflection, logarithm).value();
    let (is_near_zero, zero) = near_zero(x);
    let result = is_near_zero.select(zero, result);
    let beyond = is_pole(x) | x.is_infinite() | x.greater(limits(x).1);
    let result = beyond.select(x.constant(f64::INFINITY), result);
    x.is_nan().select(x, result)
}

/// The zeta function of 2 and so on.
const ZETA: [f64; 14] = [
    1.644_934_066_848_226_4,
    1.202_056_903_159_594_2,
    1.082_323_233_711_138_1,
    1.036_927_755_143_37,
    1.017_343_061_984_449,
    1.008_349_277_381_922_7,
    1.004_077_356_197_944_4,
    1.002_008_392_826_082_1,
    1.000_994_575_127_818_2,
    1.000_494_188_604_119_4,
    1.000_246_086_553_308,
    1.000_122_713_347_578_5,
    1.000_061_248_135_058_6,
    1.000_030_588_236_307,
];

/// Computes whether a number is within 1/16 of 1 or 2, and the logarithm there.
fn near_zero<'w>(x: Value<'w>) -> (Value<'w>, Value<'w>) {
    let is_upper = x.greater(1.5);
    let r = x - is_upper.select(x.constant(2.0), 1.0);
    let is_near = super::exact::magnitude(&[r]).less(0.0625);
    let series = |taken: f64| {
        terms(x, 7, ZETA.len(), |index| {
            let sign = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
            sign * (ZETA[index] - taken) / (index + 2) as f64
        })
    };
    let (lower, upper) = (polynomial(r, &series(0.0)), polynomial(r, &series(1.0)));
    let tail = r * r * is_upper.select(upper, lower);
    let slope = Pair::chosen(is_upper, ONE_MINUS_EULER.pair(x), MINUS_EULER.pair(x));
    (is_near, slope.times_value(r).plus_value(tail).value())
}

/// The sign of the gamma function, as an integer; 0 at poles.
pub(super) fn sign_of_gamma<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let half = x.floor() * 0.5;
    let is_odd = half.floor().less(half);
    let one = (x.less(0.0) & is_odd).to_int(32);
    is_pole(x).select(one.constant(0), one.constant(1) - (one + one))
}
