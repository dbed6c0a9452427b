//! Numbers of twice the precision, as unevaluated sums of two floats.
//!
//! Sums and products of two floats are exact as such pairs (Dekker 1971, "A floating-point technique for extending the available
//! precision"; the sum without a comparison is Knuth's, TAOCP volume 2, section 4.2.2). This holds if each operation is rounded to nearest,
//! so nothing here may be contracted; subnormal intermediate values only lose the low part.

use crate::formula::{Beside, Value};

/// `high + low`, where `low` is at most half a unit in the last place of `high`, or about that.
#[derive(Clone, Copy)]
pub(super) struct Pair<'w> {
    pub(super) high: Value<'w>,
    pub(super) low: Value<'w>,
}

/// `a + b`, exactly.
pub(super) fn sum<'w>(a: Value<'w>, b: impl Beside<'w>) -> Pair<'w> {
    let b = b.like(a);
    let high = a + b;
    let of_b = high - a;
    let of_a = high - of_b;
    Pair { high, low: (a - of_a) + (b - of_b) }
}

/// `a + b`, exactly, where `a` is the larger one, or zero.
pub(super) fn ordered_sum<'w>(a: Value<'w>, b: impl Beside<'w>) -> Pair<'w> {
    let b = b.like(a);
    let high = a + b;
    Pair { high, low: b - (high - a) }
}

/// A float split into two halves: the upper bits and the rest.
fn halves(a: Value<'_>) -> [Value<'_>; 2] {
    let format = a.format();
    let low_bits = (format.fraction + 1).div_ceil(2);
    let upper = (a.bits() & !((1 << low_bits) - 1)).float_of_bits();
    [upper, a - upper]
}

/// `a * b`, exactly: what is lost of the product is a fused product and sum, or a sum of products of halves.
pub(super) fn product<'w>(a: Value<'w>, b: Value<'w>) -> Pair<'w> {
    let high = a * b;
    if a.writer().has_fused() {
        return Pair { high, low: a.fused(b, -high) };
    }
    let ([a_high, a_low], [b_high, b_low]) = (halves(a), halves(b));
    let low = (a_high * b_high - high) + a_high * b_low + a_low * b_high + a_low * b_low;
    Pair { high, low }
}

/// `a / b` in twice the precision, whatever the precision of the device's division.
pub(super) fn quotient<'w>(a: Value<'w>, b: Value<'w>) -> Pair<'w> {
    Pair::from(a).over(Pair::from(b))
}

impl<'w> From<Value<'w>> for Pair<'w> {
    fn from(high: Value<'w>) -> Pair<'w> {
        Pair { high, low: high.constant(0.0) }
    }
}

impl<'w> Pair<'w> {
    /// A constant in the precision of a value: the nearest float, and the nearest float to the rest. `rest` is the difference of the
    /// constant and `number`.
    pub(super) fn constant(like: Value<'w>, number: f64, rest: f64) -> Pair<'w> {
        let rounded = match like.shape().width() {
            32 => f64::from(number as f32),
            _ => number,
        };
        Pair { high: like.constant(rounded), low: like.constant((number - rounded) + rest) }
    }

    /// The nearest float.
    pub(super) fn value(self) -> Value<'w> {
        self.high + self.low
    }

    pub(super) fn plus(self, other: Pair<'w>) -> Pair<'w> {
        let high = sum(self.high, other.high);
        ordered_sum(high.high, high.low + (self.low + other.low))
    }

    pub(super) fn plus_value(self, other: Value<'w>) -> Pair<'w> {
        let high = sum(self.high, other);
        ordered_sum(high.high, high.low + self.low)
    }

    pub(super) fn times(self, other: Pair<'w>) -> Pair<'w> {
        let high = product(self.high, other.high);
        let low = if self.high.writer().has_fused() {
            self.high.fused(other.low, self.low.fused(other.high, high.low))
        } else {
            high.low + (self.high * other.low + self.low * other.high)
        };
        ordered_sum(high.high, low)
    }

    pub(super) fn times_value(self, other: Value<'w>) -> Pair<'w> {
        let high = product(self.high, other);
        let low =
            if self.high.writer().has_fused() { self.low.fused(other, high.low) } else { high.low + self.low * other };
        ordered_sum(high.high, low)
    }

    /// Times a power of two.
    pub(super) fn scaled(self, power: f64) -> Pair<'w> {
        Pair { high: self.high * power, low: self.low * power }
    }

    pub(super) fn negated(self) -> Pair<'w> {
        Pair { high: -self.high, low: -self.low }
    }

    pub(super) fn over(self, other: Pair<'w>) -> Pair<'w> {
        let first = self.high / other.high;
        let back = product(first, other.high);
        let rest = ((self.high - back.high) - back.low) + self.low - first * other.low;
        ordered_sum(first, rest / other.high)
    }

    /// The square root of a positive number.
    pub(super) fn square_root(self) -> Pair<'w> {
        let first = self.high.square_root();
        let back = product(first, first);
        let rest = ((self.high - back.high) - back.low) + self.low;
        ordered_sum(first, rest / (first + first))
    }

    /// A select between two pairs.
    pub(super) fn chosen(condition: Value<'w>, yes: Pair<'w>, no: Pair<'w>) -> Pair<'w> {
        Pair { high: condition.select(yes.high, no.high), low: condition.select(yes.low, no.low) }
    }
}
