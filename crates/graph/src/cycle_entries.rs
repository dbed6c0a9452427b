//! Lists the entries of a cycle.
//!
//! A node is an entry of those cycles around it that do not contain all of its predecessors. They form a path up in the forest: from the
//! node's innermost cycle to the one directly below the innermost cycle that also contains the outermost predecessor. The depth of the
//! latter, the node's *entry depth*, suffices: the node is an entry of a cycle around it if its entry depth is below the cycle's depth.
//!
//! With `d` nested cycles and `d` edges from outside into the innermost, the lists of all cycles have d² items together, so they are
//! computed on demand. A cycle's blocks are a range, and a tree of minima over the ranges finds the small entry depths in it: O(entries ·
//! log nodes) a list.

use crate::graph::Node;

/// A complete binary tree of minima over a sequence of keys.
#[derive(Clone, Debug)]
pub(crate) struct EntryDepths {
    /// Children of `k` are `2k` and `2k + 1`; the leaf of key `i` is `leaves + i`.
    minima: Vec<u32>,
    leaves: usize,
}

impl EntryDepths {
    /// Linear in the number of keys.
    pub(crate) fn compute(keys: &[u32]) -> Self {
        let leaves = keys.len().next_power_of_two();
        let mut minima = vec![u32::MAX; 2 * leaves];
        minima[leaves..leaves + keys.len()].copy_from_slice(keys);
        for parent in (1..leaves).rev() {
            minima[parent] = minima[2 * parent].min(minima[2 * parent + 1]);
        }
        Self { minima, leaves }
    }

    /// The items in `range` whose key is below `bound`, ascending by place.
    pub(crate) fn below(&self, bound: u32, range: std::ops::Range<usize>, items: &[Node]) -> Vec<Node> {
        let mut found = Vec::new();
        // A vertex with the places it covers.
        let mut stack = vec![(1, 0..self.leaves)];
        while let Some((vertex, covered)) = stack.pop() {
            let is_apart = covered.end <= range.start || range.end <= covered.start;
            if is_apart || self.minima[vertex] >= bound {
                continue;
            }
            if vertex >= self.leaves {
                found.push(items[vertex - self.leaves]);
                continue;
            }
            let middle = covered.start.midpoint(covered.end);
            stack.push((2 * vertex + 1, middle..covered.end));
            stack.push((2 * vertex, covered.start..middle));
        }
        found
    }
}
