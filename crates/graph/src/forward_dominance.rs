//! Immediate dominators from forward edges only, for graphs without irreducible cycles.
//!
//! In rpo every forward edge leads from an earlier node to a later one. So when a node is visited, the dominator tree of all its forward
//! predecessors is complete, and its immediate dominator is their lowest common ancestor. The tree only grows downwards; each node has its
//! depth and one *jump* to an ancestor, chosen by the digits of a skew-binary counter, with which two nodes find their common ancestor in
//! O(log depth) steps.
//!
//! ```text
//!      n0                        n0        forward predecessors of n3 are n1 and n2,
//!     ↙  ↘          ⇒           ↙ ↓ ↘      so the parent of n3 is their common ancestor
//!   n1    n2                  n1 n2 n3
//!     ↘  ↙  ↑                              the edge n3 → n2 retreats: were n2 to dominate n3,
//!      n3 ──┘                              it would change nothing; it does not: irreducible
//! ```
//!
//! Many predecessors are combined pairwise with their neighbours, which are near as a rule. The common ancestor of two neighbours is above
//! both, so all of these are on one path to the root, and the first of them in rpo is the common ancestor of all.
//!
//! A retreating edge to a dominator of its source changes nothing: a path that takes it has already passed its target. If all retreating
//! edges are such, the tree is that of the whole graph, and every cycle has one entry; any other retreating edge makes its cycle
//! irreducible, and the search ends there.
//!
//! O(edges · log depth); if most nodes have one predecessor it is a few steps per node, which is why it is tried before the general method.
//! (Cooper, Harvey and Kennedy 2001 go up step by step, which is quadratic on ladders; the jumps are those of Myers 1983.)

use crate::NONE;
use crate::graph::Graph;
use crate::order::Order;

/// The rpo position of the immediate dominator of each rpo position, [`NONE`] for the entry. `None` when
/// an edge retreats to a node that does not dominate its source.
pub(crate) fn compute_forward_idoms(graph: &Graph, order: &Order) -> Option<Vec<u32>> {
    let positions = order.positions();
    let len = order.sequence().len();
    let mut tree = Tree { above: Vec::with_capacity(len) };
    let mut idoms = Vec::with_capacity(len);
    for (own, &node) in (0..).zip(order.sequence()) {
        let (mut idom, mut before) = (NONE, NONE);
        for source in graph.predecessors(node) {
            // Unreachable sources have no position: it is the greatest number.
            let source = positions[source.index()];
            if source < own {
                let met = if before == NONE { source } else { tree.meet(before, source) };
                (idom, before) = (idom.min(met), source);
            }
        }
        tree.push(idom);
        idoms.push(idom);
        for target in graph.successors(node) {
            let target = positions[target.index()];
            if target <= own && tree.meet(own, target) != target {
                return None;
            }
        }
    }
    Some(idoms)
}

/// The data of a position in the tree.
#[derive(Clone, Copy)]
struct Above {
    idom: u32,
    depth: u32,
    jump: u32,
}

/// The tree so far, by position.
struct Tree {
    above: Vec<Above>,
}

impl Tree {
    fn push(&mut self, idom: u32) {
        let own = self.above.len() as u32;
        self.above.push(if idom == NONE {
            Above { idom, depth: 0, jump: own }
        } else {
            let Above { depth, jump, .. } = self.above[idom as usize];
            let over = self.above[jump as usize];
            let far = self.above[over.jump as usize];
            let is_full = depth - over.depth == over.depth - far.depth;
            Above { idom, depth: depth + 1, jump: if is_full { over.jump } else { idom } }
        });
    }

    /// The lowest common ancestor.
    fn meet(&self, one: u32, other: u32) -> u32 {
        let (mut low, mut high) = (one, other);
        while low != high {
            let (mut below, mut beside) = (self.above[low as usize], self.above[high as usize]);
            if below.depth < beside.depth {
                std::mem::swap(&mut low, &mut high);
                std::mem::swap(&mut below, &mut beside);
            }
            if below.depth > beside.depth {
                let is_within = self.above[below.jump as usize].depth >= beside.depth;
                low = if is_within { below.jump } else { below.idom };
            } else if below.jump != beside.jump {
                (low, high) = (below.jump, beside.jump);
            } else {
                (low, high) = (below.idom, beside.idom);
            }
        }
        low
    }
}
