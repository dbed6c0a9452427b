//! Floating-point functions with one correct result: rounding, comparison, decomposition and composition.
//!
//! Floats are decomposed by their bits, so that subnormal numbers are correct on devices that flush them.

use spirv::{FPRoundingMode, GlslStd450Op as Glsl};

use super::integer::{leading_zeros, signed_clamp};
use crate::formula::{Format, Value};

/// Halfway cases round to the even integer.
pub(super) fn rint<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0].round_even()
}

/// The nearest integer, ties to even, without the device's instruction for it.
pub(crate) fn round_even(x: Value<'_>) -> Value<'_> {
    let whole = x.truncate();
    let rest = (x - whole).magnitude();
    let half = whole * 0.5;
    let is_tie_to_odd = rest.equals(0.5) & half.differs(half.truncate());
    let away = (rest.greater(0.5) | is_tie_to_odd).select(x.constant(1.0), 0.0).with_sign_of(x);
    // A zero result has the sign of the operand.
    (whole + away).with_sign_of(x)
}

/// Halfway cases round away from zero.
pub(super) fn round<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let whole = x.truncate();
    let rest = (x - whole).magnitude();
    let away = rest.at_least(0.5).select(x.constant(1.0), 0.0).with_sign_of(x);
    // A zero result has the sign of the operand.
    (whole + away).with_sign_of(x)
}

/// The device's square root; NaN for negative numbers, where the device's result is undefined.
pub(super) fn square_root<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    x.less(0.0).select(x.constant(f64::NAN), x.square_root())
}

/// The reciprocal of the square root. The device's result is undefined at zero and below.
pub(super) fn inverse_square_root<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let result = x.less(0.0).select(x.constant(f64::NAN), x.glsl(Glsl::InverseSqrt));
    x.equals(0.0).select(x.constant(f64::INFINITY).with_sign_of(x), result)
}

pub(super) fn copy_sign<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0].with_sign_of(operands[1])
}

pub(super) fn magnitude<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    (x.bits() & (x.format().sign() - 1)).float_of_bits()
}

pub(super) fn positive_difference<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    x.at_most(y).select(x.constant(0.0), x - y)
}

/// The operand with the larger magnitude; for equal magnitudes and NaN, the result of `fmax`.
pub(super) fn larger_magnitude<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let (of_x, of_y) = (magnitude(&[x]), magnitude(&[y]));
    of_x.greater(of_y).select(x, of_y.greater(of_x).select(y, x.writer().glsl(Glsl::NMax, x.shape(), &[x, y])))
}

/// The operand with the smaller magnitude; for equal magnitudes and NaN, the result of `fmin`.
pub(super) fn smaller_magnitude<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let (of_x, of_y) = (magnitude(&[x]), magnitude(&[y]));
    of_x.less(of_y).select(x, of_y.less(of_x).select(y, x.writer().glsl(Glsl::NMin, x.shape(), &[x, y])))
}

/// 1, -1 or a zero of the same sign; 0 for NaN.
pub(super) fn sign<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let one = x.constant(1.0).with_sign_of(x);
    x.is_nan().select(x.constant(0.0), x.equals(0.0).select(x, one))
}

pub(super) fn step<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (edge, x) = (operands[0], operands[1]);
    x.less(edge).select(x.constant(0.0), 1.0)
}

pub(super) fn smooth_step<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (low, high, x) = (operands[0], operands[1], operands[2]);
    let part = (x - low) / (high - low);
    let part = x.writer().glsl(Glsl::NClamp, x.shape(), &[part, x.constant(0.0), x.constant(1.0)]);
    part * part * (x.constant(3.0) - part * 2.0)
}

pub(super) fn mix<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y, part) = (operands[0], operands[1], operands[2]);
    x + (y - x) * part
}

pub(super) fn degrees<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0] * 57.295_779_513_082_32
}

pub(super) fn radians<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0] * 0.017_453_292_519_943_295
}

pub(super) fn floor<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0].floor()
}

pub(super) fn truncate<'w>(operands: &[Value<'w>]) -> Value<'w> {
    operands[0].truncate()
}

