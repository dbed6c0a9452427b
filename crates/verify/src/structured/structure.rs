//! Structural edges, their dominance, and back edges (SPIR-V section 2.11.2).
//!
//! Structural edges are the branch edges and those from each header to its merge block and its continue block. A back edge is a branch edge
//! to an ancestor in a depth-first search over structural edges from the entry; if R23 holds, the order of the search does not matter.
//! Structural post-dominance is dominance in the reverse graph, from a virtual exit after all terminators that end the function.

use std::cell::OnceCell;

use super::contraction::Contraction;
use crate::dominance::Dominance;
use crate::graph::Graph;

/// The contracted graph with its structural edges.
pub(crate) struct Structure {
    /// The first edges are those of the contraction, with the same numbers.
    pub(crate) graph: Graph,
    pub(crate) dominance: Dominance,
    /// Computed at the first query: only loops whose continue construct has several blocks need it.
    post_dominance: OnceCell<Dominance>,
    is_back: Vec<bool>,
}

impl Structure {
    /// O(edges · log blocks).
    pub(crate) fn compute(contraction: &Contraction<'_>) -> Structure {
        let count = contraction.blocks.len();
        let mut edges = Vec::with_capacity(contraction.edges.len() + 2 * count);
        edges.extend(contraction.edges.iter().map(|edge| (edge.source, edge.target)));
        for (header, merge) in (0u32..).zip(&contraction.merges) {
            if let Some(merge) = merge {
                edges.push((header, merge.merge));
                edges.extend(merge.continue_block.map(|target| (header, target)));
            }
        }
        let graph = Graph::new(count, edges);
        let is_back = find_back_edges(&graph, contraction.edges.len());
        Structure { dominance: Dominance::compute(&graph, 0), post_dominance: OnceCell::new(), graph, is_back }
    }

    /// Returns whether a block is structurally reachable.
    pub(crate) fn is_reachable(&self, node: u32) -> bool {
        self.dominance.is_reachable(node)
    }

    /// Returns whether `a` structurally dominates `b`.
    pub(crate) fn dominates(&self, a: u32, b: u32) -> bool {
        self.dominance.dominates(a, b)
    }

    /// Returns whether every structural path from `b` to an end of the function passes `a`. True if there is no such path.
    pub(crate) fn post_dominates(&self, a: u32, b: u32) -> bool {
        if a == b {
            return true;
        }
        let post_dominance = self.post_dominance.get_or_init(|| compute_post_dominance(&self.graph));
        !post_dominance.is_reachable(b) || post_dominance.dominates(a, b)
    }

    /// Returns whether a branch edge is a back edge.
    pub(crate) fn is_back_edge(&self, edge: u32) -> bool {
        self.is_back[edge as usize]
    }

    /// The sources of the back edges of a header, each once. Parallel back edges are adjacent.
    pub(crate) fn latches(&self, header: u32) -> Vec<u32> {
        let edges = self.graph.in_edges(header).iter().copied();
        let backs = edges.filter(|&edge| self.is_back.get(edge as usize) == Some(&true));
        let mut latches: Vec<u32> = backs.map(|edge| self.graph.edge(edge).0).collect();
        latches.dedup();
        latches
    }
}

fn compute_post_dominance(graph: &Graph) -> Dominance {
    let exit = graph.count() as u32;
    let mut reversed: Vec<(u32, u32)> = graph.edges().iter().map(|&(source, target)| (target, source)).collect();
    reversed.extend((0..exit).filter(|&node| graph.out_edges(node).is_empty()).map(|node| (exit, node)));
    Dominance::compute(&Graph::new(graph.count() + 1, reversed), exit)
}

fn find_back_edges(graph: &Graph, branch_edges: usize) -> Vec<bool> {
    let mut is_back = vec![false; branch_edges];
    let mut is_seen = vec![false; graph.count()];
    let mut is_open = vec![false; graph.count()];
    let mut stack = Vec::with_capacity(graph.count());
    stack.push((0u32, graph.out_edges(0).iter()));
    (is_seen[0], is_open[0]) = (true, true);
    while let Some((node, ways)) = stack.last_mut() {
        let Some(&edge) = ways.next() else {
            is_open[*node as usize] = false;
            stack.pop();
            continue;
        };
        let target = graph.edge(edge).1 as usize;
        if is_open[target] && (edge as usize) < branch_edges {
            is_back[edge as usize] = true;
        }
        if !std::mem::replace(&mut is_seen[target], true) {
            is_open[target] = true;
            stack.push((target as u32, graph.out_edges(target as u32).iter()));
        }
    }
    is_back
}
