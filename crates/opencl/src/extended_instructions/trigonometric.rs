//! Sine, cosine and tangent, of angles in radians and in half turns.
//!
//! Within an eighth of a turn the Taylor series are truncated where the rest is below an eighth of a unit in the last place: after `x^11`
//! and `x^10` in 32 bits, `x^19` and `x^20` in 64. The low part of the angle is used in the first terms.

use super::numbers::{PI, terms};
use super::pair::{Pair, ordered_sum, product, quotient};
use super::reduction::{Reduced, reduced};
use crate::formula::{Value, polynomial};

fn inverse_factorial(n: usize) -> f64 {
    1.0 / (1..=n).map(|n| n as f64).product::<f64>()
}

fn alternating(index: usize) -> f64 {
    if index.is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// The sine of an angle of at most an eighth of a turn.
fn sine_near_zero(x: Pair<'_>) -> Value<'_> {
    let z = x.high * x.high;
    let coefficients = terms(z, 5, 9, |index| -alternating(index) * inverse_factorial(2 * index + 3));
    let cubic = z * x.high * polynomial(z, &coefficients);
    x.high + (cubic + (x.low - z * x.low * 0.5))
}

/// The cosine of an angle of at most an eighth of a turn.
fn cosine_near_zero(x: Pair<'_>) -> Value<'_> {
    let z = x.high * x.high;
    let coefficients = terms(z, 4, 9, |index| alternating(index) * inverse_factorial(2 * index + 4));
    let one = ordered_sum(z.constant(1.0), z * -0.5);
    one.high + (one.low + (z * z * polynomial(z, &coefficients) - x.high * x.low))
}

fn sine_of(angle: Reduced<'_>) -> Value<'_> {
    let is_odd = (angle.quarters & 1).differs(0);
    let magnitude = is_odd.select(cosine_near_zero(angle.rest), sine_near_zero(angle.rest));
    (angle.quarters & 2).differs(0).select(-magnitude, magnitude)
}

fn cosine_of(angle: Reduced<'_>) -> Value<'_> {
    sine_of(Reduced { quarters: angle.quarters + 1, ..angle })
}

fn tangent_of(angle: Reduced<'_>) -> Value<'_> {
    let (sine, cosine) = (sine_near_zero(angle.rest), cosine_near_zero(angle.rest));
    let is_odd = (angle.quarters & 1).differs(0);
    quotient(is_odd.select(-cosine, sine), is_odd.select(sine, cosine)).value()
}

/// The result for a finite angle other than zero; for zero, `zero`.
fn completed<'w>(x: Value<'w>, of_zero: Value<'w>, result: impl FnOnce(Value<'w>) -> Value<'w>) -> Value<'w> {
    let magnitude = super::exact::magnitude(&[x]);
    let is_none = !magnitude.less(f64::INFINITY);
    let result = result(is_none.select(x.constant(0.0), x));
    let result = magnitude.equals(0.0).select(of_zero, result);
    is_none.select(x.constant(f64::NAN), result)
}

pub(super) fn sine<'w>(operands: &[Value<'w>]) -> Value<'w> {
    completed(operands[0], operands[0], |x| sine_of(reduced(x)))
}

pub(super) fn cosine<'w>(operands: &[Value<'w>]) -> Value<'w> {
    completed(operands[0], operands[0].constant(1.0), |x| cosine_of(reduced(x)))
}

pub(super) fn tangent<'w>(operands: &[Value<'w>]) -> Value<'w> {
    completed(operands[0], operands[0], |x| tangent_of(reduced(x)))
}

/// An angle in half turns: the quarter turns and the rest are exact before the rest is converted to radians.
fn of_half_turns(x: Value<'_>) -> Reduced<'_> {
    // Modulo a turn, so that quarter turns are an integer of 32 bits.
    let part = x - (x * 0.5).round_even() * 2.0;
    let quarters = (part + part).round_even();
    let rest = part - quarters * 0.5;
    let pi = PI.pair(x);
    let exact = product(rest, pi.high);
    let rest = ordered_sum(exact.high, exact.low + rest * pi.low);
    Reduced { quarters: quarters.to_signed(32), rest }
}

/// The sine of an angle in half turns; for an integer a zero with its sign.
pub(super) fn sine_of_half_turns<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let is_whole = x.truncate().equals(x);
    let sine = completed(x, x, |x| sine_of(of_half_turns(x)));
    (is_whole & !x.is_infinite()).select(x.constant(0.0).with_sign_of(x), sine)
}

/// The cosine of an angle in half turns; zeros are positive.
pub(super) fn cosine_of_half_turns<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let cosine = completed(x, x.constant(1.0), |x| cosine_of(of_half_turns(x)));
    cosine.equals(0.0).select(x.constant(0.0), cosine)
}

/// The tangent of an angle in half turns. For even integers it is a zero with their sign, for odd ones with the opposite sign; halfway
/// between it is infinite, positive after even integers.
pub(super) fn tangent_of_half_turns<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let tangent = completed(x, x, |x| tangent_of(of_half_turns(x)));
    let floor = x.floor();
    let half = floor * 0.5;
    let is_odd = half.floor().differs(half);
    let is_whole = floor.equals(x) & !x.is_infinite();
    let zero = x.constant(0.0).with_sign_of(is_odd.select(-x, x));
    let at_half = (x - floor).equals(0.5);
    let infinity = is_odd.select(x.constant(f64::NEG_INFINITY), f64::INFINITY);
    is_whole.select(zero, at_half.select(infinity, tangent))
}