/// The difference to the floor, clamped below one.
pub(super) fn fraction<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let format = x.format();
    let below_one = x.constant_bits((format.bias << format.fraction) - 1);
    let rest = x - x.floor();
    let rest = rest.greater(below_one).select(below_one, rest);
    (x.is_infinite() | x.equals(0.0)).select(x.constant(0.0).with_sign_of(x), rest)
}

/// The fractional part, with the sign of the operand.
pub(super) fn fraction_toward_zero<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    x.is_infinite().select(x.constant(0.0), x - x.truncate()).with_sign_of(x)
}

/// The next number toward the other operand.
pub(super) fn next_toward<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, y) = (operands[0], operands[1]);
    let sign = x.format().sign();
    // Floats in their order as integers: the bits of positive ones, the negated magnitude of negative ones.
    let rank = |value: Value<'w>| {
        let magnitude = value.bits() & (sign - 1);
        value.bits().is_negative().select(-magnitude, magnitude)
    };
    let (bits, of_x, of_y) = (x.bits(), rank(x), rank(y));
    // Away from zero the bits increase by one. From zero the result is the least number, with the sign of `y`.
    let grows = of_x.signed_less(of_y) ^ bits.is_negative();
    let next = grows.select(bits + 1, bits - 1);
    let next = of_x.equals(0).select((y.bits() & sign) | 1, next).float_of_bits();
    let next = of_x.equals(of_y).select(y, next);
    (x.is_nan() | y.is_nan()).select(x.constant(f64::NAN), next)
}

/// A quiet NaN with a code in its fraction.
pub(super) fn nan<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let format = Format::of(operands[0].shape().width());
    ((operands[0] & (format.fraction_mask() >> 1)) | format.nan()).float_of_bits()
}

/// A finite number other than zero, as `significand * 2^exponent`. The leading bit of the significand is at place `fraction`.
pub(super) struct Parts<'w> {
    /// The sign, at its place.
    pub(super) sign: Value<'w>,
    /// The significand with its leading bit; undefined for zero, infinities and NaN.
    pub(super) significand: Value<'w>,
    /// The exponent with the bias; zero and below for subnormal numbers. A signed integer of the same width.
    pub(super) exponent: Value<'w>,
}

impl<'w> Parts<'w> {
    /// Decomposes a number.
    pub(super) fn of(x: Value<'w>) -> Parts<'w> {
        let format = x.format();
        let bits = x.bits();
        let fraction = bits & format.fraction_mask();
        let exponent = (bits >> u64::from(format.fraction)) & format.special_exponent();
        let is_subnormal = exponent.equals(0);
        let lift = leading_zeros(&[fraction]) - u64::from(format.width - 1 - format.fraction);
        // For zero the shift amount would be the width or more; the result is not used.
        let lift = lift & u64::from(format.width - 1);
        Parts {
            sign: bits & format.sign(),
            significand: is_subnormal.select(fraction << lift, fraction | (1 << format.fraction)),
            exponent: is_subnormal.select(lift.constant(1) - lift, exponent),
        }
    }
}

/// Computes whether a number is zero, infinite or NaN, for which the exponent of [`Parts`] is undefined.
fn is_special(x: Value<'_>) -> Value<'_> {
    let magnitude = x.bits() & (x.format().sign() - 1);
    magnitude.equals(0) | magnitude.at_least(x.format().infinity())
}

/// The significand in [0.5, 1).
pub(super) fn significand<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let format = x.format();
    let parts = Parts::of(x);
    let bits = parts.sign | (parts.significand & format.fraction_mask()) | ((format.bias - 1) << format.fraction);
    is_special(x).select(x, bits.float_of_bits())
}

/// The exponent for [`significand`].
pub(super) fn exponent<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let exponent = Parts::of(x).exponent - (x.format().bias - 1);
    is_special(x).select(exponent.constant(0), exponent).to_signed_width(32)
}

/// The exponent as an integer; the least integer for zero, the greatest for infinities and NaN.
pub(super) fn integer_logarithm<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let magnitude = x.bits() & (x.format().sign() - 1);
    let exponent = (Parts::of(x).exponent - x.format().bias).to_signed_width(32);
    let exponent = magnitude.at_least(x.format().infinity()).select(exponent.constant(0x7fff_ffff), exponent);
    magnitude.equals(0).select(exponent.constant(0x8000_0000), exponent)
}

