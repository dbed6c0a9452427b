//! Nested loops of a graph without irreducible cycles.
//!
//! The loop of a header is what reaches the sources of its back edges without passing the header. Headers are processed from the last to
//! the first in rpo, so inner loops come before outer ones; a loop that was found is collapsed into its header, and an outer search treats
//! it as one node. It is entered only at its header, so the search continues at the header's forward predecessors.
//!
//! ```text
//!     h ←──┐                h ←──┐
//!     ↓    │                ↓    │     back from c: the loop of a, which is a by now; from a: h
//!     a ⇄ b│        ⇒       a    │
//!     ↓    │                ↓    │
//!     c ───┘                c ───┘
//! ```
//!
//! Every forward edge is traversed once, by the search that takes its target. O(edges · α) with path halving (Tarjan 1974 for the method;
//! Ramalingam 1999, section 2, for the bound).

use crate::NONE;
use crate::cycle_search::CycleHeaders;
use crate::graph::Graph;
use crate::order::Order;

/// The headers of all loops and their contents, by rpo position. The graph must be reducible.
pub(crate) fn compute_loop_headers(graph: &Graph, order: &Order) -> CycleHeaders {
    let (sequence, positions) = (order.sequence(), order.positions());
    let len = sequence.len();
    let mut headers = CycleHeaders { is_header: vec![false; len], enclosing: vec![NONE; len] };
    let mut collapsed: Vec<u32> = (0..).take(len).collect();
    // The pending nodes of the current search.
    let mut pending: Vec<u32> = Vec::new();
    for header in (0..sequence.len() as u32).rev() {
        for source in graph.predecessors(sequence[header as usize]) {
            let source = positions[source.index()];
            if source >= header && source != NONE {
                headers.is_header[header as usize] = true;
                pending.push(source);
            }
        }
        while let Some(source) = pending.pop() {
            let member = representative(&mut collapsed, source);
            if member == header {
                continue;
            }
            collapsed[member as usize] = header;
            headers.enclosing[member as usize] = header;
            let sources = graph.predecessors(sequence[member as usize]).iter();
            pending.extend(sources.map(|source| positions[source.index()]).filter(|&source| source < member));
        }
    }
    headers
}

/// The representative of a position; halves the path for the next lookup.
fn representative(collapsed: &mut [u32], mut position: u32) -> u32 {
    loop {
        let above = collapsed[position as usize];
        if above == position {
            return position;
        }
        let further = collapsed[above as usize];
        collapsed[position as usize] = further;
        position = further;
    }
}
