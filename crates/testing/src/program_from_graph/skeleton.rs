//! Facts about a graph before its blocks are emitted: an order, dominators, the edges that need edge blocks.

use reconverge_graph::{DominatorTree, Node, Order};

use crate::plain_graph::{Ending, PlainGraph};

/// Order, dominators and in-degrees of a plain graph.
pub(super) struct Skeleton<'g> {
    graph: &'g PlainGraph,
    order: Vec<usize>,
    dominators: Vec<Option<usize>>,
    in_degree: Vec<usize>,
}

impl<'g> Skeleton<'g> {
    pub(super) fn compute(graph: &'g PlainGraph) -> Skeleton<'g> {
        let nodes = graph.to_graph();
        let reverse_post_order = Order::compute_reverse_post_order(&nodes);
        let tree = DominatorTree::compute(&nodes, &reverse_post_order);
        let mut order: Vec<usize> = reverse_post_order.sequence().iter().map(|node| node.index()).collect();
        order.extend((0..graph.len()).filter(|&block| !tree.is_reachable(Node::new(block))));
        let dominators = (0..graph.len()).map(|block| tree.idom(Node::new(block)).map(Node::index)).collect();
        let mut in_degree = vec![0; graph.len()];
        (0..graph.len()).flat_map(|block| graph.successors(block)).for_each(|target| in_degree[target] += 1);
        Skeleton { graph, order, dominators, in_degree }
    }

    /// Reverse post-order, then the unreachable blocks.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The immediate dominator; `None` for the entry and for unreachable blocks.
    pub(super) fn dominator(&self, block: usize) -> Option<usize> {
        self.dominators[block]
    }

    /// Returns whether edges go to the entry, so that it cannot be the function's first block.
    pub(super) fn is_entry_target(&self) -> bool {
        self.in_degree[0] > 0
    }

    /// Returns whether a block has several incoming edges, the entry of the function included.
    pub(super) fn is_join(&self, block: usize) -> bool {
        self.in_degree[block] > usize::from(block != 0)
    }

    /// Returns whether the edges from `block` to `target` need edge blocks.
    pub(super) fn is_critical(&self, block: usize, target: usize) -> bool {
        matches!(self.graph.ending(block), Ending::Conditional | Ending::Switch) && self.is_join(target)
    }
}
