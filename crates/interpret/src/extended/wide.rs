//! Wide numbers: sums of two doubles, about 106 bits, for the elementary functions.
//!
//! A wide number is `high + low`, where `high` is the double nearest to it. Sums and products of doubles are split into the rounded result
//! and its error, both doubles (T. J. Dekker, "A floating-point technique for extending the available precision", 1971; the error of a
//! product by one fused multiply-add). The bounds of the operations on wide numbers are proved in M. Joldes, J.-M. Muller and V. Popescu,
//! "Tight and rigorous error bounds for basic building blocks of double-word arithmetic" (2017): a relative error of at most 3 · 2⁻¹⁰⁶ for
//! a sum, 5 · 2⁻¹⁰⁶ for a product, 10 · 2⁻¹⁰⁶ for a quotient. They hold if nothing overflows and nothing is smaller than 2⁻⁹⁰⁰, so
//! functions scale their operands first; the scale is the exponent of a [`Scaled`].
//!
//! A result is rounded once, from all of its bits. It is wrong only if the exact result is so near to the middle of two numbers of the
//! format that 100 bits do not determine the side.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::Value;
use crate::compute::arithmetic;
use crate::compute::rounding::{Number, Rounding, Sign, decomposed};

/// `high + low`, where `high` is the double nearest to the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wide {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl Wide {
    pub(super) const ONE: Wide = Wide { high: 1.0, low: 0.0 };

    pub(crate) const fn from_bits(high: u64, low: u64) -> Wide {
        Wide { high: f64::from_bits(high), low: f64::from_bits(low) }
    }

    pub(crate) const fn new(value: f64) -> Wide {
        Wide { high: value, low: 0.0 }
    }

    /// The sum of two doubles, exact.
    pub(crate) fn sum(a: f64, b: f64) -> Wide {
        let high = a + b;
        let part = high - a;
        Wide { high, low: (a - (high - part)) + (b - part) }
    }

    /// The sum of two doubles, exact if the first is not the smaller one.
    fn ordered_sum(a: f64, b: f64) -> Wide {
        let high = a + b;
        Wide { high, low: b - (high - a) }
    }

    /// The product of two doubles, exact.
    pub(crate) fn product(a: f64, b: f64) -> Wide {
        let high = a * b;
        Wide { high, low: a.mul_add(b, -high) }
    }

    /// Multiplied by a power of two; exact.
    pub(super) fn doubled(self, times: i32) -> Wide {
        // In two steps, since the power of two may not be a double where the result is.
        let (first, second) = (power_of_two(times / 2), power_of_two(times - times / 2));
        Wide { high: self.high * first * second, low: self.low * first * second }
    }

    pub(crate) fn abs(self) -> Wide {
        if self.high < 0.0 { -self } else { self }
    }

    /// The root of a number that is not negative.
    pub(super) fn sqrt(self) -> Wide {
        if self.high == 0.0 {
            return self;
        }
        let root = self.high.sqrt();
        let rest = self - Wide::product(root, root);
        Wide::ordered_sum(root, rest.high / (2.0 * root))
    }

    pub(crate) fn square(self) -> Wide {
        self * self
    }
}

impl Neg for Wide {
    type Output = Wide;

    fn neg(self) -> Wide {
        Wide { high: -self.high, low: -self.low }
    }
}

impl Add for Wide {
    type Output = Wide;

    fn add(self, other: Wide) -> Wide {
        let high = Wide::sum(self.high, other.high);
        let low = Wide::sum(self.low, other.low);
        let middle = Wide::ordered_sum(high.high, high.low + low.high);
        Wide::ordered_sum(middle.high, low.low + middle.low)
    }
}

impl Add<f64> for Wide {
    type Output = Wide;

    fn add(self, other: f64) -> Wide {
        let high = Wide::sum(self.high, other);
        Wide::ordered_sum(high.high, self.low + high.low)
    }
}

impl Sub for Wide {
    type Output = Wide;

    fn sub(self, other: Wide) -> Wide {
        self + -other
    }
}

impl Mul for Wide {
    type Output = Wide;

