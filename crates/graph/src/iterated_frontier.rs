//! Iterated dominance frontier of some seeds without computing single frontiers.
//!
//! A node `z` is in the frontier of `x` exactly if an edge `y → z` leaves the dominator subtree of `x` and `z` is not deeper in the tree
//! than `x`. Nodes are processed deepest first, so an edge that is skipped at a deeper level is never needed later, and each subtree is
//! traversed once for all seeds.
//!
//! ```text
//!        x          depth 1      walk below x: y, w
//!      ↙   ↘
//!     y     w       depth 2      y → z with z at depth ≤ 1: z joins the result, and is taken in turn
//!     └──→ z (depth 1)           y → w with w at depth 2:   not in the frontier of x
//! ```
//!
//! Invariant: the depths of the nodes taken never increase; a visited node's edges have been looked at
//! with a bound at least as large as the present one. Linear in nodes and edges (Sreedhar and Gao 1995,
//! section 4; their "piggy bank" is the lists by depth here).

use crate::NONE;
use crate::dominance::DominatorTree;
use crate::graph::{Graph, Node};
use crate::post_dominance::PostDominatorTree;

/// The union of the dominance frontiers of `seeds`, of the nodes in it, and so on, ascending.
///
/// Seeds that are unreachable add nothing. Linear in the graph, however large the frontiers are.
pub fn compute_iterated_frontier(graph: &Graph, dominators: &DominatorTree, seeds: &[Node]) -> Vec<Node> {
    let mut search = FrontierSearch::new(graph, dominators);
    for &seed in seeds {
        if dominators.is_reachable(seed) && !search.is_queued[seed.index()] {
            search.queue(seed);
        }
    }
    for depth in (0..search.waiting.len()).rev() {
        // A walk from this depth finds nodes at most as deep, so deeper lists stay empty.
        while let Some(root) = search.take(depth) {
            search.walk(root, depth);
        }
    }
    let nodes = graph.nodes();
    nodes.filter(|node| search.is_found[node.index()]).collect()
}

/// [`compute_iterated_frontier`] for post-dominance: where control splits on the path to `seeds`.
pub fn compute_iterated_post_frontier(post_dominators: &PostDominatorTree, seeds: &[Node]) -> Vec<Node> {
    let (reversed, tree) = post_dominators.reversed();
    compute_iterated_frontier(reversed, tree, seeds)
}

struct FrontierSearch<'g> {
    graph: &'g Graph,
    dominators: &'g DominatorTree,
    is_queued: Vec<bool>,
    is_visited: Vec<bool>,
    is_found: Vec<bool>,
    /// Per depth: the first of the pending seeds and found nodes, or [`NONE`] …
    waiting: Vec<u32>,
    /// … and per node the next one of its depth.
    next_waiting: Vec<u32>,
    stack: Vec<Node>,
}

impl<'g> FrontierSearch<'g> {
    fn new(graph: &'g Graph, dominators: &'g DominatorTree) -> Self {
        Self {
            graph,
            dominators,
            is_queued: vec![false; graph.len()],
            is_visited: vec![false; graph.len()],
            is_found: vec![false; graph.len()],
            waiting: vec![NONE; graph.len()],
            next_waiting: vec![NONE; graph.len()],
            stack: Vec::new(),
        }
    }

    fn queue(&mut self, node: Node) {
        self.is_queued[node.index()] = true;
        let first = &mut self.waiting[self.dominators.depth(node)];
        self.next_waiting[node.index()] = std::mem::replace(first, node.raw());
    }

    fn take(&mut self, depth: usize) -> Option<Node> {
        let first = self.waiting[depth];
        if first == NONE {
            return None;
        }
        self.waiting[depth] = self.next_waiting[first as usize];
        Some(Node::new(first as usize))
    }

    /// Processes the edges that leave the unvisited part of the subtree of `root`.
    fn walk(&mut self, root: Node, depth: usize) {
        self.visit(root);
        while let Some(node) = self.stack.pop() {
            for &target in self.graph.successors(node) {
                if self.dominators.depth(target) <= depth {
                    self.find(target);
                }
            }
            for &child in self.dominators.children(node) {
                self.visit(child);
            }
        }
    }

    fn visit(&mut self, node: Node) {
        if !std::mem::replace(&mut self.is_visited[node.index()], true) {
            self.stack.push(node);
        }
    }

    fn find(&mut self, node: Node) {
        if std::mem::replace(&mut self.is_found[node.index()], true) {
            return;
        }
        if !self.is_queued[node.index()] {
            self.queue(node);
        }
    }
}
