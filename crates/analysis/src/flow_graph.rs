//! The control flow graph of a function, as a plain graph.
//!
//! Blocks are numbered densely in the order in which they stand; node 0 is the entry. Edges keep the operand order of the
//! terminators, repeats included. Linear in blocks and edges.

use reconverge_graph::{DominatorTree, Graph, Node, Order};
use reconverge_ir::{Block, Edge, Function, Module, Numbering};

/// The control flow graph of a function.
#[derive(Debug)]
pub struct FlowGraph {
    graph: Graph,
    blocks: Vec<Block>,
    nodes: Numbering,
}

impl FlowGraph {
    /// The graph of a function with a body, every block of it, also those that control never reaches.
    ///
    /// Successors that are no blocks of the function are left out; the verifier reports them.
    pub fn compute(module: &Module, function: Function) -> FlowGraph {
        let blocks: Vec<Block> = module.blocks(function).collect();
        let nodes = Numbering::in_order(&blocks);
        // What has a number is a block; nothing else has to be asked of a target, which is where memory has to be waited for.
        let node = |edge: Edge| nodes.number(module.operand(edge.terminator, edge.operand));
        let successors = |block| module.out_edges(block).filter_map(node).map(|number| Node::new(number as usize));
        let lists = blocks.iter().map(|&block| successors(block));
        let graph = Graph::from_successors(Node::new(0), lists);
        FlowGraph { graph, blocks, nodes }
    }

    /// The plain graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The blocks, by node.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The block of a node.
    pub fn block(&self, node: Node) -> Block {
        self.blocks[node.index()]
    }

    /// The node of a block of the function. Panics if it is of another.
    pub fn node(&self, block: Block) -> Node {
        self.find(block).expect("the block is of this function")
    }

    /// The node of a block, if it is one of the function.
    pub fn find(&self, block: Block) -> Option<Node> {
        self.nodes.number(block).map(|number| Node::new(number as usize))
    }

    /// Reverse post-order, from the entry.
    pub fn order(&self) -> Order {
        Order::compute_reverse_post_order(&self.graph)
    }

    /// Reverse post-order and dominators, from the entry.
    pub fn dominators(&self) -> (Order, DominatorTree) {
        let order = self.order();
        let dominators = DominatorTree::compute(&self.graph, &order);
        (order, dominators)
    }
}
