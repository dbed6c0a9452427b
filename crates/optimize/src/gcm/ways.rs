//! Queries about paths up the dominator tree, in logarithmic time.
//!
//! Each block has its parent and one *jump* to an ancestor further up. Where two jumps of equal length meet, the next one is as long as
//! both plus one (Myers, An applicative random-access stack, 1983). Each jump has the cheapest block that it passes. So a path of any
//! length consists of few parts whose cheapest blocks are known. (Binary lifting stores a jump for each power of two and gives the same
//! answers; this stores one.)
//!
//! ```text
//! depth   0   1   2   3   4   5   6   7        the cheapest of 7 … 2:  jump of 7 passes 7,
//! jump    ·   0   0   2   3   2   …   …        parent …
//! ```
//!
//! Linear to build, O(log depth) for a query.

use crate::body::Body;

/// The cost of a block into which nothing may be moved.
pub(super) const FORBIDDEN: i32 = i32::MAX;

/// Jumps in the dominator tree, and the cheapest block on each.
#[derive(Debug)]
pub(super) struct DominatorJumps {
    parents: Vec<u32>,
    depths: Vec<u32>,
    jumps: Vec<u32>,
    /// By block: the cheapest on the path from it to its jump, which does not count; among equals the deepest.
    cheapest: Vec<u32>,
    costs: Vec<i32>,
}

impl DominatorJumps {
    /// The jumps of a tree with these block costs.
    pub(super) fn compute(body: &Body, costs: Vec<i32>) -> DominatorJumps {
        let count = body.block_count();
        let parents: Vec<u32> = (0..count).map(|block| body.parent(block)).collect();
        let mut ways = DominatorJumps {
            parents,
            depths: vec![0; count as usize],
            jumps: vec![0; count as usize],
            cheapest: Vec::new(),
            costs,
        };
        ways.cheapest.extend(0..count);
        for block in 1..count {
            ways.add(block);
        }
        ways
    }

    fn add(&mut self, block: u32) {
        let parent = self.parents[block as usize];
        self.depths[block as usize] = self.depth(parent) + 1;
        if parent == 0 {
            return;
        }
        let middle = self.jump(parent);
        let far = self.jump(middle);
        if self.depth(parent) - self.depth(middle) == self.depth(middle) - self.depth(far) {
            self.jumps[block as usize] = far;
            let below = self.cheaper(block, self.cheapest[parent as usize]);
            self.cheapest[block as usize] = self.cheaper(below, self.cheapest[middle as usize]);
        } else {
            self.jumps[block as usize] = parent;
        }
    }

    /// The number of strict dominators of a block.
    pub(super) fn depth(&self, block: u32) -> u32 {
        self.depths[block as usize]
    }

    /// The cost of a block.
    pub(super) fn cost(&self, block: u32) -> i32 {
        self.costs[block as usize]
    }

    fn jump(&self, block: u32) -> u32 {
        self.jumps[block as usize]
    }

    /// The cheaper of two blocks on one path; the lower one if their costs are equal.
    fn cheaper(&self, lower: u32, upper: u32) -> u32 {
        if self.cost(upper) < self.cost(lower) { upper } else { lower }
    }

    /// The cheapest block on the path from `lower` up to `upper`, both included; among equals the deepest.
    pub(super) fn cheapest(&self, lower: u32, upper: u32) -> u32 {
        let (mut current, mut best) = (lower, lower);
        let top = self.depth(upper);
        while self.depth(current) > top {
            if self.depth(self.jump(current)) >= top {
                best = self.cheaper(best, self.cheapest[current as usize]);
                current = self.jump(current);
            } else {
                best = self.cheaper(best, current);
                current = self.parents[current as usize];
            }
        }
        self.cheaper(best, upper)
    }

    /// The deepest block from `lower` upwards for which `holds` is true, which must be monotonic on the path; the entry if there is none.
    pub(super) fn deepest(&self, lower: u32, holds: impl Fn(u32) -> bool) -> u32 {
        let mut current = lower;
        while current != 0 && !holds(current) {
            let far = self.jump(current);
            current = if holds(far) { self.parents[current as usize] } else { far };
        }
        current
    }

    /// The block `steps` above another one.
    pub(super) fn above(&self, lower: u32, steps: u32) -> u32 {
        let target = self.depth(lower) - steps;
        self.deepest(lower, |block| self.depth(block) <= target)
    }
}
