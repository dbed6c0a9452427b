//! Inverse trigonometric functions, all by the arctangent of a quotient in twice the precision.
//!
//! For `0 <= q <= 1` the nearest `c` of 0, 3/8 and 3/4 is subtracted: `atan q = atan c + atan t` with `t = (q - c) / (1 + q c)`, which is
//! below 0.19 in magnitude. The Taylor series has terms up to `t^13` in 32 bits and up to `t^27` in 64. For larger quotients, `atan (a / b)
//! = pi / 2 - atan (b / a)`.

use super::numbers::{ATAN_3_4, ATAN_3_8, HALF_PI, ONE_OVER_PI, PI, terms};
use super::pair::{Pair, sum};
use crate::formula::{Value, polynomial};

/// The arctangent of a number in [0, 1].
fn below_one(q: Pair<'_>) -> Pair<'_> {
    let middle = q.high.at_least(0.1875);
    let upper = q.high.at_least(0.5625);
    let zero = q.high.constant(0.0);
    let center = upper.select(zero.constant(0.75), middle.select(zero.constant(0.375), 0.0));
    let angle = Pair::chosen(middle, ATAN_3_8.pair(zero), Pair::from(zero));
    let angle = Pair::chosen(upper, ATAN_3_4.pair(zero), angle);
    let below = q.times_value(center).plus_value(zero.constant(1.0));
    let t = Pair::chosen(middle, q.plus_value(-center).over(below), q);
    let z = t.high * t.high;
    let coefficients = terms(z, 6, 13, |index| {
        let sign = if index.is_multiple_of(2) { -1.0 } else { 1.0 };
        sign / (2 * index + 3) as f64
    });
    let rest = t.high * z * polynomial(z, &coefficients) - t.low * z;
    angle.plus(Pair { high: t.high, low: t.low + rest })
}

/// The angle of a point in the first quadrant, its coordinates in twice the precision; not both of them zero or infinite.
fn of_first_quadrant<'w>(y: Pair<'w>, x: Pair<'w>) -> Pair<'w> {
    let is_steep = y.high.greater(x.high);
    let (small, large) = (Pair::chosen(is_steep, x, y), Pair::chosen(is_steep, y, x));
    // If one coordinate is infinite, the other has no effect; the low part of the quotient would be NaN.
    let is_nothing = large.high.is_infinite() | small.high.equals(0.0);
    let quotient = small.over(large);
    let zero = Pair::from(y.high.constant(0.0));
    let flat = below_one(Pair::chosen(is_nothing, zero, quotient));
    Pair::chosen(is_steep, HALF_PI.pair(y.high).plus(flat.negated()), flat)
}

fn magnitude(x: Value<'_>) -> Value<'_> {
    super::exact::magnitude(&[x])
}

/// The angle of a point, without the sign of `y`.
fn angle<'w>(y: Value<'w>, x: Value<'w>) -> Pair<'w> {
    let (up, right) = (magnitude(y), magnitude(x));
    // If both are infinite, the direction is the diagonal.
    let diagonal = y.is_infinite() & x.is_infinite();
    let one = y.constant(1.0);
    let (up, right) = (diagonal.select(one, up), diagonal.select(one, right));
    // If both are zero, the direction is that of `x`.
    let right = (up.equals(0.0) & right.equals(0.0)).select(one, right);
    let acute = of_first_quadrant(Pair::from(up), Pair::from(right));
    Pair::chosen(x.bits().is_negative(), PI.pair(y).plus(acute.negated()), acute)
}

/// An angle in half turns. A small one is raised by a power of two meanwhile, since the low part of its product would be subnormal.
fn in_half_turns(angle: Pair<'_>) -> Value<'_> {
    let (limit, power) = if angle.high.shape().width() == 64 { (-200f64, 700f64) } else { (-30.0, 96.0) };
    let is_small = angle.high.less(limit.exp2());
    let raised = Pair::chosen(is_small, angle.scaled(power.exp2()), angle);
    let turns = raised.times(ONE_OVER_PI.pair(angle.high)).value();
    is_small.select(turns * (-power).exp2(), turns)
}

fn is_none<'w>(y: Value<'w>, x: Value<'w>) -> Value<'w> {
    y.is_nan() | x.is_nan()
}

pub(super) fn arctangent_of_quotient<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (y, x) = (operands[0], operands[1]);
    let result = angle(y, x).value().with_sign_of(y);
    is_none(y, x).select(y.constant(f64::NAN), result)
}

pub(super) fn arctangent_of_quotient_in_half_turns<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (y, x) = (operands[0], operands[1]);
    let result = in_half_turns(angle(y, x)).with_sign_of(y);
    is_none(y, x).select(y.constant(f64::NAN), result)
}

pub(super) fn arctangent<'w>(operands: &[Value<'w>]) -> Value<'w> {
    arctangent_of_quotient(&[operands[0], operands[0].constant(1.0)])
}

pub(super) fn arctangent_in_half_turns<'w>(operands: &[Value<'w>]) -> Value<'w> {
    arctangent_of_quotient_in_half_turns(&[operands[0], operands[0].constant(1.0)])
}

/// The other leg of a right triangle with a leg in [0, 1] and hypotenuse 1.
fn other_leg(leg: Value<'_>) -> Pair<'_> {
    let one = leg.constant(1.0);
    let square = sum(one, leg).times(sum(one, -leg));
    let is_one = leg.equals(1.0);
    let root = Pair::chosen(is_one, Pair::from(one), square).square_root();
    Pair::chosen(is_one, Pair::from(leg.constant(0.0)), root)
}

/// The magnitude, clamped to one.
fn clamped(x: Value<'_>) -> Value<'_> {
    let magnitude = magnitude(x);
    magnitude.at_most(1.0).select(magnitude, 1.0)
}

/// The angle whose sine is a magnitude.
fn arcsine_pair(x: Value<'_>) -> Pair<'_> {
    let sine = clamped(x);
    of_first_quadrant(Pair::from(sine), other_leg(sine))
}

/// The angle whose cosine is a number.
fn arccosine_pair(x: Value<'_>) -> Pair<'_> {
    let cosine = clamped(x);
    let acute = of_first_quadrant(other_leg(cosine), Pair::from(cosine));
    Pair::chosen(x.bits().is_negative(), PI.pair(x).plus(acute.negated()), acute)
}

fn in_range<'w>(x: Value<'w>, result: Value<'w>) -> Value<'w> {
    magnitude(x).at_most(1.0).select(result, x.constant(f64::NAN))
}

pub(super) fn arcsine<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    in_range(x, arcsine_pair(x).value().with_sign_of(x))
}

pub(super) fn arcsine_in_half_turns<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    in_range(x, in_half_turns(arcsine_pair(x)).with_sign_of(x))
}

pub(super) fn arccosine<'w>(operands: &[Value<'w>]) -> Value<'w> {
    in_range(operands[0], arccosine_pair(operands[0]).value())
}

pub(super) fn arccosine_in_half_turns<'w>(operands: &[Value<'w>]) -> Value<'w> {
    in_range(operands[0], in_half_turns(arccosine_pair(operands[0])))
}