    fn mul(self, other: Wide) -> Wide {
        let product = Wide::product(self.high, other.high);
        let cross = self.low.mul_add(other.high, self.high.mul_add(other.low, self.low * other.low));
        Wide::ordered_sum(product.high, product.low + cross)
    }
}

impl Mul<f64> for Wide {
    type Output = Wide;

    fn mul(self, other: f64) -> Wide {
        let product = Wide::product(self.high, other);
        Wide::ordered_sum(product.high, self.low.mul_add(other, product.low))
    }
}

impl Div for Wide {
    type Output = Wide;

    fn div(self, other: Wide) -> Wide {
        let first = self.high / other.high;
        let rest = self - other * first;
        let second = rest.high / other.high;
        let third = (rest - other * second).high / other.high;
        Wide::ordered_sum(first, second) + third
    }
}

impl Div<f64> for Wide {
    type Output = Wide;

    fn div(self, other: f64) -> Wide {
        let first = self.high / other;
        let product = Wide::product(first, other);
        let rest = (self.high - product.high) - product.low + self.low;
        Wide::ordered_sum(first, rest / other)
    }
}

/// `value · 2^exponent`. For a value that is zero, infinite or NaN the exponent has no effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaled {
    pub(crate) value: Wide,
    pub(crate) exponent: i32,
}

impl From<f64> for Scaled {
    fn from(value: f64) -> Scaled {
        Scaled { value: Wide::new(value), exponent: 0 }
    }
}

impl From<Wide> for Scaled {
    fn from(value: Wide) -> Scaled {
        Scaled { value, exponent: 0 }
    }
}

impl Neg for Scaled {
    type Output = Scaled;

    fn neg(self) -> Scaled {
        Scaled { value: -self.value, exponent: self.exponent }
    }
}

impl Scaled {
    pub(crate) const NAN: Scaled = Scaled { value: Wide::new(f64::NAN), exponent: 0 };

    pub(crate) fn new(value: Wide, exponent: i32) -> Scaled {
        Scaled { value, exponent }
    }

    pub(super) fn with_sign(self, is_negative: bool) -> Scaled {
        if self.value.high.is_sign_negative() == is_negative { self } else { -self }
    }

    pub(super) fn with_sign_changed(self, is_changed: bool) -> Scaled {
        if is_changed { -self } else { self }
    }

    /// Converts to a wide number, for exponents that are not far from zero.
    pub(crate) fn wide(self) -> Wide {
        self.value.doubled(self.exponent)
    }

    /// The nearest number of a format, ties to even; NaN has fixed bits.
    pub(crate) fn rounded(self, width: u8) -> Value {
        if !self.value.high.is_finite() || self.value.high == 0.0 {
            return arithmetic::rounded(width, self.value.high);
        }
        let Wide { high, low } = Wide::ordered_sum(self.value.high, self.value.low);
        /// Bits below the lowest bit of `high`; the last of them is a sticky bit.
        const EXTRA: i32 = 66;
        let (significand, exponent) = decomposed(high);
        let (rest, rest_exponent) = decomposed(low);
        let (rest, shift) = (u128::from(rest), exponent - EXTRA - rest_exponent);
        let rest = match shift {
            ..=0 => rest << shift.unsigned_abs(),
            1..64 => rest >> shift & !1 | u128::from(rest & ((2 << shift) - 1) != 0),
            _ => u128::from(rest != 0),
        };
        let whole = u128::from(significand) << EXTRA;
        let significand = if low.is_sign_negative() == high.is_sign_negative() { whole + rest } else { whole - rest };
        let exponent = exponent.saturating_add(self.exponent).saturating_sub(EXTRA);
        Number { sign: Sign::of(high), significand, exponent }.rounded(width, Rounding::NearestEven)
    }
}

/// A power of two as a double; zero or infinite if it is out of range.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

/// A finite double that is not zero as `significand · 2^exponent`, with a significand between 1 and 2.
pub(crate) fn split(value: f64) -> (f64, i32) {
    let (significand, exponent) = decomposed(value);
    let shift = significand.leading_zeros() as i32 - 11;
    let fraction = significand << shift & ((1 << 52) - 1);
    let sign = value.to_bits() & 1 << 63;
    (f64::from_bits(sign | 1023 << 52 | fraction), exponent - shift + 52)
}
