//! Walks: paths through a graph, with the decisions that select them.
//!
//! A walk has a list of decisions, one for each branch that it passes: the number of the successor to take. Its blocks are computed from
//! the graph alone. So functions are compared before and after a pass, and each is also compared with a reference that is independent of
//! both.
//!
//! Half of the walks are random. The others are directed to the nearest edge that no walk has taken yet, until every reachable edge was
//! taken. Each directed walk takes at least one new edge, so there are finitely many.

use std::collections::VecDeque;

use crate::plain_graph::{Ending, PlainGraph};
use crate::random::Random;

/// A path through a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Its blocks, in order.
    pub blocks: Vec<usize>,
    /// For each block with a decision (conditional or switch), the taken successor.
    pub answers: Vec<u32>,
    /// True if the last block is an exit. If not, the walk was cut off there.
    pub is_finished: bool,
}

/// At least `minimum` walks that together take every reachable edge, each with a limit of twice the number of blocks of the graph plus 32.
pub fn compute_walks(graph: &PlainGraph, seed: u64, minimum: usize) -> Vec<Walk> {
    let limit = 2 * graph.len() + 32;
    let mut random = Random::new(seed);
    let mut open = OpenEdges::compute(graph);
    let mut walks: Vec<Walk> = Vec::new();
    while walks.len() < minimum || open.count > 0 {
        let steered = walks.len() % 2 == 1 || walks.len() >= minimum;
        let distances = if steered { open.distances(graph) } else { Vec::new() };
        // Random decisions become rarer along the walk: at the end a directed walk goes straight to its edge.
        let straight = (50 + 10 * walks.len().saturating_sub(minimum)).min(100);
        walks.push(walk(graph, limit, |block| {
            let index = match steered && random.chance(straight) {
                true => open.nearest(graph, block, &distances),
                false => None,
            };
            let index = index.unwrap_or_else(|| random.below(graph.successor_count(block)));
            open.take(graph, block, index);
            index
        }));
    }
    walks
}

fn walk(graph: &PlainGraph, limit: usize, mut choose: impl FnMut(usize) -> usize) -> Walk {
    let mut walk = Walk { blocks: vec![0], answers: Vec::new(), is_finished: false };
    let mut block = 0;
    while walk.blocks.len() < limit {
        let index = match graph.ending(block) {
            Ending::Exit => {
                walk.is_finished = true;
                break;
            }
            Ending::Jump => 0,
            Ending::Conditional | Ending::Switch => {
                let index = choose(block);
                walk.answers.push(index as u32);
                index
            }
        };
        block = graph.successor(block, index);
        walk.blocks.push(block);
    }
    walk
}

/// The edges of conditionals and switches that no walk has taken.
struct OpenEdges {
    is_open: Vec<Vec<bool>>,
    predecessors: Vec<Vec<usize>>,
    count: usize,
}

impl OpenEdges {
    fn compute(graph: &PlainGraph) -> OpenEdges {
        let reached = graph.reached();
        let mut predecessors = vec![Vec::new(); graph.len()];
        let mut is_open = vec![Vec::new(); graph.len()];
        let mut count = 0;
        for block in (0..graph.len()).filter(|&block| reached[block]) {
            graph.successors(block).for_each(|target| predecessors[target].push(block));
            if matches!(graph.ending(block), Ending::Conditional | Ending::Switch) {
                is_open[block] = vec![true; graph.successor_count(block)];
                count += graph.successor_count(block);
            }
        }
        OpenEdges { is_open, predecessors, count }
    }

    /// For each block its distance to the nearest block with such an edge.
    fn distances(&self, graph: &PlainGraph) -> Vec<usize> {
        let mut distances = vec![usize::MAX; graph.len()];
        let sources = (0..graph.len()).filter(|&block| self.is_open[block].contains(&true));
        let mut queue: VecDeque<usize> = sources.inspect(|&block| distances[block] = 0).collect();
        while let Some(block) = queue.pop_front() {
            for &before in &self.predecessors[block] {
                if distances[before] == usize::MAX {
                    distances[before] = distances[block] + 1;
                    queue.push_back(before);
                }
            }
        }
        distances
    }

    /// Such an edge of the block, or the edge that leads nearest to one.
    fn nearest(&self, graph: &PlainGraph, block: usize, distances: &[usize]) -> Option<usize> {
        if let Some(index) = self.is_open[block].iter().position(|&open| open) {
            return Some(index);
        }
        let targets = graph.successors(block).enumerate().filter(|&(_, target)| distances[target] != usize::MAX);
        targets.min_by_key(|&(_, target)| distances[target]).map(|(index, _)| index)
    }

    fn take(&mut self, graph: &PlainGraph, block: usize, index: usize) {
        debug_assert!(index < graph.successor_count(block));
        if std::mem::replace(&mut self.is_open[block][index], false) {
            self.count -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::{shapes, wild};

    #[test]
    fn every_edge_that_can_be_reached_is_taken() {
        let shapes = shapes::SHAPES.iter().map(|(_, shape)| shape(9));
        for (seed, graph) in (0..100).map(|seed| wild::wild(seed, 30)).chain(shapes).enumerate() {
            let mut taken = std::collections::HashSet::new();
            let walks = compute_walks(&graph, seed as u64, 32);
            assert!(walks.len() >= 32);
            for walk in &walks {
                taken.extend(walk.blocks.windows(2).map(|pair| (pair[0], pair[1])));
            }
            let reached = graph.reached();
            for block in (0..graph.len()).filter(|&block| reached[block]) {
                assert!(
                    graph.successors(block).all(|target| taken.contains(&(block, target))),
                    "graph {seed} block {block}"
                );
            }
        }
    }
}
