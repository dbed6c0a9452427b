//! Immediate dominators from forward edges alone, for graphs without irreducible cycles.
//!
//! In rpo every forward edge leads from an earlier node to a later one. So when a node is met, the
//! dominator tree of all its forward predecessors stands, and its immediate dominator is their lowest
//! common ancestor. The tree grows downwards only; each node keeps its depth and one *jump* to an
//! ancestor, chosen by the digits of a skew-binary counter, with which two nodes find their common
//! ancestor in O(log depth) steps.
//!
//! ```text
//!      n0                        n0        forward predecessors of n3 are n1 and n2,
//!     ↙  ↘          ⇒           ↙ ↓ ↘      so n3 hangs where their ways to the root meet
//!   n1    n2                  n1 n2 n3
//!     ↘  ↙  ↑                              the edge n3 → n2 retreats: were n2 to dominate n3,
//!      n3 ──┘                              it would change nothing; it does not: irreducible
//! ```
//!
//! A retreating edge to a dominator of its source changes nothing: a path that takes it has passed its
//! target already. If all retreating edges are such, the tree is that of the whole graph, and every
//! cycle has one entry; one that is not makes its cycle irreducible, and the search ends there.
//!
//! O(edges · log depth); where most nodes have one predecessor it is a few steps a node, which is why
//! it is tried before the general method. (Cooper, Harvey and Kennedy 2001 walk up step by step, which
//! is quadratic on ladders; the jumps are those of Myers 1983.)

use crate::NONE;
use crate::graph::Graph;
use crate::order::Order;

/// The rpo position of the immediate dominator of each rpo position, [`NONE`] for the entry. `None` when
/// an edge retreats to a node that does not dominate its source.
pub(crate) fn compute_forward_idoms(graph: &Graph, order: &Order) -> Option<Vec<u32>> {
    let positions = order.positions();
    let len = order.sequence().len();
    let mut tree = Tree { idoms: Vec::with_capacity(len), above: Vec::with_capacity(len) };
    for (own, &node) in (0..).zip(order.sequence()) {
        let mut idom = NONE;
        for source in graph.predecessors(node) {
            // Unreachable sources have no position: it is the greatest number.
            let source = positions[source.index()];
            if source < own {
                idom = if idom == NONE { source } else { tree.meet(idom, source) };
            }
        }
        tree.push(idom);
        for target in graph.successors(node) {
            let target = positions[target.index()];
            if target <= own && tree.meet(own, target) != target {
                return None;
            }
        }
    }
    Some(tree.idoms)
}

/// The tree as far as it stands.
struct Tree {
    idoms: Vec<u32>,
    /// Depth and jump of each position.
    above: Vec<(u32, u32)>,
}

impl Tree {
    fn push(&mut self, idom: u32) {
        let own = self.idoms.len() as u32;
        self.idoms.push(idom);
        self.above.push(if idom == NONE {
            (0, own)
        } else {
            let (depth, over) = self.above[idom as usize];
            let (over_depth, far) = self.above[over as usize];
            let (far_depth, _) = self.above[far as usize];
            let is_full = depth - over_depth == over_depth - far_depth;
            (depth + 1, if is_full { far } else { idom })
        });
    }

    /// The lowest common ancestor.
    fn meet(&self, one: u32, other: u32) -> u32 {
        let (mut low, mut high) = (one, other);
        while low != high {
            let (mut low_depth, mut low_jump) = self.above[low as usize];
            let (mut high_depth, mut high_jump) = self.above[high as usize];
            if low_depth < high_depth {
                std::mem::swap(&mut low, &mut high);
                std::mem::swap(&mut low_depth, &mut high_depth);
                std::mem::swap(&mut low_jump, &mut high_jump);
            }
            if low_depth > high_depth {
                let (jump_depth, _) = self.above[low_jump as usize];
                low = if jump_depth >= high_depth { low_jump } else { self.idoms[low as usize] };
            } else if low_jump != high_jump {
                (low, high) = (low_jump, high_jump);
            } else {
                (low, high) = (self.idoms[low as usize], self.idoms[high as usize]);
            }
        }
        low
    }
}
