//! Random numbers and random control flow.

pub(crate) mod dominance;

/// Pseudo-random numbers (xorshift, Marsaglia 2003).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize) % bound
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The successors of each node: any graph whose entry, node 0, has no predecessors. Some never end, some are irreducible, and some nodes
/// are never reached.
pub(crate) fn random_graph(random: &mut Random, len: usize) -> Vec<Vec<usize>> {
    let is_local = random.chance(50);
    let target = |random: &mut Random, node: usize| {
        if is_local {
            let low = node.saturating_sub(3).max(1);
            (low + random.below(6)).min(len - 1).max(1)
        } else {
            1 + random.below(len - 1)
        }
    };
    let lists = (0..len).map(|node| {
        let count = if len == 1 { 0 } else { [0, 1, 1, 1, 2, 2, 2, 3][random.below(8)] };
        let count = if node == 0 && len > 1 { count.max(1) } else { count };
        (0..count).map(|_| target(random, node)).collect()
    });
    lists.collect()
}
