//! `fma`: a product and a sum, rounded once.
//!
//! Vulkan allows `Fma` to round twice, and drivers do so if the hardware has no such instruction. So it is computed in integers that
//! contain the exact product of two significands and, below it, enough bits of the sum to round correctly: 64 bits for halves and singles,
//! 128 for doubles (`long.rs`).
//!
//! ```text
//! bit 62                                                0
//!  product   1ppp pppp pppp pppp pppp 0000 0000 0000 000
//!  addend                   1ccc cccc cccc 0000 0000 …s     shifted by the difference of the exponents; s: whether bits were lost
//! ```
//!
//! The term with the smaller exponent is shifted right. If it loses bits, the other term is so much larger that a difference keeps all but
//! one of its bits, and the lost bits become a sticky bit, as in IEEE 754 hardware.

use spirv::FPRoundingMode;

use super::exact::{Parts, Unrounded};
use super::long::{Bits, Long};
use crate::formula::Value;

/// A significand with its leading bit one or two places below the top, its exponent with the bias for a leading bit one below the top, and
/// its sign.
#[derive(Clone, Copy)]
struct Wide<'w, B> {
    bits: B,
    exponent: Value<'w>,
    negative: Value<'w>,
}

/// `a * b + c`.
pub(super) fn multiply_add<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let [a, b, c] = [operands[0], operands[1], operands[2]];
    let format = a.format();
    let (magnitude, is_zero, negative) = match format.width {
        64 => rounded::<Long<'w>>(a, b, c),
        _ => rounded::<Value<'w>>(a, b, c),
    };
    let magnitude = is_zero.select(magnitude.constant(0), magnitude);
    let result = (magnitude | (negative.to_int(format.width) << u64::from(format.width - 1))).float_of_bits();
    // For infinities and NaN the ordinary operations are correct; a finite product has no effect then.
    let special = (a.is_finite() & b.is_finite()).select(c, a * b + c);
    (a.is_finite() & b.is_finite() & c.is_finite()).select(result, special)
}

/// The magnitude of the result, whether it is zero, and whether it is negative.
fn rounded<'w, B: Bits<'w>>(a: Value<'w>, b: Value<'w>, c: Value<'w>) -> (Value<'w>, Value<'w>, Value<'w>) {
    let format = a.format();
    let (product, addend) = (product::<B>(a, b), addend::<B>(c));
    let sum = add(product, addend);
    let (significand, zeros) = sum.bits.normalized();
    let number = Unrounded {
        significand,
        exponent: sum.exponent - zeros + 1,
        below: 63 - format.fraction,
        negative: sum.negative,
    };
    let is_zero = sum.bits.is_zero();
    // An exact zero is positive except for two negative terms.
    let negative = sum.negative & (!is_zero | (product.negative & addend.negative));
    (number.round(format, FPRoundingMode::RTE), is_zero, negative)
}

fn product<'w, B: Bits<'w>>(a: Value<'w>, b: Value<'w>) -> Wide<'w, B> {
    let format = a.format();
    let (of_a, of_b) = (Parts::of(a), Parts::of(b));
    let is_zero = is_zero(a) | is_zero(b);
    let exponent = of_a.exponent.to_signed_width(32) + of_b.exponent.to_signed_width(32);
    let bits =
        B::product(of_a.significand.to_width(64), of_b.significand.to_width(64), B::TOP - 1 - 2 * format.fraction);
    Wide {
        bits: bits.unless(is_zero),
        exponent: is_zero.select(exponent.constant(0), exponent - (format.bias - 1)),
        negative: (of_a.sign ^ of_b.sign).differs(0),
    }
}

fn addend<'w, B: Bits<'w>>(c: Value<'w>) -> Wide<'w, B> {
    let format = c.format();
    let parts = Parts::of(c);
    let exponent = parts.exponent.to_signed_width(32) + 1;
    Wide {
        bits: B::raised(parts.significand.to_width(64), B::TOP - 1 - format.fraction).unless(is_zero(c)),
        exponent: is_zero(c).select(exponent.constant(0), exponent),
        negative: parts.sign.differs(0),
    }
}

fn is_zero(x: Value<'_>) -> Value<'_> {
    (x.bits() & (x.format().sign() - 1)).equals(0)
}

/// The sum of two numbers, exact except for a sticky bit.
fn add<'w, B: Bits<'w>>(a: Wide<'w, B>, b: Wide<'w, B>) -> Wide<'w, B> {
    let b_is_greater = b.exponent.signed_greater(a.exponent);
    let exponent = b_is_greater.select(b.exponent, a.exponent);
    let (of_a, of_b) = (a.bits.lowered(exponent - a.exponent), b.bits.lowered(exponent - b.exponent));
    let a_is_less = of_a.less(of_b);
    let (greater, lesser) = (B::chosen(a_is_less, of_b, of_a), B::chosen(a_is_less, of_a, of_b));
    let differ = a.negative ^ b.negative;
    Wide {
        bits: B::chosen(differ, greater.minus(lesser), greater.plus(lesser)),
        exponent,
        negative: a_is_less.select(b.negative, a.negative),
    }
}
