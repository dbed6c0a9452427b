//! Execution frequencies that neither overflow nor depend on the machine: a mantissa of 32 bits and an exponent.

use std::cmp::Ordering;

/// The number of times that a block is estimated to run for each run of the function. Positive; it can represent a nest of a thousand loops
/// and a thousand nested branches. Arithmetic rounds down, and is the same everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frequency {
    /// At least 2³¹.
    mantissa: u32,
    exponent: i32,
}

impl Frequency {
    /// Once.
    pub const ONE: Frequency = Frequency { mantissa: 1 << 31, exponent: 0 };

    /// A number of times, at least once.
    pub fn times(count: u64) -> Frequency {
        Frequency::normalized(count.max(1), 31)
    }

    /// A fraction of once: `numerator / denominator`, where zero counts as one.
    pub fn part(numerator: u32, denominator: u32) -> Frequency {
        let numerator = numerator.max(1);
        // The highest bit is set, so the quotient has 32 significant bits.
        let shift = numerator.leading_zeros() + 32;
        let quotient = (u64::from(numerator) << shift) / u64::from(denominator.max(1));
        Frequency::normalized(quotient, 31 - shift as i32)
    }

    /// The logarithm to base 2, rounded down.
    pub fn log2(self) -> i32 {
        self.exponent
    }

    /// The logarithm to base 2 in sixteenths, to the nearest, linear between powers of two. It grows with the frequency; frequencies that
    /// differ only by the rounding of a sum have the same one.
    pub fn log2_sixteenths(self) -> i32 {
        let steps = ((self.mantissa >> 26) & 31).div_ceil(2) as i32;
        self.exponent.saturating_mul(16).saturating_add(steps)
    }

    /// The product.
    #[must_use]
    pub fn scaled(self, other: Frequency) -> Frequency {
        let product = u64::from(self.mantissa) * u64::from(other.mantissa);
        let shift = self.exponent.saturating_add(other.exponent).saturating_sub(31);
        Frequency::normalized(product, shift)
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Frequency) -> Frequency {
        let (high, low) = if self >= other { (self, other) } else { (other, self) };
        let distance = u32::try_from(i64::from(high.exponent) - i64::from(low.exponent)).unwrap_or(u32::MAX);
        // The high mantissa is an integer, so the bits shifted out of the low one never affect the last bit.
        let low = low.mantissa.checked_shr(distance).unwrap_or(0);
        Frequency::normalized(u64::from(high.mantissa) + u64::from(low), high.exponent)
    }

    /// The nearest floating-point number; zero or infinite where there is none.
    pub fn to_f64(self) -> f64 {
        f64::from(self.mantissa) * 2_f64.powi(self.exponent.saturating_sub(31))
    }

    /// `value · 2^(exponent − 31)`; `value` is not zero.
    fn normalized(value: u64, exponent: i32) -> Frequency {
        let bits = u64::BITS - value.leading_zeros();
        let mantissa = if bits > 32 { value >> (bits - 32) } else { value << (32 - bits) };
        let exponent = exponent.saturating_add(bits as i32 - 32);
        Frequency { mantissa: mantissa as u32, exponent }
    }
}

impl Ord for Frequency {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.exponent, self.mantissa).cmp(&(other.exponent, other.mantissa))
    }
}

impl PartialOrd for Frequency {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Frequency;

    #[test]
    fn arithmetic_is_that_of_numbers() {
        for left in [1_u64, 2, 3, 7, 100, 1 << 20] {
            for right in [1_u64, 5, 8, 99, 1 << 30] {
                let (a, b) = (Frequency::times(left), Frequency::times(right));
                assert_eq!(a.scaled(b), Frequency::times(left * right));
                assert_eq!(a.plus(b), Frequency::times(left + right));
                assert_eq!(a.cmp(&b), left.cmp(&right));
                assert_eq!(a.to_f64(), left as f64);
            }
        }
        assert_eq!(Frequency::part(1, 4).scaled(Frequency::times(4)), Frequency::ONE);
        assert_eq!(Frequency::part(1, 4).to_f64(), 0.25);
        assert_eq!(Frequency::ONE.log2(), 0);
    }

    /// The exact sum, before rounding.
    fn exact_sum(high: Frequency, low: Frequency) -> Frequency {
        let distance = (high.exponent - low.exponent) as u32;
        let sum = (u128::from(high.mantissa) << 90) + (u128::from(low.mantissa) << 90 >> distance.min(127));
        let bits = u128::BITS - sum.leading_zeros();
        Frequency { mantissa: (sum >> (bits - 32)) as u32, exponent: high.exponent + bits as i32 - 122 }
    }

    #[test]
    fn sums_are_rounded_down_whatever_the_distance() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        for round in 0..20_000 {
            let [left, right] = [next(), next()].map(|word| word | 1 << 31);
            let mantissas = if round % 4 == 0 { [u32::MAX, right] } else { [left, right] };
            let distance = (next() % 70) as i32;
            let high = Frequency { mantissa: mantissas[0].max(mantissas[1]), exponent: 5 };
            let low = Frequency { mantissa: mantissas[0].min(mantissas[1]), exponent: 5 - distance };
            assert_eq!((high.plus(low), low.plus(high)), (exact_sum(high, low), exact_sum(high, low)), "{distance}");
        }
    }

    #[test]
    fn deep_nests_neither_overflow_nor_vanish() {
        let (mut inner, mut cold) = (Frequency::ONE, Frequency::ONE);
        for _ in 0..5000 {
            let (outer, warm) = (inner, cold);
            inner = inner.scaled(Frequency::times(8));
            cold = cold.scaled(Frequency::part(1, 2));
            assert!(inner > outer && cold < warm);
        }
        assert_eq!((inner.log2(), cold.log2()), (15_000, -5_000));
    }
}
