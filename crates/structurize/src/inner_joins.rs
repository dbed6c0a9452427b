//! The number of blocks that a scope that ends at a join would save.
//!
//! ```text
//! a ─▶ b ─▶ d ─▶ j ─▶ t          past a join: the edge from d to t leaves the selection of b past j, its merge
//! │    └────┼────▲    ▲
//! └─────────┼─────────┤          without one: x and y leave the selection of c to t, which is already the merge of a
//!           └─────────┘
//! a ─▶ c ─▶ x ─▶ t
//! │    └──▶ y ───▲
//! └──────────────┘
//! ```
//!
//! Each such selection needs a merge block of its own that passes control on to t. In a scope that ends at t, all of them are left at once.
//! Code in a loop leaves by a break, and code in a switch through the merge of the switch, so such an edge counts as one of the loop's
//! header or of the switch.
//!
//! O(E), with at most [`STEPS`] steps up the tree for an edge.

use crate::placement::{Placement, Role};
use crate::work::{NONE, Node, NodeKind, WorkGraph};

/// The number of levels of the placement tree that an edge is followed up.
const STEPS: usize = 64;

/// For each join the number of inner selections that would need a merge block of their own on the path to it.
pub(crate) fn compute_inner_skips(work: &WorkGraph, placement: &Placement) -> Vec<u32> {
    let tables = Tables::compute(work, placement);
    let mut last_join = vec![NONE; work.len()];
    let mut counts = vec![0; work.len()];
    for &join in placement.by_pos.iter().filter(|&&node| node != NONE) {
        let parent = placement[join].parent;
        if parent == NONE || !matches!(placement[join].role, Role::Own | Role::After) {
            continue;
        }
        let mut before = NONE;
        for &pos in placement.predecessor_pos(join) {
            let source = tables.outside_of_breakables(placement.by_pos[pos as usize], join, placement);
            let selections = [tables.skipping(source, placement), tables.shared(before, source, placement)];
            for over in selections {
                let is_inside = over != NONE && over != parent && placement.contains(parent, over);
                if is_inside && std::mem::replace(&mut last_join[over as usize], join) != join {
                    counts[join as usize] += 1;
                }
            }
            before = source;
        }
    }
    counts
}

struct Tables {
    /// The node itself or the nearest one above it after which a join of its parent is placed.
    skipping: Vec<Node>,
    /// The header of the innermost loop, or the innermost switch, that each node is inside.
    breakable: Vec<Node>,
    is_switch: Vec<bool>,
}

impl Tables {
    fn compute(work: &WorkGraph, placement: &Placement) -> Self {
        let is_switch =
            |node: Node| work.kinds[node as usize] == NodeKind::InputSwitch || work.edges_of(node).len() > 2;
        let mut tables = Self {
            skipping: vec![NONE; work.len()],
            breakable: vec![NONE; work.len()],
            is_switch: work.nodes().map(is_switch).collect(),
        };
        for &node in placement.by_pos.iter().filter(|&&node| node != NONE) {
            let (at, parent) = (node as usize, placement[node].parent);
            if parent == NONE {
                continue;
            }
            let role = placement[node].role;
            let siblings = placement.children_in(parent, if role == Role::After { role } else { Role::Own });
            let is_skipping = siblings.last().is_some_and(|&last| placement[last].pos > placement[node].pos);
            tables.skipping[at] = if is_skipping { node } else { tables.skipping[parent as usize] };
            let is_in_loop = placement[parent].is_header && role != Role::After;
            let is_in_switch = tables.is_switch[parent as usize] && role == Role::Arm;
            tables.breakable[at] = if is_in_loop || is_in_switch { parent } else { tables.breakable[parent as usize] };
        }
        tables
    }

    /// The node, or the outermost loop header or switch around it that an edge to `join` leaves.
    fn outside_of_breakables(&self, node: Node, join: Node, placement: &Placement) -> Node {
        let parent = placement[join].parent;
        let mut at = node;
        for _ in 0..STEPS {
            let around = self.breakable[at as usize];
            let is_left = around != NONE && placement.contains(parent, around);
            let stays = around == parent && placement[join].role == Role::Own && !self.is_switch[parent as usize];
            if !is_left || stays {
                break;
            }
            at = around;
        }
        at
    }

    /// The selection that an edge from `source` leaves past its join.
    fn skipping(&self, source: Node, placement: &Placement) -> Node {
        match self.skipping[source as usize] {
            NONE => NONE,
            child => placement[child].parent,
        }
    }

    /// The selection of two arms without a join from which two edges come.
    fn shared(&self, one: Node, other: Node, placement: &Placement) -> Node {
        if one == NONE || one == other {
            return NONE;
        }
        let mut at = other;
        for _ in 0..STEPS {
            if at == NONE || placement.contains(at, one) {
                break;
            }
            at = placement[at].parent;
        }
        let is_branch = at != NONE && at != one && at != other && placement.contains(at, one);
        if is_branch && placement.children_in(at, Role::Own).is_empty() { at } else { NONE }
    }
}
