//! Which joins are reached past joins that lie further in.
//!
//! ```text
//! a ─▶ b ─▶ d ─▶ j ─▶ t         b ─▶ j, d ─▶ t: the edge to t leaves a's selection, and on its way b's, past j
//! └────────────────▶ t
//! ```
//!
//! The selection of b ends at j, so the edge from d to t would share its merge with j and be told apart behind it. Where instead a
//! scope ends at t, the edge may leave both at once: no number, no block that decides. For each join this counts the nodes whose
//! selections would have to pass it on. An edge out of a loop leaves from the header: what is inside it leaves by a break.
//!
//! O(E), but for at most [`LOOPS`] loops that an edge leaves.

use crate::placement::{Placement, Role};
use crate::work::{NONE, Node, WorkGraph};

/// An edge that leaves more loops counts as if it left so many.
const LOOPS: usize = 64;

/// For each node the number of selections further in that an edge to it leaves past a join of theirs.
pub(crate) fn compute_inner_skips(work: &WorkGraph, placement: &Placement) -> Vec<u32> {
    let tables = Tables::compute(work, placement);
    let mut last_join = vec![NONE; work.len()];
    let mut counts = vec![0; work.len()];
    for &join in placement.by_pos.iter().filter(|&&node| node != NONE) {
        let parent = placement.parent[join as usize];
        if parent == NONE || !matches!(placement.role[join as usize], Role::Own | Role::After) {
            continue;
        }
        for &pos in placement.predecessor_pos(join) {
            let source = tables.outside_of_loops(placement.by_pos[pos as usize], parent, placement);
            let from = tables.skipping[source as usize];
            let over = if from == NONE { NONE } else { placement.parent[from as usize] };
            let is_inside = over != NONE && over != parent && placement.contains(parent, over);
            if is_inside && std::mem::replace(&mut last_join[over as usize], join) != join {
                counts[join as usize] += 1;
            }
        }
    }
    counts
}

struct Tables {
    /// The node itself or the nearest above it behind which a join of its parent waits.
    skipping: Vec<Node>,
    /// The header of the innermost loop around each node.
    in_loop: Vec<Node>,
}

impl Tables {
    fn compute(work: &WorkGraph, placement: &Placement) -> Self {
        let mut tables = Self { skipping: vec![NONE; work.len()], in_loop: vec![NONE; work.len()] };
        for &node in placement.by_pos.iter().filter(|&&node| node != NONE) {
            let (at, parent) = (node as usize, placement.parent[node as usize]);
            if parent == NONE {
                tables.in_loop[at] = if placement.is_header[at] { node } else { NONE };
                continue;
            }
            let role = placement.role[at];
            let siblings = placement.children_in(parent, if role == Role::After { role } else { Role::Own });
            let is_skipping = siblings.last().is_some_and(|&last| placement.pos[last as usize] > placement.pos[at]);
            tables.skipping[at] = if is_skipping { node } else { tables.skipping[parent as usize] };
            let around =
                if role == Role::After { tables.around(parent, placement) } else { tables.in_loop[parent as usize] };
            tables.in_loop[at] = if placement.is_header[at] { node } else { around };
        }
        tables
    }

    /// The header of the innermost loop around a header's own loop.
    fn around(&self, header: Node, placement: &Placement) -> Node {
        let (mut node, mut role) = (header, placement.role[header as usize]);
        while role == Role::After {
            node = placement.parent[node as usize];
            role = placement.role[node as usize];
        }
        match placement.parent[node as usize] {
            NONE => NONE,
            parent => self.in_loop[parent as usize],
        }
    }

    /// The node, or the header of the outermost loop around it that is inside of `parent`.
    fn outside_of_loops(&self, node: Node, parent: Node, placement: &Placement) -> Node {
        let mut at = node;
        let mut header = self.in_loop[node as usize];
        for _ in 0..LOOPS {
            let is_inside = header != NONE && header != parent && placement.contains(parent, header);
            if !is_inside {
                break;
            }
            at = header;
            header = self.around(header, placement);
        }
        at
    }
}
