//! Remainders of divisions, exact.
//!
//! The significands are divided as integers; each step computes as many bits of the quotient as fit in a 64-bit integer above the divisor:
//! 40 in 32 bits, 11 in 64. The rest is divided again, until the exponents are equal:
//!
//! ```text
//! rest = (rest * 2^step) mod divisor          quotient = quotient * 2^step + (rest * 2^step) / divisor
//! ```

use reconverge_ir::Op;
use spirv::FPRoundingMode;

use super::exact::{Parts, Unrounded, magnitude};
use super::integer::leading_zeros;
use crate::formula::Value;

/// The division of two finite magnitudes other than zero.
struct Division<'w> {
    /// The remainder, below the divisor, in units of `2^exponent`.
    rest: Value<'w>,
    /// The divisor in the same units.
    divisor: Value<'w>,
    /// The exponent, with the bias, that goes with the significands.
    exponent: Value<'w>,
    /// The lowest bits of the quotient.
    quotient: Value<'w>,
}

impl<'w> Division<'w> {
    fn new(x: Value<'w>, y: Value<'w>) -> Division<'w> {
        let (of_x, of_y) = (Parts::of(x), Parts::of(y));
        let (upper, lower) = (of_x.exponent.to_signed_width(32), of_y.exponent.to_signed_width(32));
        let (dividend, divisor) = (of_x.significand.to_width(64), of_y.significand.to_width(64));
        let bits = upper - lower;
        // A dividend slightly below the divisor is in its own units; a smaller dividend is unchanged.
        let is_below = bits.is_negative();
        let divisor = is_below.select(divisor << 1, divisor);
        let exponent = is_below.select(upper, lower);
        let first =
            [remainder(dividend, divisor), quotient(dividend, divisor), is_below.select(bits.constant(0), bits)];
        let room = u64::from(63 - x.format().fraction);
        let [rest, quotient, _] = x.writer().repeat(
            first,
            |[_, _, bits]| bits.differs(0),
            |[rest, sum, bits]| {
                let step = bits.less(room).select(bits, room);
                let shift = step.to_width(64);
                let dividend = rest << shift;
                [remainder(dividend, divisor), (sum << shift) + quotient(dividend, divisor), bits - step]
            },
        );
        Division { rest, divisor, exponent, quotient }
    }

    /// A magnitude in the units of the division, as a float with a sign bit.
    fn float(&self, like: Value<'w>, magnitude: Value<'w>, sign: Value<'w>) -> Value<'w> {
        let format = like.format();
        let zeros = leading_zeros(&[magnitude]);
        let number = Unrounded {
            significand: magnitude << (zeros & 63),
            exponent: self.exponent + u64::from(63 - format.fraction) - zeros.to_width(32),
            below: 63 - format.fraction,
            negative: sign.differs(0),
        };
        let bits = number.round(format, FPRoundingMode::RTE);
        (magnitude.equals(0).select(bits.constant(0), bits) | sign).float_of_bits()
    }
}

fn remainder<'w>(a: Value<'w>, b: Value<'w>) -> Value<'w> {
    a.writer().emit(Op::UMod, a.shape(), &[a, b])
}

fn quotient<'w>(a: Value<'w>, b: Value<'w>) -> Value<'w> {
    a.writer().emit(Op::UDiv, a.shape(), &[a, b])
}

fn sign(x: Value<'_>) -> Value<'_> {
    x.bits() & x.format().sign()
}

/// Both operands, or ones if the result is a special case.
fn safe<'w>(x: Value<'w>, y: Value<'w>) -> (Value<'w>, [Value<'w>; 2]) {
    let divides = x.is_finite() & !y.is_nan() & y.differs(0.0);
    let is_whole = divides & (x.equals(0.0) | y.is_infinite());
    let one = x.constant(1.0);
    let works = divides & !is_whole;
    (divides, [works.select(x, one), works.select(y, one)])
}

/// The result of a division, the dividend if it is much smaller than the divisor, or NaN if the result is undefined.
fn completed<'w>(x: Value<'w>, y: Value<'w>, result: Value<'w>) -> Value<'w> {
    let (divides, _) = safe(x, y);
    let is_whole = x.equals(0.0) | y.is_infinite();
    divides.select(is_whole.select(x, result), x.constant(f64::NAN))
}

/// Computes whether one exponent is so far below the other that the nearest multiple is zero.
fn is_far_below<'w>(x: Value<'w>, y: Value<'w>) -> Value<'w> {
    (Parts::of(x).exponent - Parts::of(y).exponent).signed_less(u64::MAX >> (64 - x.shape().width()))
}

/// `x - n y` with the quotient cut to the whole number `n`; it has the sign of `x`.
pub(super) fn of_truncated<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let (_, [dividend, divisor]) = safe(x, y);
    let division = Division::new(dividend, divisor);
    let result = division.float(x, division.rest, sign(x));
    let is_below = magnitude(&[dividend]).less(magnitude(&[divisor]));
    completed(x, y, is_below.select(x, result))
}

/// `x - n y` with the quotient rounded down to the whole number `n`; it has the sign of `y`.
pub(super) fn of_floored<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let rest = of_truncated(operands);
    let is_wrong = rest.differs(0.0) & (sign(rest) ^ sign(y)).differs(0);
    is_wrong.select(rest + y, rest.equals(0.0).select(x.constant(0.0).with_sign_of(y), rest))
}

/// The integer nearest to the quotient: whether it is rounded up, and the division.
fn nearest<'w>(x: Value<'w>, y: Value<'w>) -> (Value<'w>, Division<'w>) {
    let division = Division::new(x, y);
    let twice = division.rest << 1;
    let is_odd = (division.quotient & 1).differs(0);
    let up = twice.greater(division.divisor) | (twice.equals(division.divisor) & is_odd);
    (up & !is_far_below(x, y), division)
}

/// `x - n y` with the quotient rounded to the nearest whole number `n`, ties to even.
pub(super) fn of_nearest<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let (_, [dividend, divisor]) = safe(x, y);
    let (up, division) = nearest(dividend, divisor);
    let rest = up.select(division.divisor - division.rest, division.rest);
    let sign_bit = up.select(sign(x) ^ x.format().sign(), sign(x));
    let sign_bit = rest.equals(0).select(sign(x), sign_bit);
    let result = division.float(x, rest, sign_bit);
    completed(x, y, is_far_below(dividend, divisor).select(x, result))
}

/// The lowest seven bits of the quotient of [`of_nearest`], with its sign.
pub(super) fn quotient_of_nearest<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let (divides, [dividend, divisor]) = safe(x, y);
    let (up, division) = nearest(dividend, divisor);
    let quotient = is_far_below(dividend, divisor).select(up.to_int(64), division.quotient + up.to_int(64));
    let low = (quotient & 127).to_width(32);
    let signed = (sign(x) ^ sign(y)).differs(0).select(-low, low);
    let works = divides & !x.equals(0.0) & !y.is_infinite();
    works.select(signed, 0)
}
