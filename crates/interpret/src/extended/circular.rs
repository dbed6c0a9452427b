//! Sine, cosine and tangent, of angles in radians and in half turns.
//!
//! The angle is reduced to the nearest multiple of a quarter turn. For radians this needs as many digits of `2 / π` as the exponent of the
//! angle: of the 256 that are multiplied, earlier digits give whole turns and later ones are insignificant (M. Payne and R. Hanek, "Radian
//! reduction for trigonometric functions", 1983). No double is closer than 2⁻⁶² to a multiple (J.-M. Muller et al., Handbook of
//! Floating-Point Arithmetic, section 11.3), so at least 130 correct bits remain. In half turns the reduction is exact. Then Taylor's
//! series, with an error of 2⁻¹⁰⁶ or less for `|x| ≤ π / 4`.

use super::constants::{PI, PI_OVER_2, TWO_OVER_PI};
use super::exponential::TINY;
use super::wide::{Scaled, Wide, power_of_two, split};
use crate::compute::rounding::decomposed;

const TERMS: u32 = 15;

/// An angle: quarter turns, and the rest, between −π / 4 and π / 4.
#[derive(Clone, Copy)]
struct Angle {
    quarters: u8,
    rest: Wide,
}

pub(super) fn sin(x: f64) -> Scaled {
    if x.abs() < TINY {
        return x.into();
    }
    in_radians(x).map_or(Scaled::NAN, |angle| angle.sin().into()).with_sign_changed(x < 0.0)
}

pub(super) fn cos(x: f64) -> Scaled {
    in_radians(x).map_or(Scaled::NAN, |angle| angle.cos().into())
}

pub(super) fn tan(x: f64) -> Scaled {
    if x.abs() < TINY {
        return x.into();
    }
    in_radians(x).map_or(Scaled::NAN, |angle| (angle.sin() / angle.cos()).into()).with_sign_changed(x < 0.0)
}

/// `sin πx`, for an integer a zero with the sign of `x`.
pub(super) fn sin_pi(x: f64) -> Scaled {
    if x.abs() < TINY {
        return times_pi(x);
    }
    let Some(angle) = in_half_turns(x) else { return Scaled::NAN };
    let sine = angle.sin();
    match sine.high == 0.0 {
        true => 0f64.copysign(x).into(),
        false => Scaled::from(sine).with_sign_changed(x < 0.0),
    }
}

/// `cos πx`, at odd halves the positive zero.
pub(super) fn cos_pi(x: f64) -> Scaled {
    let Some(angle) = in_half_turns(x) else { return Scaled::NAN };
    let cosine = angle.cos();
    if cosine.high == 0.0 { 0.0.into() } else { cosine.into() }
}

/// `tan πx`. Zeros and infinities have the sign of the tangent to the right of zero and to the left of ½, negated in every other half turn.
pub(super) fn tan_pi(x: f64) -> Scaled {
    if x.abs() < TINY {
        return times_pi(x);
    }
    let Some(angle) = in_half_turns(x) else { return Scaled::NAN };
    let tangent = match angle.quarters {
        _ if angle.rest.high != 0.0 => (angle.sin() / angle.cos()).into(),
        0 => Scaled::from(0.0),
        1 => f64::INFINITY.into(),
        2 => (-0.0).into(),
        _ => f64::NEG_INFINITY.into(),
    };
    tangent.with_sign_changed(x < 0.0)
}

/// The sine and the cosine of an angle between −π / 4 and π / 4.
pub(super) fn near_zero(rest: Wide) -> (Wide, Wide) {
    (sine(rest), cosine(rest))
}

impl Angle {
    fn sin(self) -> Wide {
        match self.quarters {
            0 => sine(self.rest),
            1 => cosine(self.rest),
            2 => -sine(self.rest),
            _ => -cosine(self.rest),
        }
    }

    fn cos(self) -> Wide {
        Angle { quarters: (self.quarters + 1) % 4, ..self }.sin()
    }
}

fn times_pi(x: f64) -> Scaled {
    if x == 0.0 {
        return x.into();
    }
    let (significand, exponent) = split(x);
    Scaled::new(PI * significand, exponent)
}

/// The magnitude of an angle in half turns; none if it is not finite.
fn in_half_turns(x: f64) -> Option<Angle> {
    if !x.is_finite() {
        return None;
    }
    let turn = x.abs() % 2.0;
    let quarters = (2.0 * turn).round();
    Some(Angle { quarters: quarters as u8 % 4, rest: PI * (turn - quarters / 2.0) })
}

/// The magnitude of an angle in radians; none if it is not finite.
fn in_radians(x: f64) -> Option<Angle> {
    if !x.is_finite() {
        return None;
    }
    if x.abs() <= std::f64::consts::FRAC_PI_4 {
        return Some(Angle { quarters: 0, rest: Wide::new(x.abs()) });
    }
    let (significand, exponent) = decomposed(x);
    let mut product = times_two_over_pi(significand, exponent);
    let mut quarters = (product[3] >> 62) as u8;
    product[3] &= u64::MAX >> 2;
    let is_above_half = product[3] >> 61 == 1;
    if is_above_half {
        quarters = (quarters + 1) % 4;
        product = negated(product);
        product[3] &= u64::MAX >> 2;
    }
    let rest = fraction(product) * PI_OVER_2;
    Some(Angle { quarters, rest: if is_above_half { -rest } else { rest } })
}

/// `significand · 2^exponent · 2 / π`, modulo four: lowest word first, with 254 fractional bits.
fn times_two_over_pi(significand: u64, exponent: i32) -> [u64; 4] {
    // The first significant digit: its product with the leading bit of the significand may reach two.
    let first = (exponent - 2 + 64) as usize;
    let word = |index: usize| {
        let (start, offset) = (first / 64 + index, first % 64);
        let next = TWO_OVER_PI[start + 1].checked_shr(64 - offset as u32).unwrap_or(0);
        TWO_OVER_PI[start] << offset | next
    };
    let mut product = [0; 4];
    let mut carry = 0;
    for (index, slot) in product.iter_mut().enumerate() {
        let part = u128::from(significand) * u128::from(word(3 - index)) + carry;
        *slot = part as u64;
        carry = part >> 64;
    }
    product
}

fn negated(words: [u64; 4]) -> [u64; 4] {
    let mut carry = true;
    words.map(|word| {
        let (negated, overflows) = (!word).overflowing_add(u64::from(carry));
        carry = overflows;
        negated
    })
}

/// The value of 254 fractional bits.
fn fraction(words: [u64; 4]) -> Wide {
    let halves = (0..8).rev().map(|index| {
        let half = words[index / 2] >> (32 * (index % 2)) & 0xffff_ffff;
        half as f64 * power_of_two(32 * index as i32 - 254)
    });
    halves.fold(Wide::new(0.0), |sum, half| sum + half)
}

fn sine(x: Wide) -> Wide {
    x * alternating(x.square(), 1)
}

fn cosine(x: Wide) -> Wide {
    alternating(x.square(), 0)
}

/// `1 − s / ((o + 1)(o + 2)) · (1 − s / ((o + 3)(o + 4)) · (…))` for the square `s` and the offset `o`.
fn alternating(square: Wide, offset: u32) -> Wide {
    (1..=TERMS).rev().fold(Wide::ONE, |sum, index| {
        let last = 2 * index + offset;
        -(square * sum / f64::from(last * (last - 1))) + 1.0
    })
}
