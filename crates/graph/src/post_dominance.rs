//! Post-dominator tree.
//!
//! `a` post-dominates `b` when every path from `b` to the *virtual exit* passes `a`. The tree is the
//! dominator tree of the reversed graph, entered at the virtual exit, which has an edge from
//!
//! - each exit, that is each node without successors, and
//! - one node of each cycle that is never left: the first in rpo among the nodes of a strongly
//!   connected component without an edge out of it (the smallest one where the entry reaches none).
//!
//! ```text
//!   n0 ─→ n1 ─→ exit            n0 ─→ n1 ─→ exit ──┐
//!    └──→ n2 ⇄ n3        ⇒       └──→ n2 ⇄ n3      ↓
//!                                      └───────→ virtual exit
//! ```
//!
//! With the second kind of edge every node reaches the virtual exit and the relation is defined for
//! all of them; taking the header keeps the arms of a branch inside an endless loop symmetrical: they
//! join again at the header's next turn. The edges exist in this analysis alone.
//!
//! Complexity as for [`DominatorTree`]. Infinite loops need care in any use of post-dominance: see
//! Bilardi and Pingali 1996 for other choices.

use crate::components::Components;
use crate::dominance::DominatorTree;
use crate::graph::{Graph, Node};
use crate::order::Order;

/// The post-dominator tree of all nodes of a graph, those that the entry does not reach included.
///
/// Its root is the virtual exit, which is not a node: queries return it as `None`.
#[derive(Clone, Debug)]
pub struct PostDominatorTree {
    /// The reversed graph; the virtual exit is its entry and its last node.
    reversed: Graph,
    tree: DominatorTree,
    never_exits: Vec<bool>,
}

impl PostDominatorTree {
    /// Computes the tree. O(edges · log nodes).
    pub fn compute(graph: &Graph) -> Self {
        let components = Components::compute(graph);
        let joins_exit = choose_exits(graph, &components);
        let exit = Node::new(graph.len());
        let lists = graph.nodes().map(|node| graph.predecessors(node).to_vec());
        let exit_list = graph.nodes().filter(|node| joins_exit[node.index()]).collect();
        let reversed = Graph::from_successors(exit, lists.chain([exit_list]));
        let order = Order::compute_reverse_post_order(&reversed);
        Self {
            tree: DominatorTree::compute(&reversed, &order),
            reversed,
            never_exits: find_endless(graph, &components),
        }
    }

    /// The immediate post-dominator; `None` when it is the virtual exit.
    #[inline]
    pub fn ipdom(&self, node: Node) -> Option<Node> {
        self.real(self.tree.idom(node)?)
    }

    /// Returns whether every path from `above` to the virtual exit passes `below`; true for a node and itself.
    pub fn post_dominates(&self, below: Node, above: Node) -> bool {
        self.tree.dominates(below, above)
    }

    /// [`PostDominatorTree::post_dominates`] for two different nodes.
    pub fn strictly_post_dominates(&self, below: Node, above: Node) -> bool {
        self.tree.strictly_dominates(below, above)
    }

    /// Returns whether no path leads from `node` to a node without successors.
    pub fn never_exits(&self, node: Node) -> bool {
        self.never_exits[node.index()]
    }

    /// Returns whether `node` has an edge to the virtual exit: as an exit, or on behalf of an endless cycle.
    pub fn joins_virtual_exit(&self, node: Node) -> bool {
        self.reversed.predecessors(node).last() == Some(&self.virtual_exit())
    }

    /// The nearest node that post-dominates both; `None` when it is the virtual exit. Constant time.
    pub fn lowest_common_ancestor(&self, left: Node, right: Node) -> Option<Node> {
        let node = self.tree.lowest_common_ancestor(left, right);
        self.real(node.expect("every node reaches the virtual exit"))
    }

    /// The nodes whose immediate post-dominator is `node`, or the virtual exit for `None`.
    pub fn children(&self, node: Option<Node>) -> &[Node] {
        self.tree.children(node.unwrap_or(self.virtual_exit()))
    }

    /// The number of nodes that strictly post-dominate `node`, the virtual exit counted: at least 1.
    #[inline]
    pub fn depth(&self, node: Node) -> usize {
        self.tree.depth(node)
    }

    /// The reversed graph with the virtual exit, and its dominator tree.
    pub(crate) fn reversed(&self) -> (&Graph, &DominatorTree) {
        (&self.reversed, &self.tree)
    }

    fn virtual_exit(&self) -> Node {
        self.reversed.entry()
    }

    fn real(&self, node: Node) -> Option<Node> {
        (node != self.virtual_exit()).then_some(node)
    }
}

/// For each node, whether it has an edge to the virtual exit.
fn choose_exits(graph: &Graph, components: &Components) -> Vec<bool> {
    let order = Order::compute_reverse_post_order(graph);
    let mut joins_exit = vec![false; graph.len()];
    for component in 0..components.count() {
        if has_way_out(graph, components, component) {
            continue;
        }
        // Reachable as a whole or not at all; without positions the smallest member is the first.
        let members = components.members(component).iter();
        let first = members.min_by_key(|member| order.position(**member).unwrap_or(usize::MAX));
        joins_exit[first.expect("components are not empty").index()] = true;
    }
    joins_exit
}

fn has_way_out(graph: &Graph, components: &Components, component: usize) -> bool {
    let mut targets = components.members(component).iter().flat_map(|&member| graph.successors(member));
    targets.any(|&target| components.component(target) != Some(component))
}

/// For each node, whether it fails to reach a node without successors.
fn find_endless(graph: &Graph, components: &Components) -> Vec<bool> {
    let mut exits = vec![false; components.count()];
    let mut never_exits = vec![true; graph.len()];
    // Reverse topological order: what a component leads to is known before it.
    for component in 0..components.count() {
        let members = components.members(component);
        exits[component] = members.iter().any(|&member| {
            let successors = graph.successors(member);
            let leads_to_exit = |target: &Node| {
                let target = components.component(*target);
                exits[target.expect("all nodes are in a component")]
            };
            successors.is_empty() || successors.iter().any(leads_to_exit)
        });
        for member in members {
            never_exits[member.index()] = !exits[component];
        }
    }
    never_exits
}
