//! The graph that the steps work on: [`WorkGraph`].
//!
//! Its first nodes are the reachable input blocks in reverse post-order, so that neighbours in the graph are neighbours in every table, and
//! each step traverses memory in order; then comes an empty entry if the input's entry is a branch target, then the dispatch nodes of
//! irreducible cycles. Steps that depend on the order of the input use [`WorkGraph::number`].
//!
//! An edge here is one *choice* of its source: a distinct (source, port) pair. A *port* is the value of a selector while control is on the
//! path to a target: the number of the input block, or one number for each entry after a dispatch node. So one dispatch node is the target
//! of several edges of one source, which differ in their port.

use reconverge_graph::{DominatorTree, Graph, Order};

use crate::input::{Convergence, Hints, InputBlock};
use crate::plan::Carried;

/// A node of the work graph.
pub(crate) type Node = u32;
/// Number of a target that a selector can select.
pub(crate) type Port = u32;
/// Absent node, label, owner or position.
pub(crate) const NONE: u32 = u32::MAX;

/// The kind of a node of the work graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    /// An input block.
    Input,
    /// An input block that ends in a switch.
    InputSwitch,
    /// An input block whose end control never reaches.
    InputUnreachable,
    /// An empty entry block.
    Entry,
    /// A dispatch node.
    Dispatch,
}

/// An edge: one choice of its source. A cache line holds four of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkEdge {
    pub(crate) source: Node,
    pub(crate) target: Node,
    pub(crate) port: Port,
    /// The start of its range in `WorkGraph::carried`; the range ends at the start of the next edge.
    pub(crate) first_carried: u32,
}

/// See the top of the file.
#[derive(Clone, Debug)]
pub(crate) struct WorkGraph {
    /// The number of input blocks; greater ports are those of dispatch nodes.
    pub(crate) input_count: usize,
    /// The block of each node that is one of the input.
    pub(crate) blocks: Vec<InputBlock>,
    /// The node of each input block, [`NONE`] if it is unreachable.
    pub(crate) node_of: Vec<Node>,
    pub(crate) entry: Node,
    /// One for each node.
    pub(crate) kinds: Vec<NodeKind>,
    /// First edge of each node; one more than nodes.
    pub(crate) first_edge: Vec<u32>,
    pub(crate) edges: Vec<WorkEdge>,
    pub(crate) carried: Vec<Carried>,
    /// Node of each port from `input_count` upward.
    pub(crate) dispatch_ports: Vec<Node>,
    pub(crate) convergence: Vec<Convergence>,
    pub(crate) weights: Vec<u32>,
    /// For each node whether its edges pass values on.
    pub(crate) passes_values: Vec<bool>,
    /// For each node whether it has statements before its branch.
    pub(crate) has_statements: Vec<bool>,
    /// Reachable headers with their hints, in the order of the input.
    pub(crate) hints: Vec<(Node, Hints)>,
}

impl WorkGraph {
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(crate) fn nodes(&self) -> std::ops::Range<Node> {
        0..self.kinds.len() as Node
    }

    /// Indices of the edges of `node`.
    pub(crate) fn edge_range(&self, node: Node) -> std::ops::Range<usize> {
        self.first_edge[node as usize] as usize..self.first_edge[node as usize + 1] as usize
    }

    /// The edges of `node`.
    pub(crate) fn edges_of(&self, node: Node) -> &[WorkEdge] {
        &self.edges[self.edge_range(node)]
    }

    /// The original edges that the edge of this index represents.
    pub(crate) fn carried_by(&self, edge: u32) -> &[Carried] {
        let first = |edge: usize| self.edges.get(edge).map_or(self.carried.len(), |edge| edge.first_carried as usize);
        &self.carried[first(edge as usize)..first(edge as usize + 1)]
    }

    /// For an edge of a dispatch node: the selector value that selects it.
    pub(crate) fn own_port(&self, edge: u32) -> Port {
        let first = self.edges.len() - self.dispatch_ports.len();
        (self.input_count + edge as usize - first) as Port
    }

    /// The node that a port belongs to.
    pub(crate) fn node_of_port(&self, port: Port) -> Node {
        match (port as usize).checked_sub(self.input_count) {
            None => self.node_of[port as usize],
            Some(index) => self.dispatch_ports[index],
        }
    }

    /// Returns whether the node is a block of the input.
    pub(crate) fn is_input(&self, node: Node) -> bool {
        (node as usize) < self.blocks.len()
    }

    /// The block of a node that is one of the input.
    pub(crate) fn block(&self, node: Node) -> InputBlock {
        self.blocks[node as usize]
    }

    /// The position of the node in the order of the input: the number of its block, which is also the port of the node. Added nodes come
    /// last.
    pub(crate) fn number(&self, node: Node) -> u32 {
        match self.blocks.get(node as usize) {
            Some(block) => block.index() as u32,
            None => (self.input_count - self.blocks.len()) as u32 + node,
        }
    }

    /// The ports of a node that can be a target.
    pub(crate) fn ports_of(&self, node: Node) -> Vec<Port> {
        if self.is_dispatch(node) {
            self.edge_range(node).map(|edge| self.own_port(edge as u32)).collect()
        } else {
            vec![self.number(node)]
        }
    }

    pub(crate) fn is_dispatch(&self, node: Node) -> bool {
        self.kinds[node as usize] == NodeKind::Dispatch
    }

    /// The input block that best names a node in an explanation.
    pub(crate) fn input_near(&self, node: Node) -> InputBlock {
        let mut at = node;
        while !self.is_input(at) {
            let edge = &self.edges[self.first_edge[at as usize] as usize];
            at = edge.target;
        }
        self.block(at)
    }

    /// Appends a node with the given edges; ports of a dispatch node are created here.
    pub(crate) fn push_node(&mut self, kind: NodeKind, targets: &[(Node, Port)]) -> Node {
        let node = self.kinds.len() as Node;
        self.kinds.push(kind);
        self.convergence.push(Convergence::None);
        self.weights.push(0);
        self.passes_values.push(false);
        self.has_statements.push(false);
        for &(target, port) in targets {
            if kind == NodeKind::Dispatch {
                self.dispatch_ports.push(node);
            }
            let first_carried = self.carried.len() as u32;
            self.edges.push(WorkEdge { source: node, target, port, first_carried });
        }
        self.first_edge.push(self.edges.len() as u32);
        node
    }

    /// The graph for the analyses.
    pub(crate) fn to_graph(&self) -> Graph {
        let lists = self
            .nodes()
            .map(|node| self.edges_of(node).iter().map(|edge| reconverge_graph::Node::new(edge.target as usize)));
        Graph::from_successors(reconverge_graph::Node::new(self.entry as usize), lists)
    }
}

/// Queries of several steps on a work graph without irreducible cycles.
#[derive(Debug)]
pub(crate) struct Analyses {
    pub(crate) graph: Graph,
    pub(crate) order: Order,
    pub(crate) dominators: DominatorTree,
}

impl Analyses {
    /// The analyses, or the graph and its order if it has an irreducible cycle.
    pub(crate) fn compute(graph: Graph) -> Result<Self, Box<(Graph, Order)>> {
        let order = Order::compute_reverse_post_order(&graph);
        match DominatorTree::compute_if_reducible(&graph, &order) {
            Some(dominators) => Ok(Self { graph, order, dominators }),
            None => Err(Box::new((graph, order))),
        }
    }
}
