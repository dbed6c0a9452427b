//! An order of blocks in which all predecessors of a cycle come before the cycle.
//!
//! ```text
//!       ^a                  reverse post-order: a b h e p, for nothing says that ^p comes before the cycle of ^h and ^e
//!     ╱    ╲                this order:         a b p h e
//!    ^b    ^p
//!    ↓      ↓
//!    ^h ⇄ ^e
//! ```
//!
//! Reverse post-order is such an order where every cycle has one entry. For other cycles, the predecessors of the other entries get an edge
//! to the header. Together with all edges except those that go back to a header from inside a cycle, this graph has no cycles: around any
//! cycle of it there would be a smallest cycle of the forest, whose header it cannot pass, and without the header that is no cycle. So it
//! has a topological order (Kahn 1962). Linear in edges and in the pairs of an edge and a cycle that it enters at another block than the
//! header.

use reconverge_graph::{Grouped, Node};

use super::joins::Flow;

/// The order, and the entries of cycles other than their headers.
#[derive(Debug)]
pub(super) struct FlowOrder {
    /// The reachable blocks.
    pub(super) sequence: Vec<Node>,
    /// By cycle, the sources of edges that enter it at another block than the header; empty if all cycles have one entry.
    entering: Vec<Vec<Node>>,
}

impl FlowOrder {
    /// Finds the order. `None` if that exceeds the step limit.
    pub(super) fn compute(flow: Flow<'_>, limit: usize) -> Option<FlowOrder> {
        if flow.cycles.is_reducible_graph() {
            return Some(FlowOrder::in_reverse_post_order(flow));
        }
        let entering = entering(flow, limit)?;
        Some(FlowOrder { sequence: sort(flow, &entering), entering })
    }

    /// Reverse post-order, which suffices where all cycles have one entry, or where joins are created without a search.
    pub(super) fn in_reverse_post_order(flow: Flow<'_>) -> FlowOrder {
        FlowOrder { sequence: flow.order.sequence().to_vec(), entering: Vec::new() }
    }

    /// The sources of edges that enter the cycle of a header at another block.
    pub(super) fn entering(&self, flow: Flow<'_>, header: Node) -> &[Node] {
        let cycle = flow.cycles.headed_by(header);
        cycle.and_then(|cycle| self.entering.get(cycle.index())).map_or(&[], |sources| sources)
    }
}

fn entering(flow: Flow<'_>, limit: usize) -> Option<Vec<Vec<Node>>> {
    let mut entering = vec![Vec::new(); flow.cycles.cycles().len()];
    let mut steps = 0;
    for &source in flow.order.sequence() {
        for &target in flow.graph.graph().successors(source) {
            let mut cycle = flow.cycles.innermost(target);
            while let Some(entered) = cycle.filter(|&cycle| !flow.cycles.contains(cycle, source)) {
                if flow.cycles.header(entered) != target {
                    entering[entered.index()].push(source);
                }
                steps += 1;
                cycle = flow.cycles.parent(entered);
            }
        }
        if steps > limit {
            return None;
        }
    }
    Some(entering)
}

fn sort(flow: Flow<'_>, entering: &[Vec<Node>]) -> Vec<Node> {
    let headers = flow.cycles.cycles().map(|cycle| flow.cycles.header(cycle));
    let forward = flow.order.sequence().iter().flat_map(|&source| {
        let targets = flow.graph.graph().successors(source).iter().map(move |&target| (source, target));
        targets.filter(|&(source, target)| !flow.order.is_retreating(source, target))
    });
    let entered =
        headers.zip(entering).flat_map(|(header, sources)| sources.iter().map(move |&source| (source, header)));
    let edges: Vec<(Node, Node)> = forward.chain(entered).collect();
    let mut waits_for = vec![0_u32; flow.graph.graph().len()];
    edges.iter().for_each(|(_, target)| waits_for[target.index()] += 1);
    let pairs = edges.iter().map(|&(source, target)| (source.index() as u32, target));
    let targets = Grouped::compute(flow.graph.graph().len(), pairs);
    let mut sequence = vec![flow.graph.graph().entry()];
    let mut next = 0;
    while let Some(&source) = sequence.get(next) {
        next += 1;
        for &target in targets.list(source.index()) {
            waits_for[target.index()] -= 1;
            if waits_for[target.index()] == 0 {
                sequence.push(target);
            }
        }
    }
    sequence
}
