//! Conversions that saturate, or have a rounding mode.
//!
//! ```text
//! %n: %u8 = convert_f_to_u %x {SaturatedConversion, FPRoundingMode RTE}     ⇒     %r = RoundEven %x, clamped to 0 … 255, 0 for NaN
//! ```
//!
//! To convert a float to an integer, it is first rounded to a whole number by the mode. Out-of-range values are detected by comparing with
//! the powers of two that bound the range, which are exact floats. Conversions to floats round by their bits (`exact.rs`).

use reconverge_ir::{Inst, Module, Op, decoration};
use spirv::{Decoration, FPRoundingMode, GlslStd450Op as Glsl};

use super::exact::{Parts, Unrounded};
use super::integer::leading_zeros;
use crate::formula::{Format, Scalar, Shape, Value};

/// The parameters of a conversion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    op: Op,
    range: Range,
    rounding: Option<FPRoundingMode>,
    result: Shape,
}

/// The treatment of values out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Range {
    /// The result is undefined.
    Open,
    /// The nearest value in range.
    Saturated,
}

impl Conversion {
    /// The conversion of an instruction, if Vulkan does not support it directly.
    pub(super) fn of(module: &Module, inst: Inst) -> Option<Conversion> {
        let op = module.op(inst);
        let is_conversion = matches!(
            op,
            Op::ConvertFToU
                | Op::ConvertFToS
                | Op::ConvertSToF
                | Op::ConvertUToF
                | Op::UConvert
                | Op::SConvert
                | Op::FConvert
                | Op::SatConvertSToU
                | Op::SatConvertUToS
        );
        if !is_conversion {
            return None;
        }
        let notes = module.decorated(inst);
        let saturates =
            matches!(op, Op::SatConvertSToU | Op::SatConvertUToS) || notes.has(Decoration::SaturatedConversion);
        if !saturates && !notes.has(Decoration::FPRoundingMode) {
            return None;
        }
        let rounding = notes.find().map(|decoration::FPRoundingMode(mode)| mode);
        let range = if saturates { Range::Saturated } else { Range::Open };
        Some(Conversion { op, range, rounding, result: Shape::of(module, module.ty(inst)?)? })
    }

