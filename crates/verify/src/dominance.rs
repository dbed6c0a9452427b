//! Dominators, by iteration over the data flow equation.
//!
//! The immediate dominator of a block is the nearest common ancestor, in the dominator tree so far, of its predecessors; taken over
//! the blocks in reverse post-order until nothing changes (Cooper, Harvey and Kennedy 2001, "A Simple, Fast Dominance Algorithm").
//! Their walk up the tree is linear in its depth, which makes ladders of shared exits quadratic; here every node also has a jump
//! pointer to a far ancestor, chosen when the node is added (Myers 1983, "An applicative random-access stack"), and the walk is
//! logarithmic.
//!
//! A pass builds a fresh tree. Predecessors that the pass has not come to are represented by their nearest ancestor in the tree of
//! the pass before that it has come to. Invariant: every tree is at least as deep as the final one, so a fixed point is the
//! greatest one: dominance. A reducible graph takes one pass and one to see that nothing changes.
//!
//! O(edges · log nodes) a pass. Written for this crate alone: the rest of the workspace computes dominance in another way.

use crate::graph::Graph;

const NONE: u32 = u32::MAX;

/// Which nodes dominate which, from a root.
pub(crate) struct Dominance {
    /// Reachable nodes in reverse post-order.
    order: Vec<u32>,
    /// Place of each node in `order`.
    numbers: Vec<u32>,
    /// By place: place of the immediate dominator; the root's is itself.
    parents: Vec<u32>,
    /// By place: the nodes below it in the tree are those with `first` in this range.
    first: Vec<u32>,
    size: Vec<u32>,
}

impl Dominance {
    /// Dominance in a graph from a root.
    pub(crate) fn compute(graph: &Graph, root: u32) -> Dominance {
        let order = reverse_post_order(graph, root);
        let mut numbers = vec![NONE; graph.count()];
        order.iter().zip(0..).for_each(|(&node, place)| numbers[node as usize] = place);
        let mut tree = Tree::new(order.len());
        let mut is_first_pass = true;
        loop {
            let next = pass(graph, &order, &numbers, (!is_first_pass).then_some(&tree));
            let is_stable = next.parents == tree.parents;
            tree = next;
            if is_stable && !is_first_pass {
                break;
            }
            is_first_pass = false;
        }
        let (first, size) = number_subtrees(&tree.parents);
        Dominance { order, numbers, parents: tree.parents, first, size }
    }

    /// The reachable nodes in reverse post-order: dominators before what they dominate.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn is_reachable(&self, node: u32) -> bool {
        self.numbers[node as usize] != NONE
    }

    /// The immediate dominator of a reachable node other than the root.
    pub(crate) fn idom(&self, node: u32) -> Option<u32> {
        let place = self.numbers[node as usize];
        (place != NONE && place != 0).then(|| self.order[self.parents[place as usize] as usize])
    }

    /// Whether every path from the root to `b` passes `a`. False if either cannot be reached.
    pub(crate) fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.numbers[a as usize], self.numbers[b as usize]);
        if a == NONE || b == NONE {
            return false;
        }
        let (a, b) = (a as usize, b as usize);
        self.first[a] <= self.first[b] && self.first[b] < self.first[a] + self.size[a]
    }
}

/// A dominator tree under construction, by places in reverse post-order.
struct Tree {
    parents: Vec<u32>,
    jumps: Vec<u32>,
    depths: Vec<u32>,
}

impl Tree {
    fn new(capacity: usize) -> Tree {
        Tree {
            parents: Vec::with_capacity(capacity),
            jumps: Vec::with_capacity(capacity),
            depths: Vec::with_capacity(capacity),
        }
    }

    /// Adds the next node below a node that is in the tree; the first one is the root.
    fn add(&mut self, parent: u32) {
        if self.parents.is_empty() {
            self.parents.push(0);
            self.jumps.push(0);
            self.depths.push(0);
            return;
        }
        let jump = self.jumps[parent as usize];
        let far = self.jumps[jump as usize];
        let depth = |node: u32| self.depths[node as usize];
        let is_even = depth(parent) - depth(jump) == depth(jump) - depth(far);
        let (jump, depth) = (if is_even { far } else { parent }, depth(parent) + 1);
        self.parents.push(parent);
        self.jumps.push(jump);
        self.depths.push(depth);
    }

    fn nearest_common_ancestor(&self, mut a: u32, mut b: u32) -> u32 {
        if self.depths[a as usize] < self.depths[b as usize] {
            std::mem::swap(&mut a, &mut b);
        }
        let depth = self.depths[b as usize];
        a = self.climb(a, |tree, node| tree.depths[node as usize] > depth);
        while a != b {
            let (far_a, far_b) = (self.jumps[a as usize], self.jumps[b as usize]);
            let step = if far_a == far_b { &self.parents } else { &self.jumps };
            (a, b) = (step[a as usize], step[b as usize]);
        }
        a
    }

    /// The nearest ancestor that stands before `place` in reverse post-order.
    fn ancestor_before(&self, node: u32, place: u32) -> u32 {
        self.climb(node, |_, node| node >= place)
    }

    /// The nearest ancestor of which `is_below`, true downwards from some point, is false.
    fn climb(&self, mut node: u32, is_below: impl Fn(&Tree, u32) -> bool) -> u32 {
        while is_below(self, node) {
            let far = self.jumps[node as usize];
            node = if is_below(self, far) { far } else { self.parents[node as usize] };
        }
        node
    }
}

/// One round over all nodes. Without a tree of the round before, predecessors that come later are left out.
fn pass(graph: &Graph, order: &[u32], numbers: &[u32], before: Option<&Tree>) -> Tree {
    let mut tree = Tree::new(order.len());
    for (&node, place) in order.iter().zip(0..) {
        let mut ancestor = NONE;
        for predecessor in graph.predecessors(node) {
            let number = numbers[predecessor as usize];
            let candidate = match before {
                _ if number == NONE || place == 0 => continue,
                _ if number < place => number,
                Some(before) => before.ancestor_before(number, place),
                None => continue,
            };
            ancestor = if ancestor == NONE { candidate } else { tree.nearest_common_ancestor(ancestor, candidate) };
        }
        debug_assert!(
            ancestor != NONE || place == 0,
            "a reachable node has a predecessor before it in reverse post-order"
        );
        tree.add(ancestor);
    }
    tree
}

fn reverse_post_order(graph: &Graph, root: u32) -> Vec<u32> {
    let mut is_seen = vec![false; graph.count()];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0usize)];
    is_seen[root as usize] = true;
    while let Some((node, next)) = stack.pop() {
        match graph.out_edges(node).get(next) {
            Some(&edge) => {
                stack.push((node, next + 1));
                let target = graph.edge(edge).1;
                if !std::mem::replace(&mut is_seen[target as usize], true) {
                    stack.push((target, 0));
                }
            }
            None => order.push(node),
        }
    }
    order.reverse();
    order
}

/// For each node its place in a pre-order of the tree, and how many nodes are below it, itself included.
fn number_subtrees(parents: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut size = vec![1u32; parents.len()];
    for node in (1..parents.len()).rev() {
        size[parents[node] as usize] += size[node];
    }
    let mut first = vec![0u32; parents.len()];
    let mut cursors = vec![1u32; parents.len()];
    for node in 1..parents.len() {
        let parent = parents[node] as usize;
        first[node] = cursors[parent];
        cursors[parent] += size[node];
        cursors[node] = first[node] + 1;
    }
    (first, size)
}

#[cfg(test)]
mod tests;
