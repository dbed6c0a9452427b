//! Dominance frontiers, and post-dominance frontiers.
//!
//! The frontier of `a` is where its dominance ends: the nodes that `a` does not strictly dominate but
//! of which it dominates a predecessor. Starting at each predecessor of a join, all dominators below
//! the join's immediate dominator have the join in their frontier; a walk stops where an earlier walk
//! for the same join has been.
//!
//! Invariant: after a join, its walks have covered a sub-tree below the join's immediate dominator, each node once. Linear in edges and
//! result, but **the result is quadratic** for nested loops: a block at loop depth `k` can have all `k` headers in its frontier. If only
//! the iterated frontier of some seeds is needed, use [`compute_iterated_frontier`](crate::compute_iterated_frontier), which is linear.
//!
//! Cytron et al. 1991, section 4.2; the walk is Cooper, Harvey and Kennedy 2001, figure 5.

use crate::dominance::DominatorTree;
use crate::graph::{Graph, Node};
use crate::grouped::Grouped;
use crate::post_dominance::PostDominatorTree;

/// The dominance frontier of every node, all stored: up to quadratic memory.
#[derive(Clone, Debug)]
pub struct DominanceFrontiers {
    frontiers: Frontiers,
}

impl DominanceFrontiers {
    /// Computes all frontiers. `dominators` must be those of `graph`. Linear in edges and result.
    pub fn compute(graph: &Graph, dominators: &DominatorTree) -> Self {
        let frontiers = Frontiers::compute(graph, dominators);
        Self { frontiers }
    }

    /// The nodes that `node` does not strictly dominate but of which it dominates a predecessor,
    /// ascending. Empty for unreachable nodes.
    pub fn frontier(&self, node: Node) -> &[Node] {
        self.frontiers.of(node)
    }

    /// The union of the frontiers of `seeds`, of the nodes in it, and so on, ascending.
    pub fn iterated_frontier(&self, seeds: &[Node]) -> Vec<Node> {
        self.frontiers.iterated(seeds)
    }
}

/// The post-dominance frontier of every node, all stored: up to quadratic memory.
///
/// Edges to the virtual exit count as edges: see [`PostDominatorTree`].
#[derive(Clone, Debug)]
pub struct PostDominanceFrontiers {
    frontiers: Frontiers,
}

impl PostDominanceFrontiers {
    /// Computes all frontiers. Linear in edges and result.
    pub fn compute(post_dominators: &PostDominatorTree) -> Self {
        let (reversed, tree) = post_dominators.reversed();
        // No edge leads from the virtual exit, so it is in no frontier.
        let frontiers = Frontiers::compute(reversed, tree);
        Self { frontiers }
    }

    /// The nodes that `node` does not strictly post-dominate but of which it post-dominates a
    /// successor, ascending.
    pub fn frontier(&self, node: Node) -> &[Node] {
        self.frontiers.of(node)
    }

    /// The union of the frontiers of `seeds`, of the nodes in it, and so on, ascending.
    pub fn iterated_frontier(&self, seeds: &[Node]) -> Vec<Node> {
        self.frontiers.iterated(seeds)
    }
}

#[derive(Clone, Debug)]
struct Frontiers {
    lists: Grouped<Node>,
    len: usize,
}

impl Frontiers {
    fn compute(graph: &Graph, dominators: &DominatorTree) -> Self {
        let mut pairs = Vec::new();
        let mut last_join = vec![None; graph.len()];
        for join in graph.nodes().filter(|&node| dominators.is_reachable(node)) {
            let stop = dominators.idom(join);
            for &source in graph.predecessors(join) {
                if !dominators.is_reachable(source) {
                    continue;
                }
                let mut runner = Some(source);
                while let Some(node) = runner.filter(|_| runner != stop) {
                    if last_join[node.index()].replace(join) == Some(join) {
                        break;
                    }
                    pairs.push((node.raw(), join));
                    runner = dominators.idom(node);
                }
            }
        }
        Self { lists: Grouped::compute(graph.len(), pairs.into_iter()), len: graph.len() }
    }

    fn of(&self, node: Node) -> &[Node] {
        self.lists.list(node.index())
    }

    fn iterated(&self, seeds: &[Node]) -> Vec<Node> {
        let mut is_in = vec![false; self.len];
        let mut found = Vec::new();
        let mut work = seeds.to_vec();
        while let Some(node) = work.pop() {
            for &join in self.of(node) {
                if !std::mem::replace(&mut is_in[join.index()], true) {
                    found.push(join);
                    work.push(join);
                }
            }
        }
        found.sort_unstable();
        found
    }
}
