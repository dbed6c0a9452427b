//! Random numbers that are the same on every machine and in every version.
//!
//! A xorshift generator with a final multiplication (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled",
//! 2016, section 3: xorshift64*). It is good enough for all tests, and a failure is identified by its seed alone.

/// A random sequence, determined by its seed.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed. Seeds that differ in one bit give independent sequences.
    pub fn new(seed: u64) -> Random {
        Random { state: mix(seed) | 1 }
    }

    /// The next number, any of 64 bits.
    pub fn word(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below zero");
        (((self.word() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True with a probability of `percent` percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A random item; there must be at least one.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Mixes the bits of a number (the finalizer of splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014,
/// section 5).
pub fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_the_stream_and_bounds_hold() {
        let (mut left, mut right) = (Random::new(7), Random::new(7));
        assert!((0..100).all(|_| left.word() == right.word()));
        assert_ne!(Random::new(7).word(), Random::new(8).word());
        let mut seen = [false; 5];
        (0..200).for_each(|_| seen[left.below(5)] = true);
        assert_eq!(seen, [true; 5]);
        assert!((0..200).all(|_| (3..=4).contains(&left.between(3, 4))));
    }
}
