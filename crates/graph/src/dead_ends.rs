//! Nodes from which control cannot continue: every path from them ends at a dead end, and none is infinite.
//!
//! ```text
//!   a ──▶ b ──▶ x          x is a dead end, and d of itself another
//!   │     ╰──▶ d           b leads only to dead ends, so it is one as well
//!   ▼                      a is not: its exits do not include b
//!   c
//! ```
//!
//! Computed backwards from the ends: a node is one as soon as all its successors are, so none of a cycle ever is. Linear.

use crate::graph::{Graph, Node};

/// See the top of the file.
#[derive(Clone, Debug)]
pub struct DeadEnds {
    is_dead: Vec<bool>,
    count: usize,
}

impl DeadEnds {
    /// Computes the nodes that lead only to dead ends. `is_end` says for a node without successors whether it is one, `may_lead` for a node
    /// with successors whether control that reaches it always continues to one of these. Linear.
    pub fn compute(graph: &Graph, is_end: impl Fn(Node) -> bool, may_lead: impl Fn(Node) -> bool) -> DeadEnds {
        let mut is_dead = vec![false; graph.len()];
        let mut pending: Vec<Node> =
            graph.nodes().filter(|&node| graph.successors(node).is_empty() && is_end(node)).collect();
        let mut alive: Vec<usize> = Vec::new();
        if !pending.is_empty() {
            alive.extend(graph.nodes().map(|node| graph.successors(node).len()));
        }
        let mut count = 0;
        while let Some(node) = pending.pop() {
            is_dead[node.index()] = true;
            count += 1;
            for &source in graph.predecessors(node) {
                alive[source.index()] -= 1;
                if alive[source.index()] == 0 && may_lead(source) {
                    pending.push(source);
                }
            }
        }
        DeadEnds { is_dead, count }
    }

    /// Returns whether the node is a dead end.
    pub fn contains(&self, node: Node) -> bool {
        self.is_dead[node.index()]
    }

    /// Returns whether there is no such node.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The graph without the edges into dead ends. Linear.
    pub fn without(&self, graph: &Graph) -> Graph {
        let lists = graph.nodes().map(|node| {
            let targets = graph.successors(node).iter().copied();
            targets.filter(|&target| !self.contains(target))
        });
        Graph::from_successors(graph.entry(), lists)
    }
}