/// The exponent as a float; minus infinity for zero, infinity for infinities.
pub(super) fn exponent_part<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let x = operands[0];
    let exponent = (Parts::of(x).exponent - x.format().bias).to_signed_width(32).signed_to_float(x.shape().width());
    let magnitude = x.bits() & (x.format().sign() - 1);
    let exponent = magnitude.at_least(x.format().infinity()).select(magnitude.float_of_bits(), exponent);
    magnitude.equals(0).select(x.constant(f64::NEG_INFINITY), exponent)
}

/// `x * 2^n`, rounded once.
pub(super) fn scale<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (x, amount) = (operands[0], operands[1]);
    let format = x.format();
    // Beyond this every result is zero or infinite, whatever the exponent.
    let most = 4 * format.bias;
    let amount =
        signed_clamp(&[amount, amount.constant(u64::from((most as u32).wrapping_neg())), amount.constant(most)]);
    let parts = Parts::of(x);
    let exponent = parts.exponent + amount.to_signed_width(format.width);
    // Two bits below the last: one that decides, and a sticky bit.
    let number = Unrounded { significand: parts.significand << 2, exponent, below: 2, negative: parts.sign.differs(0) };
    let bits = number.round(format, FPRoundingMode::RTE) | parts.sign;
    is_special(x).select(x, bits.float_of_bits())
}

/// A positive number with more bits than its format has.
#[derive(Clone, Copy)]
pub(super) struct Unrounded<'w> {
    /// The significand: its leading bit is at place `fraction + below`; the lowest bit may be a sticky bit.
    pub(super) significand: Value<'w>,
    /// The exponent with the bias, a signed integer.
    pub(super) exponent: Value<'w>,
    /// The number of bits below the last bit of a normal number. At least 2: the first one decides, and must not be the sticky bit.
    pub(super) below: u32,
    /// True for the magnitude of a negative number, for directed rounding modes.
    pub(super) negative: Value<'w>,
}

impl<'w> Unrounded<'w> {
    /// The bits of the number without its sign, as an integer of the width of the format.
    pub(super) fn round(self, format: Format, rounding: FPRoundingMode) -> Value<'w> {
        let (significand, exponent) = (self.significand, self.exponent);
        let width = significand.shape().width();
        // A subnormal number loses as many more bits as its exponent is below 1, at most all of the significand.
        let is_subnormal = exponent.signed_less(1);
        let most = exponent.constant(u64::from(format.fraction + 2));
        let deficit = exponent.constant(1) - exponent;
        let deficit = is_subnormal.select(deficit.less(most).select(deficit, most), 0).to_width(width);
        let cut = significand >> deficit;
        let cut = cut | (cut << deficit).differs(significand).to_int(width);
        let kept = cut >> u64::from(self.below);
        let rest = cut & ((1 << self.below) - 1);
        // The leading bit adds one to the exponent, and so does a carry out of the fraction.
        let field = is_subnormal.select(exponent.constant(0), exponent - 1).to_width(width);
        let bits = (field << u64::from(format.fraction)) + kept;
        let infinity = bits.constant(format.infinity());
        let overflows = exponent.signed_greater(2 * format.bias);
        let goes_up = self.goes_up(rounding, kept, rest);
        let (rounded, beyond) = match goes_up {
            Some((up, beyond)) => (bits + up.to_int(width), beyond.select(infinity, format.infinity() - 1)),
            None => (bits, bits.constant(format.infinity() - 1)),
        };
        overflows.select(beyond, rounded).to_width(format.width)
    }

    /// Computes whether the number is rounded away from zero, and whether overflow becomes infinity.
    fn goes_up(self, rounding: FPRoundingMode, kept: Value<'w>, rest: Value<'w>) -> Option<(Value<'w>, Value<'w>)> {
        let half = 1 << (self.below - 1);
        let is_part = rest.differs(0);
        match rounding {
            FPRoundingMode::RTE => {
                let up = rest.greater(half) | (rest.equals(half) & (kept & 1).differs(0));
                Some((up, is_part.constant(1)))
            }
            FPRoundingMode::RTZ => None,
            FPRoundingMode::RTP => Some((is_part & !self.negative, !self.negative)),
            FPRoundingMode::RTN => Some((is_part & self.negative, self.negative)),
        }
    }
}
