//! Disjoint sets of numbers (union-find).
//!
//! Union by index with path halving: Tarjan, van Leeuwen 1984, section 2. The root of a set is the least number in it. Near-linear.

/// Sets of the numbers from 0, each in a set of its own at first.
#[derive(Debug, Default)]
pub struct DisjointSets {
    /// For each number another one of its set that is not greater; a root is its own.
    parents: Vec<usize>,
}

impl DisjointSets {
    /// Creates `count` sets of one number each.
    pub fn new(count: usize) -> DisjointSets {
        DisjointSets { parents: (0..count).collect() }
    }

    /// Adds one number.
    pub fn add(&mut self) {
        self.parents.push(self.parents.len());
    }

    /// The least number of the set.
    pub fn root(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    /// Unites two sets. Returns the root of the result, and the root of the set that was merged into the other if there were two.
    pub fn unite(&mut self, one: usize, other: usize) -> (usize, Option<usize>) {
        let (one, other) = (self.root(one), self.root(other));
        let (root, gone) = (one.min(other), one.max(other));
        self.parents[gone] = root;
        (root, (gone != root).then_some(gone))
    }
}
