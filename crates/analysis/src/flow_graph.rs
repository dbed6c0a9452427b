//! The control flow graph of a function, as a plain graph.
//!
//! Blocks are numbered densely in their order; node 0 is the entry. Edges keep the operand order of the terminators, repeats included.
//! Linear in blocks and edges.

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
    /// The graph of a function with a body, with all blocks, including unreachable ones.
    ///
    /// Successors that are not blocks of the function are omitted; the verifier reports them.
    pub fn compute(module: &Module, function: Function) -> FlowGraph {
        let blocks: Vec<Block> = module.blocks(function).collect();
        let nodes = Numbering::in_order(&blocks);
        // A numbered target is a block. Reading nothing else of it saves memory accesses.
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
