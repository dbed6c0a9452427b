//! Rounding: from an exact or nearly exact number to the nearest one of a format, in any of the four directions.
//!
//! A number is `± significand · 2^exponent`. If it is not an integer multiple of `2^exponent`, the lowest bit of the significand is set as
//! a sticky bit: rounding to odd. If the significand has at least two more bits than the format, rounding such a number gives the same
//! result as rounding the exact one (S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
//! rounding to odd", 2008).
//!
//! Overflow gives infinity or the greatest finite number, depending on the direction; below the least normal number the spacing is constant
//! (IEEE 754-2008, section 7.4).

use spirv::FPRoundingMode;

use crate::Value;

/// A rounding direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Rounding {
    /// To the nearest, ties to even.
    #[default]
    NearestEven,
    TowardZero,
    TowardPositive,
    TowardNegative,
}

impl Rounding {
    /// The direction of an FP rounding mode (SPIR-V section 3.2.16).
    pub(crate) fn from_word(word: u32) -> Option<Rounding> {
        Some(match FPRoundingMode::from_u32(word)? {
            FPRoundingMode::RTE => Rounding::NearestEven,
            FPRoundingMode::RTZ => Rounding::TowardZero,
            FPRoundingMode::RTP => Rounding::TowardPositive,
            FPRoundingMode::RTN => Rounding::TowardNegative,
        })
    }

    /// The integer that is next in this direction.
    pub(crate) fn integer(self, value: f64) -> f64 {
        match self {
            Rounding::NearestEven => value.round_ties_even(),
            Rounding::TowardZero => value.trunc(),
            Rounding::TowardPositive => value.ceil(),
            Rounding::TowardNegative => value.floor(),
        }
    }

    /// Returns whether a magnitude is rounded up that is between a kept significand and the next one.
    fn goes_up(self, sign: Sign, kept: u64, dropped: Dropped) -> bool {
        let is_odd = kept & 1 == 1;
        match self {
            _ if dropped == Dropped::Nothing => false,
            Rounding::NearestEven => dropped == Dropped::MoreThanHalf || dropped == Dropped::Half && is_odd,
            Rounding::TowardZero => false,
            Rounding::TowardPositive => sign == Sign::Positive,
            Rounding::TowardNegative => sign == Sign::Negative,
        }
    }
}

/// The dropped part of a significand: it is below, at or above half of the last bit that is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dropped {
    Nothing,
    LessThanHalf,
    Half,
    MoreThanHalf,
}

/// The sign of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Positive,
    Negative,
}

impl Sign {
    /// The sign of a double; that of a zero too.
    pub(crate) fn of(value: f64) -> Sign {
        if value.is_sign_negative() { Sign::Negative } else { Sign::Positive }
    }

    /// The sign of an integer.
    pub(crate) fn of_integer(value: i128) -> Sign {
        if value < 0 { Sign::Negative } else { Sign::Positive }
    }
}

/// `± significand · 2^exponent`; the lowest bit of the significand is a sticky bit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) sign: Sign,
    pub(crate) significand: u128,
    pub(crate) exponent: i32,
}

impl Number {
    /// A finite double.
    pub(crate) fn from_f64(value: f64) -> Number {
        let (significand, exponent) = decomposed(value);
        Number { sign: Sign::of(value), significand: u128::from(significand), exponent }
    }

    /// An integer.
    pub(crate) fn from_integer(value: i128) -> Number {
        Number { sign: Sign::of_integer(value), significand: value.unsigned_abs(), exponent: 0 }
    }

    /// The number of a format that is next in a direction.
    pub(crate) fn rounded(self, width: u8, rounding: Rounding) -> Value {
        let format = Format::of(width);
        let sign = u64::from(self.sign == Sign::Negative) << (width - 1);
        if self.significand == 0 {
            return Value::Float { width, bits: sign };
        }
        let top = i32::try_from(self.significand.ilog2()).unwrap_or(0).saturating_add(self.exponent);
        let quantum = top.saturating_sub(format.precision - 1).max(format.least_quantum());
        let kept = self.kept(quantum, rounding);
        if top > format.greatest_exponent {
            return Value::Float { width, bits: sign | format.overflow(self.sign, rounding) };
        }
        // A normal number contains its implicit bit, which adds one to the exponent; so does a carry of the rounding.
        let bits = (((quantum - format.least_quantum()) as u64) << (format.precision - 1)) + kept;
        let bits = if bits >= format.infinity() { format.overflow(self.sign, rounding) } else { bits };
        Value::Float { width, bits: sign | bits }
    }

    /// The significand in units of `2^quantum`.
    fn kept(self, quantum: i32, rounding: Rounding) -> u64 {
        let shift = quantum.saturating_sub(self.exponent);
        if shift <= 0 {
            return (self.significand << shift.unsigned_abs().min(127)) as u64;
        }
        if shift >= 128 {
            return u64::from(rounding.goes_up(self.sign, 0, Dropped::LessThanHalf));
        }
        let (kept, rest) = (self.significand >> shift, self.significand & ((1 << shift) - 1));
        let dropped = match rest.cmp(&(1 << (shift - 1))) {
            _ if rest == 0 => Dropped::Nothing,
            std::cmp::Ordering::Less => Dropped::LessThanHalf,
            std::cmp::Ordering::Equal => Dropped::Half,
            std::cmp::Ordering::Greater => Dropped::MoreThanHalf,
        };
        kept as u64 + u64::from(rounding.goes_up(self.sign, kept as u64, dropped))
    }
}

/// The double as a number of a format, rounded in a direction; NaN has fixed bits.
pub(crate) fn rounded(width: u8, value: f64, rounding: Rounding) -> Value {
    match value.is_finite() {
        true => Number::from_f64(value).rounded(width, rounding),
        false => crate::compute::arithmetic::rounded(width, value),
    }
}

/// The significand and exponent of a finite double: `significand · 2^exponent` is its magnitude.
pub(crate) fn decomposed(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    }
}

/// A binary format of IEEE 754.
#[derive(Clone, Copy)]
struct Format {
    width: u8,
    /// The width of the significand, with the implicit bit.
    precision: i32,
    greatest_exponent: i32,
}

impl Format {
    fn of(width: u8) -> Format {
        let (precision, greatest_exponent) = match width {
            16 => (11, 15),
            32 => (24, 127),
            _ => (53, 1023),
        };
        Format { width, precision, greatest_exponent }
    }

    /// The exponent of the lowest bit of subnormal numbers.
    fn least_quantum(self) -> i32 {
        2 - self.greatest_exponent - self.precision
    }

    fn infinity(self) -> u64 {
        ((1 << (i32::from(self.width) - self.precision)) - 1) << (self.precision - 1)
    }

    /// The result of overflow, without the sign.
    fn overflow(self, sign: Sign, rounding: Rounding) -> u64 {
        match rounding.goes_up(sign, 1, Dropped::MoreThanHalf) {
            true => self.infinity(),
            false => self.infinity() - 1,
        }
    }
}
