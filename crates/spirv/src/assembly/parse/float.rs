//! Floats: decimal as in `-1.5e3`, hexadecimal as in `-0x1.8p+3`, to the bits of a format.
//!
//! A hexadecimal float is a significand times a power of two, and so is every decimal after it is rounded to a single or a double. The
//! significand is shifted until its first bit is 1; bits beyond the format are cut off, towards zero. Infinities and NaNs are hexadecimal
//! floats whose exponent is the one after the greatest: `0x1p+128` and `0x1.8p+128` as singles. Numbers that are too small become zero;
//! numbers that are too large are rejected. Linear in the text.

use super::literal::Problem;

/// The layout of a float: a sign, then an exponent, then a fraction.
///
/// The greatest exponent is that of infinities and NaNs, except for E4M3, which has numbers there and one NaN, all of whose bits are 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
}

impl Format {
    pub(super) const HALF: Format = Format { exponent_bits: 5, fraction_bits: 10 };
    pub(super) const SINGLE: Format = Format { exponent_bits: 8, fraction_bits: 23 };
    pub(super) const DOUBLE: Format = Format { exponent_bits: 11, fraction_bits: 52 };
    pub(super) const BFLOAT16: Format = Format { exponent_bits: 8, fraction_bits: 7 };
    pub(super) const FLOAT8_E5M2: Format = Format { exponent_bits: 5, fraction_bits: 2 };
    pub(super) const FLOAT8_E4M3: Format = Format { exponent_bits: 4, fraction_bits: 3 };

    /// The number of bits that a float has.
    pub(super) fn bits(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// The bits of a number in text form.
    pub(super) fn parse(self, text: &str) -> Result<u64, Problem> {
        let (is_negative, magnitude) = match text.as_bytes() {
            [b'-', ..] => (true, &text[1..]),
            [b'+', ..] => (false, &text[1..]),
            _ => (false, text),
        };
        let bits = match magnitude.strip_prefix("0x").or(magnitude.strip_prefix("0X")) {
            Some(digits) => self.encode(hexadecimal(digits)?, self.bias() + 1),
            None => self.decimal(magnitude),
        };
        Ok(bits? | u64::from(is_negative) << (self.bits() - 1))
    }

    /// The bits of a decimal without sign. For formats other than double it is rounded to a single first, as in `spirv-as`.
    fn decimal(self, text: &str) -> Result<u64, Problem> {
        let is_sign = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
        if !text.bytes().all(is_sign) || !text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.') {
            return Err(Problem::NoNumber);
        }
        if self == Format::DOUBLE {
            let value: f64 = text.parse().map_err(|_| Problem::NoNumber)?;
            return if value.is_finite() { Ok(value.to_bits()) } else { Err(Problem::OutOfRange) };
        }
        let value: f32 = text.parse().map_err(|_| Problem::NoNumber)?;
        let (exponent, fraction) = (i64::from(value.to_bits() >> 23), u64::from(value.to_bits() & 0x7f_ffff));
        let greatest = self.bias() + i64::from(self == Format::FLOAT8_E4M3);
        let bits = match (self, exponent) {
            (_, 255) => Err(Problem::OutOfRange),
            (Format::SINGLE, _) => Ok(u64::from(value.to_bits())),
            (_, 0) => self.encode(Scaled { significand: fraction, exponent: -149 }, greatest),
            _ => self.encode(Scaled { significand: fraction | 1 << 23, exponent: exponent - 150 }, greatest),
        }?;
        if bits + 1 == 1 << (self.bits() - 1) { Err(Problem::OutOfRange) } else { Ok(bits) }
    }

    /// The bits of a number, if its first bit represents at most 2^greatest.
    fn encode(self, number: Scaled, greatest: i64) -> Result<u64, Problem> {
        let Scaled { significand, exponent } = number;
        if significand == 0 {
            return Ok(0);
        }
        let normal = significand << significand.leading_zeros();
        let exponent = exponent.saturating_add(63 - i64::from(significand.leading_zeros()));
        let (bias, fraction_bits) = (self.bias(), self.fraction_bits);
        if exponent > greatest {
            return Err(Problem::OutOfRange);
        }
        if exponent > -bias {
            let fraction = normal << 1 >> (64 - fraction_bits);
            return Ok(((exponent + bias) as u64) << fraction_bits | fraction);
        }
        let shift = (64 - bias - i64::from(fraction_bits)).saturating_sub(exponent);
        Ok(u32::try_from(shift).ok().and_then(|shift| normal.checked_shr(shift)).unwrap_or(0))
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent_bits - 1)) - 1
    }
}

/// The number significand · 2^exponent.
#[derive(Clone, Copy)]
struct Scaled {
    significand: u64,
    exponent: i64,
}

/// The number after `0x`: digits with a point among them, and `p` with the power of two. Digits after the first 15 significant ones are cut
/// off.
fn hexadecimal(text: &str) -> Result<Scaled, Problem> {
    let (digits, power) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let (mut significand, mut exponent, mut has_point, mut has_digit) = (0_u64, 0_i64, false, false);
    for sign in digits.chars() {
        match sign.to_digit(16) {
            None if sign == '.' && !has_point => has_point = true,
            None => return Err(Problem::NoNumber),
            Some(digit) => {
                has_digit = true;
                let fits = significand < 1 << 60;
                if fits {
                    significand = significand << 4 | u64::from(digit);
                }
                exponent += 4 * (i64::from(!fits) - i64::from(has_point));
            }
        }
    }
    let power_digits = power.strip_prefix(['+', '-']).unwrap_or(power);
    if !has_digit || power_digits.is_empty() || !power_digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Problem::NoNumber);
    }
    // A power that does not fit 64 bits is beyond every format, and so is one that is slightly less.
    let power_value = power_digits.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    let power_value = if power.starts_with('-') { -power_value } else { power_value };
    Ok(Scaled { significand, exponent: exponent.saturating_add(power_value) })
}
