//! Unsigned integers for the product of two significands: one word of 64 bits, or two.

use super::integer::{leading_zeros, multiply_high};
use crate::formula::Value;

/// The operations that a sum of significands needs.
pub(super) trait Bits<'w>: Copy {
    /// The bit position of the highest leading bit of a sum; that of each term is one lower.
    const TOP: u32;

    /// The product of two words, shifted to the left.
    fn product(a: Value<'w>, b: Value<'w>, shift: u32) -> Self;
    /// A word, shifted to the left.
    fn raised(word: Value<'w>, shift: u32) -> Self;
    /// Zero if a condition holds.
    fn unless(self, condition: Value<'w>) -> Self;
    /// A select.
    fn chosen(condition: Value<'w>, yes: Self, no: Self) -> Self;
    /// Shifted right, with the lowest bit set if any bit that was shifted out was set. The 32-bit amount may be any number.
    fn lowered(self, amount: Value<'w>) -> Self;
    /// Computes whether it is the smaller of two.
    fn less(self, other: Self) -> Value<'w>;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The difference.
    fn minus(self, other: Self) -> Self;
    /// Computes whether all bits are zero.
    fn is_zero(self) -> Value<'w>;
    /// The upper word after normalization, with its lowest bit set if any lower bit is set; and the shift amount, in 32 bits. Undefined for
    /// zero.
    fn normalized(self) -> (Value<'w>, Value<'w>);
}

impl<'w> Bits<'w> for Value<'w> {
    const TOP: u32 = 62;

    fn product(a: Value<'w>, b: Value<'w>, shift: u32) -> Value<'w> {
        (a * b) << u64::from(shift)
    }

    fn raised(word: Value<'w>, shift: u32) -> Value<'w> {
        word << u64::from(shift)
    }

    fn unless(self, condition: Value<'w>) -> Value<'w> {
        condition.select(self.constant(0), self)
    }

    fn chosen(condition: Value<'w>, yes: Value<'w>, no: Value<'w>) -> Value<'w> {
        condition.select(yes, no)
    }

    fn lowered(self, amount: Value<'w>) -> Value<'w> {
        let amount = amount.less(63).select(amount, 63).to_width(64);
        let kept = self >> amount;
        kept | (kept << amount).differs(self).to_int(64)
    }

    fn less(self, other: Value<'w>) -> Value<'w> {
        Value::less(self, other)
    }

    fn plus(self, other: Value<'w>) -> Value<'w> {
        self + other
    }

    fn minus(self, other: Value<'w>) -> Value<'w> {
        self - other
    }

    fn is_zero(self) -> Value<'w> {
        self.equals(0)
    }

    fn normalized(self) -> (Value<'w>, Value<'w>) {
        let zeros = leading_zeros(&[self]);
        (self << (zeros & 63), zeros.to_width(32))
    }
}

/// An integer of 128 bits.
#[derive(Clone, Copy)]
pub(super) struct Long<'w> {
    high: Value<'w>,
    low: Value<'w>,
}

/// A word shifted left, and the bits that were shifted out; the amount is below 64.
fn rotated<'w>(word: Value<'w>, amount: Value<'w>) -> (Value<'w>, Value<'w>) {
    let back = (-amount) & 63;
    (word << amount, amount.equals(0).select(word.constant(0), word >> back))
}

impl<'w> Bits<'w> for Long<'w> {
    const TOP: u32 = 126;

    fn product(a: Value<'w>, b: Value<'w>, shift: u32) -> Long<'w> {
        let (low, high) = (a * b, multiply_high(&[a, b]));
        let (shift, back) = (u64::from(shift), u64::from(64 - shift));
        Long { high: (high << shift) | (low >> back), low: low << shift }
    }

    fn raised(word: Value<'w>, shift: u32) -> Long<'w> {
        Long { high: word << u64::from(shift - 64), low: word.constant(0) }
    }

    fn unless(self, condition: Value<'w>) -> Long<'w> {
        Long { high: self.high.unless(condition), low: self.low.unless(condition) }
    }

    fn chosen(condition: Value<'w>, yes: Long<'w>, no: Long<'w>) -> Long<'w> {
        Long { high: condition.select(yes.high, no.high), low: condition.select(yes.low, no.low) }
    }

    fn lowered(self, amount: Value<'w>) -> Long<'w> {
        let amount = amount.less(127).select(amount, 127).to_width(64);
        let shift = amount & 63;
        let is_word = amount.at_least(64);
        let mask = (shift.constant(1) << shift) - 1;
        let across = shift.equals(0).select(shift.constant(0), self.high << ((-shift) & 63));
        let (high, low) = (self.high >> shift, (self.low >> shift) | across);
        let lost = is_word.select(self.low | (self.high & mask), self.low & mask).differs(0).to_int(64);
        Long { high: is_word.select(high.constant(0), high), low: is_word.select(high, low) | lost }
    }

    fn less(self, other: Long<'w>) -> Value<'w> {
        self.high.less(other.high) | (self.high.equals(other.high) & self.low.less(other.low))
    }

    fn plus(self, other: Long<'w>) -> Long<'w> {
        let low = self.low + other.low;
        Long { high: self.high + other.high + low.less(other.low).to_int(64), low }
    }

    fn minus(self, other: Long<'w>) -> Long<'w> {
        let borrow = self.low.less(other.low).to_int(64);
        Long { high: self.high - other.high - borrow, low: self.low - other.low }
    }

    fn is_zero(self) -> Value<'w> {
        (self.high | self.low).equals(0)
    }

    fn normalized(self) -> (Value<'w>, Value<'w>) {
        let is_short = self.high.equals(0);
        let (high, low) = (is_short.select(self.low, self.high), is_short.select(self.low.constant(0), self.low));
        let zeros = leading_zeros(&[high]);
        let shift = zeros & 63;
        let (low, carried) = rotated(low, shift);
        let word = (high << shift) | carried;
        let zeros = is_short.select(zeros + 64, zeros).to_width(32);
        (word | low.differs(0).to_int(64), zeros)
    }
}
