//! Analyses of plain directed graphs: orders, components, dominators, frontiers, cycles, dead ends, control dependence.
//!
//! The crate does not depend on the contents of blocks. A caller numbers its blocks densely, builds a [`Graph`] once and computes the
//! analyses it needs; each is an immutable value built by one call.
//!
//! ```
//! use reconverge_graph::{CycleForest, DominatorTree, Graph, Node, Order};
//!
//! // n0 → n1 ⇄ n2, n1 → n3
//! let lists = [vec![1], vec![2, 3], vec![1], vec![]];
//! let lists = lists.map(|list| list.into_iter().map(Node::new).collect::<Vec<_>>());
//! let graph = Graph::from_successors(Node::new(0), lists);
//! let order = Order::compute_reverse_post_order(&graph);
//! let dominators = DominatorTree::compute(&graph, &order);
//! let cycles = CycleForest::compute(&graph, &order, &dominators);
//!
//! assert_eq!(dominators.idom(Node::new(3)), Some(Node::new(1)));
//! let cycle = cycles.innermost(Node::new(2)).expect("n2 is in a cycle");
//! assert_eq!(cycles.header(cycle), Node::new(1));
//! assert!(cycles.is_reducible(cycle));
//! ```
//!
//! # Common properties
//!
//! - Any graph is accepted: unreachable nodes, self loops, parallel edges, an entry with predecessors,
//!   irreducible cycles, no exit at all, no node at all.
//! - Results depend on node numbers and successor order alone.
//! - No recursion; time and memory are near-linear in nodes and edges, except for
//!   [`DominanceFrontiers`], [`PostDominanceFrontiers`] and [`ControlDependence`], whose *results* can
//!   be quadratic. [`compute_iterated_frontier`] answers the usual question without them.
//! - A query about a node that is not in the graph is a bug of the caller and panics.

mod ancestors;
mod components;
mod control_dependence;
mod cycle_entries;
mod cycle_search;
mod cycles;
mod dead_ends;
mod depth_first;
mod dominance;
mod forward_dominance;
mod frontier;
mod graph;
mod grouped;
mod iterated_frontier;
mod loops;
mod order;
mod post_dominance;

pub use ancestors::AncestorTable;
pub use components::Components;
pub use control_dependence::ControlDependence;
pub use cycles::{Cycle, CycleForest};
pub use dead_ends::DeadEnds;
pub use dominance::DominatorTree;
pub use frontier::{DominanceFrontiers, PostDominanceFrontiers};
pub use graph::{Graph, Node};
pub use grouped::Grouped;
pub use iterated_frontier::{compute_iterated_frontier, compute_iterated_post_frontier};
pub use order::Order;
pub use post_dominance::PostDominatorTree;

/// Marks an absent entry in the `u32` tables of this crate; [`Node::new`] keeps it out of the nodes.
const NONE: u32 = u32::MAX;
