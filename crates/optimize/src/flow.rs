//! The blocks of a function as dense tables, for passes that visit every instruction: valid as long as no block and no edge changes,
//! whatever the blocks contain.
//!
//! Reachable blocks are numbered in preorder of the dominator tree, siblings in reverse post-order; see [`crate::body`] for what follows.
//! Near-linear in the blocks and edges.

use std::cell::OnceCell;

use reconverge_analysis::FlowGraph;
use reconverge_graph::{CycleForest, DominatorTree, Node, Order};
use reconverge_ir::{Block, Function, Module};

/// The tables.
#[derive(Debug)]
pub(crate) struct Flow {
    graph: FlowGraph,
    order: Order,
    dominators: DominatorTree,
    /// By block: its immediate dominator; the entry's own entry is 0.
    parents: Vec<u32>,
    /// By block: one past the last block that it dominates.
    ends: Vec<u32>,
    cycles: OnceCell<CycleForest>,
}

impl Flow {
    /// The tables of a function with a body.
    pub(crate) fn compute(module: &Module, function: Function) -> Flow {
        let graph = FlowGraph::compute(module, function);
        let (order, dominators) = graph.dominators();
        let preorder = dominators.preorder();
        let pre = |node: Node| dominators.pre(node) as u32;
        let parents = preorder.iter().map(|&node| dominators.idom(node).map_or(0, pre)).collect();
        let ends = (0..).zip(preorder).map(|(block, &node)| block + dominators.subtree_size(node) as u32).collect();
        Flow { graph, order, dominators, parents, ends, cycles: OnceCell::new() }
    }

    /// Returns whether these are the tables of a function as it is.
    pub(crate) fn is_of(&self, module: &Module, function: Function) -> bool {
        self.is_like(&FlowGraph::compute(module, function))
    }

    /// Returns whether these are the tables of a function with this graph.
    pub(crate) fn is_like(&self, now: &FlowGraph) -> bool {
        let (kept, found) = (self.graph.graph(), now.graph());
        self.graph.blocks() == now.blocks() && found.nodes().all(|node| kept.successors(node) == found.successors(node))
    }

    /// The control flow graph.
    pub(crate) fn graph(&self) -> &FlowGraph {
        &self.graph
    }

    /// The reverse post-order of the graph.
    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// The dominator tree of the graph.
    pub(crate) fn dominators(&self) -> &DominatorTree {
        &self.dominators
    }

    /// The cycles of the graph; computed at the first call.
    pub(crate) fn cycles(&self) -> &CycleForest {
        self.cycles.get_or_init(|| CycleForest::compute(self.graph.graph(), &self.order, &self.dominators))
    }

    /// The number of reachable blocks.
    pub(crate) fn block_count(&self) -> u32 {
        self.parents.len() as u32
    }

    /// The handle of a block.
    pub(crate) fn block(&self, block: u32) -> Block {
        self.graph.block(self.node(block))
    }

    /// The node of a block in the graph.
    pub(crate) fn node(&self, block: u32) -> Node {
        self.dominators.preorder()[block as usize]
    }

    /// The immediate dominator of a block; the entry for itself.
    pub(crate) fn parent(&self, block: u32) -> u32 {
        self.parents[block as usize]
    }

    /// One past the last block that a block dominates.
    pub(crate) fn end(&self, block: u32) -> u32 {
        self.ends[block as usize]
    }
}
