//! The branch that decides whether control reaches a block, for all blocks of a function at once.
//!
//! A block is control dependent on a branch if every path along one edge reaches it, but not every path along another: these are the blocks
//! that post-dominate a successor of the branch, but not the branch itself, so the path in the post-dominator tree from the successor up to
//! the parent of the branch (Ferrante, Ottenstein and Warren 1987, section 3.1). A branch decides about a block if the block is control
//! dependent on it, directly or through other blocks.
//!
//! ```text
//!   a: branch_if ^b ^d      post-dominators      b is control dependent on a: it is on the way from b up to d
//!   b: branch_if ^c ^d             d             c is control dependent on b
//!   c: branch ^d                 ↙ ↓ ↘           so a decides about b and c, and b about c
//!   d: return                   a  b  c
//! ```
//!
//! Branches are processed in the given order, and a block keeps the first that decides about it. Blocks that depend on a marked block have
//! the same branch, so a path up skips marked blocks.
//!
//! Invariant: after a branch is processed, everything that it decides about is marked, by it or by an earlier one. Near-linear: each block
//! is marked once, and found with path halving in a union-find structure.

use reconverge_graph::{Graph, Node, PostDominatorTree};

/// For each block the branch that decides about it.
pub(super) struct Deciding {
    branches: Vec<Option<Node>>,
}

impl Deciding {
    /// Computes the blocks that these branches decide about, the first of them with priority. Near-linear.
    pub(super) fn compute(graph: &Graph, branches: impl Iterator<Item = Node>) -> Deciding {
        let mut search = DecidingSearch {
            tree: PostDominatorTree::compute(graph),
            branches: vec![None; graph.len()],
            above: (0..=graph.len()).collect(),
        };
        for branch in branches {
            search.take_below(graph, branch);
        }
        Deciding { branches: search.branches }
    }

    /// The first branch that decides whether control reaches a block.
    pub(super) fn branch(&self, node: Node) -> Option<Node> {
        self.branches[node.index()]
    }
}

struct DecidingSearch {
    tree: PostDominatorTree,
    branches: Vec<Option<Node>>,
    /// For each block, one above it that is not above the nearest unmarked one; itself if it is unmarked. The virtual exit, which is never
    /// marked, has the last number.
    above: Vec<usize>,
}

impl DecidingSearch {
    fn take_below(&mut self, graph: &Graph, branch: Node) {
        let mut pending = vec![branch];
        while let Some(source) = pending.pop() {
            for &successor in graph.successors(source) {
                let mut current = self.free(successor.index());
                while let Some(node) = self.dependent(current, source) {
                    self.branches[node.index()] = Some(branch);
                    self.above[current] = self.tree.ipdom(node).map_or(self.branches.len(), Node::index);
                    pending.push(node);
                    current = self.free(current);
                }
            }
        }
    }

    /// A block above a successor of a branch, if it is below the parent of the branch.
    fn dependent(&self, number: usize, branch: Node) -> Option<Node> {
        let node = (number < self.branches.len()).then(|| Node::new(number))?;
        (self.tree.depth(node) >= self.tree.depth(branch)).then_some(node)
    }

    /// The nearest unmarked one, upwards from a block including itself.
    fn free(&mut self, mut number: usize) -> usize {
        while self.above[number] != number {
            self.above[number] = self.above[self.above[number]];
            number = self.above[number];
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use reconverge_graph::compute_iterated_post_frontier;

    use super::*;

    fn next(state: &mut u64) -> usize {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 33) as usize
    }

    /// Branches decide about a block if they are in its iterated post-dominance frontier.
    #[test]
    fn the_first_of_the_frontier_decides() {
        for seed in 1..400u64 {
            let mut state = 0x9e37_79b9_7f4a_7c15 ^ (seed << 20);
            let count = 1 + next(&mut state) % 12;
            let lists: Vec<Vec<Node>> = (0..count)
                .map(|_| (0..next(&mut state) % 4).map(|_| Node::new(next(&mut state) % count)).collect())
                .collect();
            let graph = Graph::from_successors(Node::new(0), lists.iter().map(|list| list.iter().copied()));
            let mut branches: Vec<Node> = graph.nodes().filter(|_| next(&mut state).is_multiple_of(3)).collect();
            let turn = next(&mut state) % branches.len().max(1);
            branches.rotate_left(turn);
            let found = Deciding::compute(&graph, branches.iter().copied());
            let tree = PostDominatorTree::compute(&graph);
            for node in graph.nodes() {
                let frontier = compute_iterated_post_frontier(&tree, &[node]);
                let expected = branches.iter().copied().find(|branch| frontier.contains(branch));
                assert_eq!(found.branch(node), expected, "seed {seed}: {node:?} in {lists:?}, branches {branches:?}");
            }
        }
    }
}
