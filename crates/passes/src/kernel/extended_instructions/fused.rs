//! `fma`: a product and a sum, rounded once.
//!
//! Vulkan lets `Fma` round twice, and drivers do where the hardware has no such instruction. So it is computed in integers of 64
//! bits, which hold the exact product of two significands and, below it, as much of the sum as decides the rounding:
//!
//! ```text
//! bit 62                                                0
//!  product   1ppp pppp pppp pppp pppp 0000 0000 0000 000
//!  addend                   1ccc cccc cccc 0000 0000 …s     shifted by the difference of the exponents; s: whether bits were lost
//! ```
//!
//! The one with the smaller exponent is shifted. Where bits of it are lost, the other is larger by so much that a difference keeps
//! all but one of its bits, and the lost ones count only as "some" (the sticky bit of IEEE 754 hardware).

use super::exact::{Parts, Rounding, Unrounded};
use super::integer::leading_zeros;
use super::value::Value;

/// The place of the leading bit of a product, or the one below.
const TOP: u32 = 62;

/// A significand in 64 bits with its leading bit about at [`TOP`], and its exponent.
#[derive(Clone, Copy)]
struct Wide<'w> {
    bits: Value<'w>,
    exponent: Value<'w>,
    negative: Value<'w>,
}

/// `a * b + c` for 16 and 32 bits.
pub(super) fn multiply_add<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b, c) = (operands[0], operands[1], operands[2]);
    let format = a.format();
    let is_infinite_or_nan = |x: Value<'w>| (x.bits() & format.infinity()).equals(format.infinity());
    let (product, addend) = (product(a, b), addend(c));
    let sum = add(product, addend);
    // The leading bit goes to place 63.
    let zeros = leading_zeros(&[sum.bits]);
    let number = Unrounded {
        significand: sum.bits << (zeros & 63),
        exponent: sum.exponent - zeros.to_width(32) + u64::from(63 - TOP),
        below: 63 - format.fraction,
        negative: sum.negative,
    };
    let magnitude = number.round(format, Rounding::NearestEven);
    // An exact zero is positive but for two negative terms.
    let is_zero = sum.bits.equals(0);
    let negative = sum.negative & (!is_zero | (product.negative & addend.negative));
    let magnitude = is_zero.select(magnitude.constant(0), magnitude);
    let result = (magnitude | (negative.to_int(format.width) << u64::from(format.width - 1))).float_of_bits();
    // Of infinities and what is no number, the plain operations make the right thing; a finite product does not matter then.
    let special = (is_infinite_or_nan(a) | is_infinite_or_nan(b)).select(a * b + c, c);
    (is_infinite_or_nan(a) | is_infinite_or_nan(b) | is_infinite_or_nan(c)).select(special, result)
}

fn product<'w>(a: Value<'w>, b: Value<'w>) -> Wide<'w> {
    let format = a.format();
    let (of_a, of_b) = (Parts::of(a), Parts::of(b));
    let is_zero = is_zero(a) | is_zero(b);
    let bits = of_a.significand.to_width(64) * of_b.significand.to_width(64);
    let exponent = of_a.exponent.to_signed_width(32) + of_b.exponent.to_signed_width(32);
    Wide {
        bits: is_zero.select(bits.constant(0), bits << u64::from(TOP - 1 - 2 * format.fraction)),
        // With the bias of one factor: what a leading bit at `TOP - 1` stands for is taken away again by the shift to place 63.
        exponent: is_zero.select(exponent.constant(0), exponent - (format.bias - 1)),
        negative: (of_a.sign ^ of_b.sign).differs(0),
    }
}

fn addend<'w>(c: Value<'w>) -> Wide<'w> {
    let format = c.format();
    let parts = Parts::of(c);
    let bits = parts.significand.to_width(64) << u64::from(TOP - 1 - format.fraction);
    let exponent = parts.exponent.to_signed_width(32) + 1;
    Wide {
        bits: is_zero(c).select(bits.constant(0), bits),
        exponent: is_zero(c).select(exponent.constant(0), exponent),
        negative: parts.sign.differs(0),
    }
}

fn is_zero(x: Value<'_>) -> Value<'_> {
    (x.bits() & (x.format().sign() - 1)).equals(0)
}

/// The sum of two numbers, exact but for bits that only count as some.
fn add<'w>(a: Wide<'w>, b: Wide<'w>) -> Wide<'w> {
    let b_is_greater = b.exponent.signed_greater(a.exponent);
    let exponent = b_is_greater.select(b.exponent, a.exponent);
    let (of_a, of_b) = (shifted(a.bits, exponent - a.exponent), shifted(b.bits, exponent - b.exponent));
    let a_is_less = of_a.less(of_b);
    let difference = a_is_less.select(of_b - of_a, of_a - of_b);
    let differ = a.negative ^ b.negative;
    Wide { bits: differ.select(difference, of_a + of_b), exponent, negative: a_is_less.select(b.negative, a.negative) }
}

/// Shifts right, and sets the lowest bit where bits that were one are lost.
fn shifted<'w>(bits: Value<'w>, amount: Value<'w>) -> Value<'w> {
    let amount = amount.less(63).select(amount, 63).to_width(64);
    let kept = bits >> amount;
    kept | (kept << amount).differs(bits).to_int(64)
}
