//! Joins that the structurizer may make a case with fall-through. Such a case is executed by the lanes that select it and by those that
//! fall through to it, one after another.
//!
//! ```text
//! switch b          b     j, other edges into which come out of one arm,     {s, j, m} open      s, a join beside j, leads into
//!  ├──▶ a ──▶ j     is fallen into from it                                    ├──▶ s ──▶ j       it: where lanes choose between
//!  ├──────────▶ j                                                             ├────────▶ j       the two, j is fallen into
//!  └──▶ m                                                                     └──▶ m
//! ```
//!
//! A join that all lanes from its dominator finally reach is the merge block, and not a case. The rule is that of `structurize`,
//! `emit/switch.rs`, ignoring order. O(edges · log blocks).

use reconverge_graph::{DominatorTree, Node};

use crate::uniformity::body::{Body, NONE};

/// The joins that the documentation of this module describes.
#[derive(Clone, Debug)]
pub(super) struct Falls {
    /// By join, the position of the last sibling join that leads into it; [`NONE`] if none does.
    from_join: Vec<u32>,
    /// By join, whether the edges into it that do not come from its dominator come from one sibling subtree.
    from_one: Vec<bool>,
}

impl Falls {
    pub(super) fn compute(body: &Body, dominators: &DominatorTree, is_join: &[bool], positions: &[u32]) -> Falls {
        let count = body.graph().len();
        let mut falls = Falls { from_join: vec![NONE; count], from_one: vec![false; count] };
        for &join in body.order().sequence().iter().filter(|join| is_join[join.index()]) {
            let above = dominators.idom(join).expect("invariant: the entry is no join");
            let mut arm = None;
            let mut is_from_one = true;
            for source in body.predecessors(join.index() as u32).map(super::node) {
                if source == above || dominators.dominates(join, source) {
                    continue;
                }
                let beside = child_above(dominators, above, source);
                is_from_one &= arm.is_none_or(|arm| arm == beside);
                arm = Some(beside);
                if is_join[beside.index()] {
                    let position = positions[beside.index()];
                    let latest = &mut falls.from_join[join.index()];
                    *latest = if *latest == NONE { position } else { position.max(*latest) };
                }
            }
            falls.from_one[join.index()] = is_from_one && arm.is_some();
        }
        falls
    }

    /// Returns whether lanes that come from positions after this one may fall through to a join.
    pub(super) fn is_entered_behind(&self, join: u32, position: u32) -> bool {
        let latest = self.from_join[join as usize];
        latest != NONE && latest > position
    }

    /// Returns whether lanes may fall through to a join from an arm of the switch that dominates it.
    pub(super) fn is_entered_from_one(&self, join: u32) -> bool {
        self.from_one[join as usize]
    }
}

/// The child of a block whose subtree contains another block.
fn child_above(dominators: &DominatorTree, above: Node, below: Node) -> Node {
    let children = dominators.children(above);
    let behind = children.partition_point(|&child| dominators.pre(child) <= dominators.pre(below));
    children[behind - 1]
}
