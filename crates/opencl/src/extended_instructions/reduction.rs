//! Argument reduction of angles: `x = k pi/2 + r` with `|r| <= pi/4`, `r` in twice the precision.
//!
//! Small angles: `k` times `pi/2` is subtracted, with `pi/2` in three parts whose products are exact (Cody and Waite 1980, "Software manual
//! for the elementary functions"). Large ones: the product of the significand and the relevant bits of `2/pi`, as integers (Payne and Hanek
//! 1983, "Radian reduction for trigonometric functions"): 192 bits after those that give multiples of 4, so at least 137 fractional bits
//! are correct.

use super::exact::Parts;
use super::integer::multiply_high;
use super::numbers::HALF_PI;
use super::pair::{Pair, product, sum};
use crate::formula::{Scalar, Shape, Value};

/// The fractional bits of `2 / pi`.
const TWO_OVER_PI: [u64; 20] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
];

/// An angle as quarter turns and a rest.
pub(super) struct Reduced<'w> {
    /// Quarter turns, modulo 4 at least: an integer of 32 bits.
    pub(super) quarters: Value<'w>,
    /// The rest, at most an eighth of a turn.
    pub(super) rest: Pair<'w>,
}

/// Reduces a finite angle.
pub(super) fn reduced(x: Value<'_>) -> Reduced<'_> {
    let limit = if x.shape().width() == 64 { 1e9 } else { 65_536.0 };
    let is_small = super::exact::magnitude(&[x]).less(limit);
    let [quarters, high, low] = x.writer().either(
        is_small,
        || {
            let Reduced { quarters, rest } = of_small(x);
            [quarters, rest.high, rest.low]
        },
        || {
            let Reduced { quarters, rest } = of_large(x);
            [quarters, rest.high, rest.low]
        },
    );
    Reduced { quarters, rest: Pair { high, low } }
}

fn of_small(x: Value<'_>) -> Reduced<'_> {
    let whole = (x * HALF_PI.0.recip()).round_even();
    let [first, second, third] = half_pi(x);
    let (first, second) = (product(whole, first), product(whole, second));
    // The first difference is exact if it cancels.
    let rest = sum(x - first.high, -first.low);
    let rest = rest.plus(Pair { high: -second.high, low: -second.low - whole * third });
    Reduced { quarters: whole.to_signed(32), rest }
}

/// Half of pi in three floats.
fn half_pi(like: Value<'_>) -> [Value<'_>; 3] {
    let parts = match like.shape().width() {
        64 => [HALF_PI.0, HALF_PI.1, -1.497_384_904_859_169_8e-33],
        _ => {
            let first = f64::from(HALF_PI.0 as f32);
            let second = f64::from((HALF_PI.0 - first) as f32);
            [first, second, (HALF_PI.0 - first - second) + HALF_PI.1]
        }
    };
    parts.map(|part| like.constant(part))
}

fn of_large(x: Value<'_>) -> Reduced<'_> {
    let format = x.format();
    let parts = Parts::of(x);
    let significand = parts.significand.to_width(64);
    // x = significand * 2^e. The bit of 2 / pi with weight 2^-i adds multiples of 4 unless i >= e - 1, and the table begins with a word of
    // zeros.
    let bias = format.bias + u64::from(format.fraction);
    let start = parts.exponent.to_signed_width(32) - (bias - 62);
    let [top, middle, bottom] = window(start, format.width);
    // The product modulo 2^192, without its lowest 64 bits.
    let first = significand * middle;
    let low = first + multiply_high(&[significand, bottom]);
    let carry = low.less(first).to_int(64);
    let high = significand * top + multiply_high(&[significand, middle]) + carry;
    // Two integer bits; rounded to the nearest quarter.
    let quarters = (high + (1 << 61)) >> 62;
    let fraction = high - (quarters << 62);
    let rest = fixed_point(fraction, low, x.shape());
    let rest = rest.times(HALF_PI.pair(x)).scaled(f64::powi(2.0, -62));
    let negative = parts.sign.differs(0);
    let quarters = quarters.to_width(32);
    Reduced { quarters: negative.select(-quarters, quarters), rest: Pair::chosen(negative, rest.negated(), rest) }
}

/// Three words from a bit position on, of a word of zeros and then the bits of 2 / pi.
fn window(start: Value<'_>, width: u32) -> [Value<'_>; 3] {
    // The exponent of a large number is at most 2^7 or 2^10.
    let last = if width == 64 { TWO_OVER_PI.len() - 3 } else { 3 };
    let index = start >> 6;
    let shift = (start & 63).to_width(64);
    let shape = Shape { scalar: Scalar::Int(64), count: 1 };
    let word = |place: usize| match place {
        0 => start.writer().constant(shape, 0),
        _ => start.writer().constant(shape, TWO_OVER_PI[place - 1]),
    };
    let chosen = |offset: usize| {
        (1..last).fold(word(offset), |found, place| index.equals(place as u64).select(word(place + offset), found))
    };
    let words = [0, 1, 2, 3].map(chosen);
    let no_shift = shift.equals(0);
    [0, 1, 2].map(|place| {
        let below = no_shift.select(shift.constant(0), words[place + 1] >> ((-shift) & 63));
        (words[place] << shift) | below
    })
}

/// A signed integer of 128 bits, given by its halves, by 2^64, in twice the precision.
///
/// Each part has as many bits as the significand of a float, so that conversions are exact; some compilers wrongly fold conversions from
/// float to integer and back.
fn fixed_point<'w>(high: Value<'w>, low: Value<'w>, shape: Shape) -> Pair<'w> {
    let width = shape.width();
    let power = |exponent: i32| f64::powi(2.0, exponent);
    if width == 64 {
        let upper = high.shift_right_signed(11).signed_to_float(64) * power(11);
        let middle = (high & 0x7ff).signed_to_float(64);
        return sum(upper, middle + (low >> 11).signed_to_float(64) * power(-53));
    }
    let piece = |bits: Value<'w>| bits.to_width(32).signed_to_float(width);
    let upper = piece(high.shift_right_signed(38)) * power(38);
    let middle = piece((high >> 14) & 0xff_ffff) * power(14);
    let lower = piece(high & 0x3fff) + piece(low >> 40) * power(-24);
    let first = sum(upper, middle);
    sum(first.high, first.low + lower)
}
