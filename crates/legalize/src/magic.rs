//! Division by a constant: a multiplication and shifts.
//!
//! T. Granlund and P. L. Montgomery, "Division by invariant integers using multiplication" (1994), for integers of N bits:
//!
//! - Theorem 4.2: where 2^(N+s) ≤ m · d ≤ 2^(N+s) + 2^s, the quotient of each `a` < 2^N by `d` is m · a >> (N+s). Where `d` is a multiple of 2^k,
//!   `a >> k` has N − k bits, and 2^(s+k) is enough. If no such `m` has N bits, one has N + 1 bits: t = high(m − 2^N, a) is less than `a`, and
//!   ((a − t) / 2 + t) >> (s − 1) is the quotient without overflow.
//! - Figure 5.2: for signed integers, l = max(⌈log₂ |d|⌉, 1) and m = ⌊2^(N+l−1) / |d|⌋ + 1 − 2^N, the quotient is
//!   ((a + high(m, a)) >> (l − 1)) − (a >> (N − 1)), negated for a negative `d`.

/// The division of an unsigned integer by a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsigned {
    /// A shift to the right before.
    pub before: u32,
    /// The multiplier; without its highest bit if `is_long`.
    pub multiplier: u64,
    /// The shift to the right after it.
    pub after: u32,
    /// True if the multiplier has a bit more than the integer.
    pub is_long: bool,
}

/// The division of a signed integer by a magnitude.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signed {
    /// The multiplier, as an integer of the width.
    pub multiplier: u64,
    /// The shift to the right after it.
    pub after: u32,
}

/// ⌈log₂ d⌉.
fn ceiling_of_logarithm(d: u64) -> u32 {
    64 - (d - 1).leading_zeros()
}

/// The unsigned division by a divisor of at least 2 that is no power of two, and 32 or 64 bits.
pub fn unsigned(bits: u32, d: u64) -> Unsigned {
    let limit = ceiling_of_logarithm(d);
    for before in [0, d.trailing_zeros()] {
        let odd = u128::from(d >> before);
        for after in 0..limit {
            let power = 1u128 << (bits + after);
            let multiplier = power.div_ceil(odd);
            if multiplier >> bits == 0 && multiplier * odd - power <= 1u128 << (after + before) {
                return Unsigned { before, multiplier: multiplier as u64, after, is_long: false };
            }
        }
    }
    // 2^(N+l) / d lies between 2^N and 2^(N+1); with N + l up to 128, the quotient is that of 2^(N+l) − 2^N · d and 2^N more.
    let rest = ((1u128 << limit) - u128::from(d)) << bits;
    let multiplier = (rest / u128::from(d) + 1) as u64;
    Unsigned { before: 0, multiplier, after: limit, is_long: true }
}

/// The signed division by a magnitude of at least 1, and 32 or 64 bits.
pub fn signed(bits: u32, magnitude: u64) -> Signed {
    let limit = if magnitude == 1 { 1 } else { ceiling_of_logarithm(magnitude) };
    let multiplier = (1u128 << (bits + limit - 1)) / u128::from(magnitude) + 1;
    Signed { multiplier: multiplier as u64 & (u64::MAX >> (64 - bits)), after: limit - 1 }
}

#[cfg(test)]
mod tests {
    use super::{signed, unsigned};

    fn interesting(bits: u32, divisor: u64) -> Vec<u64> {
        let mask = u64::MAX >> (64 - bits);
        let mut values = vec![0, 1, 2, mask, mask - 1, mask >> 1, (mask >> 1) + 1];
        let mut quotient = 1u64;
        while let Some(product) = quotient.checked_mul(divisor).filter(|product| *product <= mask) {
            values.extend([product - 1, product, product.wrapping_add(1) & mask]);
            quotient = quotient.saturating_mul(3).saturating_add(1);
        }
        let last = mask / divisor * divisor;
        values.extend([last - 1, last, last.saturating_add(divisor - 1).min(mask)]);
        values
    }

    fn divisors(bits: u32) -> impl Iterator<Item = u64> {
        let mask = u64::MAX >> (64 - bits);
        let near = (1..bits).flat_map(move |bit| [(1u64 << bit) - 1, (1 << bit) + 1, (1 << bit) + 3]);
        (2..3000).chain(near).chain((0..40).map(move |n| mask - n)).filter(move |d| *d >= 2 && *d <= mask)
    }

    #[test]
    fn unsigned_division_by_a_constant() {
        for bits in [32, 64] {
            for d in divisors(bits).filter(|d| !d.is_power_of_two()) {
                let magic = unsigned(bits, d);
                for a in interesting(bits, d) {
                    let before = a >> magic.before;
                    let high = ((u128::from(before) * u128::from(magic.multiplier)) >> bits) as u64;
                    let quotient = match magic.is_long {
                        true => (((a - high) >> 1) + high) >> (magic.after - 1),
                        false => high >> magic.after,
                    };
                    assert_eq!(quotient, a / d, "{a} / {d} of {bits} bits by {magic:?}");
                }
            }
        }
    }

    #[test]
    fn signed_division_by_a_constant() {
        for bits in [32u32, 64] {
            let extend = |value: u64| (value << (64 - bits)).cast_signed() >> (64 - bits);
            for d in divisors(bits).map(extend).filter(|d| *d != 0) {
                let magic = signed(bits, d.unsigned_abs());
                for a in interesting(bits, d.unsigned_abs().max(2)).into_iter().map(extend) {
                    let high = ((i128::from(a) * i128::from(extend(magic.multiplier))) >> bits) as i64;
                    let sum = extend(a.wrapping_add(high).cast_unsigned());
                    let quotient = (sum >> magic.after).wrapping_sub(a >> (bits - 1));
                    let quotient = if d < 0 { quotient.wrapping_neg() } else { quotient };
                    assert_eq!(
                        extend(quotient.cast_unsigned()),
                        extend(a.wrapping_div(d).cast_unsigned()),
                        "{a} / {d}"
                    );
                }
            }
        }
    }
}
