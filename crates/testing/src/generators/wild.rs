//! Arbitrary graphs: any successor lists.
//!
//! Edges to the entry, self loops, parallel edges, switches with one case, unreachable blocks, no exit: compilers do not produce these, but
//! every reader must handle them.

use crate::plain_graph::PlainGraph;
use crate::random::Random;

/// A graph of exactly `count` blocks, reachable or not.
pub fn wild(seed: u64, count: usize) -> PlainGraph {
    let mut random = Random::new(seed);
    let lists: Vec<Vec<usize>> = (0..count)
        .map(|_| {
            let wanted = match random.below(100) {
                0..12 => 0,
                12..40 => 1,
                40..88 => 2,
                _ => random.between(1, 6),
            };
            (0..wanted).map(|_| random.below(count)).collect()
        })
        .collect();
    let mut graph = PlainGraph::from_successors(&lists);
    for (block, list) in lists.iter().enumerate() {
        if !list.is_empty() && random.chance(8) {
            graph.set_switch(block);
        }
    }
    graph
}
