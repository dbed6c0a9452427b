//! Strongly connected components.
//!
//! One depth-first traversal; each node learns the earliest node on the traversal's path that it can
//! get back to, and a node that cannot get behind itself closes a component. Invariant: the nodes that
//! are discovered but not closed form, in discovery order, a stack, and a component is a top part of it.
//! Linear time, explicit stack (Tarjan 1972, section 4).

use crate::NONE;
use crate::graph::{Graph, Node};
use crate::grouped::Grouped;

/// The strongly connected components of a graph, or of the sub-graph that some nodes induce.
///
/// Components are numbered `0..count()` in reverse topological order: an edge between two components
/// leads from the higher to the lower number.
#[derive(Clone, Debug)]
pub struct Components {
    components: Vec<u32>,
    members: Grouped<Node>,
    cyclic: Vec<bool>,
}

impl Components {
    /// The components of the whole graph, unreachable nodes included. Linear time.
    pub fn compute(graph: &Graph) -> Self {
        let all: Vec<Node> = graph.nodes().collect();
        Self::compute_induced(graph, &all)
    }

    /// The components of the sub-graph of `nodes` and of the edges among them.
    ///
    /// Linear in the sub-graph and its outgoing edges, plus a few tables of `graph.len()` words.
    /// A node may be named more than once.
    pub fn compute_induced(graph: &Graph, nodes: &[Node]) -> Self {
        let mut search = ComponentSearch::new(graph, nodes);
        for &node in nodes {
            if search.seen[node.index()].number == NONE {
                search.explore(node);
            }
        }
        let ComponentSearch { components, cyclic, .. } = search;
        let pairs =
            graph.nodes().map(|node| (components[node.index()], node)).filter(|&(component, _)| component != NONE);
        let members = Grouped::compute(cyclic.len(), pairs);
        Self { components, members, cyclic }
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.cyclic.len()
    }

    /// The component of `node`; `None` when the node is not in the sub-graph.
    pub fn component(&self, node: Node) -> Option<usize> {
        let component = self.components[node.index()];
        (component != NONE).then_some(component as usize)
    }

    /// The nodes of a component, ascending.
    pub fn members(&self, component: usize) -> &[Node] {
        self.members.list(component)
    }

    /// Returns whether a component has an edge inside: several members, or one with a self loop.
    pub fn is_cyclic(&self, component: usize) -> bool {
        self.cyclic[component]
    }
}

/// The data of a node during the traversal.
#[derive(Clone, Copy)]
struct Seen {
    /// Discovery number; [`NONE`] before.
    number: u32,
    /// The smallest discovery number of a node that is not closed and that this one reaches.
    lowest: u32,
}

/// A number that marks a node as outside the sub-graph.
const EXCLUDED: u32 = NONE - 1;

struct ComponentSearch<'g> {
    graph: &'g Graph,
    seen: Vec<Seen>,
    components: Vec<u32>,
    cyclic: Vec<bool>,
    /// Discovered nodes that belong to no closed component, in discovery order.
    pending: Vec<Node>,
    /// The path to the current node: each node with the index of its next successor.
    stack: Vec<(Node, u32)>,
    discovered: u32,
}

impl<'g> ComponentSearch<'g> {
    fn new(graph: &'g Graph, nodes: &[Node]) -> Self {
        let mut seen = vec![Seen { number: EXCLUDED, lowest: NONE }; graph.len()];
        for node in nodes {
            seen[node.index()].number = NONE;
        }
        Self {
            graph,
            seen,
            components: vec![NONE; graph.len()],
            cyclic: Vec::with_capacity(nodes.len()),
            pending: Vec::with_capacity(nodes.len()),
            stack: Vec::with_capacity(nodes.len().min(64)),
            discovered: 0,
        }
    }

    fn explore(&mut self, root: Node) {
        self.discover(root);
        while let Some((node, next)) = self.stack.last_mut() {
            let node = *node;
            let Some(&target) = self.graph.successors(node).get(*next as usize) else {
                self.stack.pop();
                self.close(node);
                if let Some(&(parent, _)) = self.stack.last() {
                    // No change when `node` closed a component: the parent was discovered before it.
                    self.lower(parent, self.seen[node.index()].lowest);
                }
                continue;
            };
            *next += 1;
            match self.seen[target.index()].number {
                NONE => self.discover(target),
                EXCLUDED => {}
                number if number < self.seen[node.index()].lowest && self.components[target.index()] == NONE => {
                    self.lower(node, number);
                }
                _ => {}
            }
        }
    }

    fn discover(&mut self, node: Node) {
        self.seen[node.index()] = Seen { number: self.discovered, lowest: self.discovered };
        self.discovered += 1;
        self.pending.push(node);
        self.stack.push((node, 0));
    }

    fn lower(&mut self, node: Node, bound: u32) {
        let lowest = &mut self.seen[node.index()].lowest;
        *lowest = bound.min(*lowest);
    }

    /// Closes the component of `node` when the node is the first discovered of it.
    fn close(&mut self, node: Node) {
        let Seen { number, lowest } = self.seen[node.index()];
        if lowest != number {
            return;
        }
        let component = Node::new(self.cyclic.len()).raw();
        let mut size = 0;
        loop {
            let member = self.pending.pop().expect("a component's first node is pending");
            self.components[member.index()] = component;
            size += 1;
            if member == node {
                break;
            }
        }
        self.cyclic.push(size > 1 || self.graph.successors(node).contains(&node));
    }
}
