//! Ancestor and lowest-common-ancestor queries on a fixed tree, constant time each.
//!
//! The tree is split into paths, each with a *label*, so that the labels on the path from the root to any node are the ancestors of its
//! label in a complete binary tree over `1..=2^k-1` (where the ancestors of a number are found by shifts). A common ancestor of two labels
//! is then a few bit operations, and one table per label leads back into the tree.
//!
//! Label of a number: the value with the most trailing zeros among the (one-based) preorder numbers of its subtree. Invariant: nodes with
//! equal labels form a downward path. Linear time and memory, unlike the Euler tour with a sparse table (Schieber and Vishkin 1988; Bender
//! and Farach-Colton 2000 for the latter). The labels are computed when a common ancestor is first requested.

use std::sync::OnceLock;

/// Ancestor queries in a tree whose nodes are preorder numbers `0..len`; 0 is the root.
#[derive(Clone, Debug)]
pub struct AncestorTable {
    parents: Vec<u32>,
    /// One past the last number of each subtree.
    ends: Vec<u32>,
    labels: OnceLock<Labels>,
}

/// The labels of the paths; see the top of the file.
#[derive(Clone, Debug)]
struct Labels {
    labels: Vec<u32>,
    /// Per number: the union of the lowest set bits of all labels from the root down to it.
    paths: Vec<u32>,
    /// Per label: the topmost number that has it.
    heads: Vec<u32>,
}

impl Labels {
    fn compute(parents: &[u32], ends: &[u32]) -> Self {
        let len = parents.len();
        let labels: Vec<u32> = (0..).zip(ends).map(|(first, &end)| label(first, end)).collect();
        let mut paths = vec![0; len];
        let mut heads = vec![0; len + 1];
        for number in 0..len {
            let parent = if number == 0 { 0 } else { parents[number] as usize };
            paths[number] = paths[parent] | lowest_bit(labels[number]);
            if number == 0 || labels[parent] != labels[number] {
                heads[labels[number] as usize] = u32::try_from(number).expect("numbers of a tree fit their own type");
            }
        }
        Self { labels, paths, heads }
    }

    /// The first number on the path from `number` to the root that is on the path of its ancestors at `level`.
    fn climb(&self, parents: &[u32], number: u32, level: u32) -> u32 {
        let label = self.labels[number as usize];
        let below = self.paths[number as usize] & ((1 << level) - 1);
        if below == 0 {
            return number;
        }
        // The last path before that one; its head hangs below the number looked for.
        let child_level = below.ilog2();
        let child_label = (label >> child_level | 1) << child_level;
        let head = self.heads[child_label as usize];
        parents[head as usize]
    }
}

impl AncestorTable {
    /// Builds the table from the parent of each number; the root's own entry is ignored.
    ///
    /// `parents` must describe a preorder numbering: every subtree is a contiguous range that starts
    /// with its root. Linear time.
    ///
    /// # Panics
    /// The parent of a number other than the root is not smaller than the number.
    pub fn compute(parents: Vec<u32>) -> Self {
        let len = parents.len();
        let mut ends: Vec<u32> = (1..).take(len).collect();
        for number in (1..len).rev() {
            let parent = parents[number] as usize;
            assert!(parent < number, "parent {parent} of {number} comes later");
            ends[parent] = ends[parent].max(ends[number]);
        }
        Self { parents, ends, labels: OnceLock::new() }
    }

    /// The number of nodes in the tree.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Returns whether the tree has no node.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The parent of a number; `None` for the root.
    #[inline]
    pub fn parent(&self, number: u32) -> Option<u32> {
        (number != 0).then(|| self.parents[number as usize])
    }

    /// One past the last number in the subtree of `number`.
    #[inline]
    pub fn end(&self, number: u32) -> u32 {
        self.ends[number as usize]
    }

    /// Returns whether `above` is `below` or an ancestor of it.
    #[inline]
    pub fn is_ancestor(&self, above: u32, below: u32) -> bool {
        above <= below && below < self.end(above)
    }

    /// The deepest number that is an ancestor of (or equal to) both. Constant time, except for the first call, which computes the labels in
    /// linear time.
    pub fn lowest_common_ancestor(&self, left: u32, right: u32) -> u32 {
        let table = self.labels.get_or_init(|| Labels::compute(&self.parents, &self.ends));
        let (left_label, right_label) = (table.labels[left as usize], table.labels[right as usize]);
        if left_label == right_label {
            return left.min(right);
        }
        // The level, in the binary tree of labels, of the lowest path that both have above them.
        let split = (left_label ^ right_label).ilog2();
        let shared = table.paths[left as usize] & table.paths[right as usize] & (u32::MAX << split);
        let level = shared.trailing_zeros();
        table.climb(&self.parents, left, level).min(table.climb(&self.parents, right, level))
    }
}

/// The value with the most trailing zeros in `first + 1..=end`.
fn label(first: u32, end: u32) -> u32 {
    let level = (first ^ end).ilog2();
    end >> level << level
}

fn lowest_bit(value: u32) -> u32 {
    value & value.wrapping_neg()
}