    /// The value converted.
    pub(super) fn write<'w>(self, x: Value<'w>) -> Value<'w> {
        match self.op {
            Op::ConvertFToU | Op::ConvertFToS => self.to_integer(x),
            Op::ConvertSToF | Op::ConvertUToF => self.integer_to_float(x),
            Op::FConvert => self.to_float(x),
            _ => self.between_integers(x),
        }
    }

    fn to_integer<'w>(self, x: Value<'w>) -> Value<'w> {
        // Half floats cannot represent the limits of wide integers.
        let x = if x.shape().width() == 16 { x.to_float_width(32) } else { x };
        let x = match self.rounding {
            Some(FPRoundingMode::RTE) => x.round_even(),
            Some(FPRoundingMode::RTP) => x.glsl(Glsl::Ceil),
            Some(FPRoundingMode::RTN) => x.floor(),
            Some(FPRoundingMode::RTZ) | None => x,
        };
        let width = self.result.width();
        let is_signed = self.op == Op::ConvertFToS;
        // In two steps through 32 bits, which every device supports.
        let whole = match is_signed {
            true => x.to_signed(width.max(32)),
            false => x.to_unsigned(width.max(32)),
        };
        let whole = whole.to_width(width);
        if self.range == Range::Open {
            return whole;
        }
        let power = |exponent: u32| f64::from(exponent).exp2();
        let (above, least, bound) = match is_signed {
            true => ((1 << (width - 1)) - 1, 1 << (width - 1), power(width - 1)),
            false => (u64::MAX >> (64 - width), 0, power(width)),
        };
        let below = if is_signed { x.at_most(-bound) } else { x.at_most(0.0) };
        let whole = x.at_least(bound).select(whole.constant(above), below.select(whole.constant(least), whole));
        x.is_nan().select(whole.constant(0), whole)
    }

    fn integer_to_float<'w>(self, x: Value<'w>) -> Value<'w> {
        let format = Format::of(self.result.width());
        let is_signed = self.op == Op::ConvertSToF;
        let rounding = self.rounding.unwrap_or(FPRoundingMode::RTE);
        let nearest = match is_signed {
            true => x.signed_to_float(format.width),
            false => x.unsigned_to_float(format.width),
        };
        if rounding == FPRoundingMode::RTE || x.shape().width() <= format.fraction + 1 {
            return nearest;
        }
        let negative = if is_signed { x.is_negative() } else { x.writer().constant(x.shape().with(Scalar::Bool), 0) };
        let width = x.shape().width().max(format.width).max(32);
        let magnitude = negative.select(-x, x).to_width(width);
        let zeros = leading_zeros(&[magnitude]);
        let exponent = zeros.constant(format.bias + u64::from(width - 1)) - zeros;
        let number = Unrounded {
            significand: magnitude << (zeros & u64::from(width - 1)),
            exponent,
            below: width - 1 - format.fraction,
            negative,
        };
        let bits = number.round(format, rounding);
        let sign = negative.to_int(format.width) << u64::from(format.width - 1);
        x.equals(0).select(bits.constant(0), bits | sign).float_of_bits()
    }

    fn to_float<'w>(self, x: Value<'w>) -> Value<'w> {
        let format = Format::of(self.result.width());
        match self.rounding {
            Some(rounding) if rounding != FPRoundingMode::RTE && format.width < x.shape().width() => {
                narrow(x, format, rounding).float_of_bits()
            }
            _ => x.to_float_width(format.width),
        }
    }

    fn between_integers<'w>(self, x: Value<'w>) -> Value<'w> {
        let (from, to) = (x.shape().width(), self.result.width());
        let from_signed = matches!(self.op, Op::SConvert | Op::SatConvertSToU);
        let to_signed = matches!(self.op, Op::SConvert | Op::SatConvertUToS);
        let converted = if from_signed { x.to_signed_width(to) } else { x.to_width(to) };
        if self.range == Range::Open {
            return converted;
        }
        let bits = to - u32::from(to_signed);
        let greatest = u64::MAX >> (64 - bits);
        let least = if to_signed { 1 << (to - 1) } else { 0 };
        let mut result = converted;
        // The maximum of the result is in the range of the source only if the source has more bits.
        if from - u32::from(from_signed) > bits {
            let above = if from_signed { x.signed_greater(greatest) } else { x.greater(greatest) };
            result = above.select(converted.constant(greatest), result);
        }
        if from_signed && !(to_signed && to >= from) {
            let bound = if to_signed { ((1_u64 << (to - 1)).wrapping_neg()) & (u64::MAX >> (64 - from)) } else { 0 };
            result = x.signed_less(bound).select(converted.constant(least), result);
        }
        result
    }
}

/// The bits of a float rounded to a narrower format.
pub(crate) fn narrow<'w>(x: Value<'w>, format: Format, rounding: FPRoundingMode) -> Value<'w> {
    let wide = x.format();
    if wide.width == format.width {
        return x.bits();
    }
    let parts = Parts::of(x);
    let number = Unrounded {
        significand: parts.significand,
        exponent: parts.exponent - (wide.bias - format.bias),
        below: wide.fraction - format.fraction,
        negative: parts.sign.differs(0),
    };
    let magnitude = x.bits() & (wide.sign() - 1);
    let bits = number.round(format, rounding);
    let bits = magnitude.equals(0).select(bits.constant(0), bits);
    let special = magnitude.greater(wide.infinity()).select(bits.constant(format.nan()), format.infinity());
    let bits = magnitude.at_least(wide.infinity()).select(special, bits);
    bits | (parts.sign >> u64::from(wide.width - format.width)).to_width(format.width)
}
