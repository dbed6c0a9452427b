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
        let mut search = Search::new(graph, nodes);
        for &node in nodes {
            if search.numbers[node.index()] == NONE {
                search.explore(node);
            }
        }
        let Search { components, cyclic, .. } = search;
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

    /// Whether a component has an edge inside: several members, or one with a self loop.
    pub fn is_cyclic(&self, component: usize) -> bool {
        self.cyclic[component]
    }
}

struct Search<'g> {
    graph: &'g Graph,
    included: Vec<bool>,
    /// Discovery number of each node.
    numbers: Vec<u32>,
    /// The smallest discovery number of a node that is not closed and that this one reaches.
    lowest: Vec<u32>,
    components: Vec<u32>,
    cyclic: Vec<bool>,
    /// Discovered nodes that belong to no closed component, in discovery order.
    pending: Vec<Node>,
    discovered: u32,
}

impl<'g> Search<'g> {
    fn new(graph: &'g Graph, nodes: &[Node]) -> Self {
        let mut included = vec![false; graph.len()];
        for node in nodes {
            included[node.index()] = true;
        }
        Self {
            graph,
            included,
            numbers: vec![NONE; graph.len()],
            lowest: vec![NONE; graph.len()],
            components: vec![NONE; graph.len()],
            cyclic: Vec::new(),
            pending: Vec::new(),
            discovered: 0,
        }
    }

    fn explore(&mut self, root: Node) {
        // A node with the index of its successor that is to be looked at next.
        let mut stack = vec![(root, 0)];
        self.discover(root);
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(&target) = self.graph.successors(node).get(*next) else {
                stack.pop();
                self.close(node);
                if let Some(&(parent, _)) = stack.last() {
                    // No change when `node` closed a component: the parent was discovered before it.
                    self.lower(parent, self.lowest[node.index()]);
                }
                continue;
            };
            *next += 1;
            if !self.included[target.index()] {
                continue;
            }
            if self.numbers[target.index()] == NONE {
                self.discover(target);
                stack.push((target, 0));
            } else if self.components[target.index()] == NONE {
                self.lower(node, self.numbers[target.index()]);
            }
        }
    }

    fn discover(&mut self, node: Node) {
        self.numbers[node.index()] = self.discovered;
        self.lowest[node.index()] = self.discovered;
        self.discovered += 1;
        self.pending.push(node);
    }

    fn lower(&mut self, node: Node, bound: u32) {
        let lowest = &mut self.lowest[node.index()];
        *lowest = bound.min(*lowest);
    }

    /// Closes the component of `node` when the node is the first discovered of it.
    fn close(&mut self, node: Node) {
        if self.lowest[node.index()] != self.numbers[node.index()] {
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
