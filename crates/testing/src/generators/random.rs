//! Random graphs similar to optimized code: forward edges of short span; one edge in seven is a back edge.
//!
//! Blocks are numbered along the forward edges. In a reducible graph a back edge goes to a block that dominates its source. Since such back
//! edges change no dominance, and every forward edge into a block is known when the block is reached, the dominator tree is computed along
//! the way: the parent of a block is the common ancestor of its forward predecessors.

use crate::plain_graph::PlainGraph;
use crate::random::Random;

/// The kinds of back edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cycles {
    /// To dominators only: every cycle is a loop.
    Reducible,
    /// To any earlier block except the entry: cycles with several entries.
    Irreducible,
}

/// The maximal span of a forward edge, in blocks.
const SPAN: usize = 6;

/// A graph of about `count` blocks, all reachable; the last block is an exit, and a few others are.
pub fn random(seed: u64, count: usize, cycles: Cycles) -> PlainGraph {
    let mut random = Random::new(seed);
    let mut tree = Tree { parents: vec![None; count], depths: vec![0; count] };
    let mut lists: Vec<Vec<usize>> = Vec::with_capacity(count);
    let mut reached = vec![false; count];
    reached[0] = true;
    for block in 0..count {
        if !reached[block] || block + 1 == count {
            lists.push(Vec::new());
            continue;
        }
        let mut list = successors(&mut random, block, count, &mut |random| match cycles {
            Cycles::Reducible => tree.ancestor(random, block),
            Cycles::Irreducible => 1 + random.below(block.max(1)),
        });
        if list.is_empty() && !reached[block + 1..].contains(&true) {
            list.push(block + 1);
        }
        for &target in list.iter().filter(|&&target| target > block) {
            match reached[target] {
                true => tree.add_forward_edge(block, target),
                false => tree.reach(block, target),
            }
            reached[target] = true;
        }
        lists.push(list);
    }
    PlainGraph::from_successors(&lists).without_unreachable()
}

fn successors(
    random: &mut Random,
    block: usize,
    count: usize,
    back: &mut dyn FnMut(&mut Random) -> usize,
) -> Vec<usize> {
    let wanted = match random.below(100) {
        0..3 => 0,
        3..28 => 1,
        28..95 => 2,
        _ => random.between(3, 7),
    };
    // The next block is always a target unless this one is an exit, so that the graph stays connected.
    let mut list = Vec::new();
    for index in 0..wanted {
        let target = match index {
            0 => block + 1,
            _ if block > 0 && random.chance(15) => back(random),
            _ => block + 1 + random.below(SPAN),
        };
        list.push(target.min(count - 1));
    }
    if list.len() == 2 && list[0] == list[1] {
        list.pop();
    }
    if list.len() == 2 && random.chance(50) {
        list.swap(0, 1);
    }
    list
}

/// The dominator tree so far.
struct Tree {
    parents: Vec<Option<usize>>,
    depths: Vec<usize>,
}

impl Tree {
    /// Adds the first edge to a block.
    fn reach(&mut self, source: usize, target: usize) {
        self.parents[target] = Some(source);
        self.depths[target] = self.depths[source] + 1;
    }

    /// Adds another edge to a block that was reached.
    fn add_forward_edge(&mut self, source: usize, target: usize) {
        let parent = self.parents[target].map_or(source, |other| self.common(other, source));
        self.reach(parent, target);
    }

    fn common(&self, mut left: usize, mut right: usize) -> usize {
        while left != right {
            let deeper = if self.depths[left] >= self.depths[right] { &mut left } else { &mut right };
            *deeper = self.parents[*deeper].expect("invariant: the entry dominates every block that has an edge to it");
        }
        left
    }

    /// The block itself or one of its nearest dominators, without the entry if possible.
    fn ancestor(&self, random: &mut Random, block: usize) -> usize {
        let mut current = block;
        for _ in 0..random.below(SPAN) {
            match self.parents[current] {
                Some(parent) if parent != 0 => current = parent,
                _ => break,
            }
        }
        current
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_graph::{CycleForest, DominatorTree, Order};

    fn is_reducible(graph: &PlainGraph) -> bool {
        let graph = graph.to_graph();
        let order = Order::compute_reverse_post_order(&graph);
        let dominators = DominatorTree::compute(&graph, &order);
        CycleForest::compute(&graph, &order, &dominators).is_reducible_graph()
    }

    #[test]
    fn reducible_graphs_are_and_most_others_are_not() {
        assert!((0..60).all(|seed| is_reducible(&random(seed, 10 + seed as usize * 2, Cycles::Reducible))));
        let irreducible = (0..60).filter(|&seed| !is_reducible(&random(seed, 60, Cycles::Irreducible)));
        assert!(irreducible.count() > 50);
    }

    #[test]
    fn sizes_are_near_what_was_asked_for() {
        let sizes: Vec<usize> = (0..50).map(|seed| random(seed, 100, Cycles::Irreducible).len()).collect();
        assert!(sizes.iter().filter(|&&size| size >= 80).count() > 40, "{sizes:?}");
    }
}
