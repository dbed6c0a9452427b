//! Reverse post-order: the traversal order of forward problems.
//!
//! Without retreating edges it is a topological order; with them it still lists a node before all
//! nodes that it strictly dominates, and a cycle's header before the rest of the cycle.

use crate::NONE;
use crate::depth_first::DepthFirstTree;
use crate::graph::{Graph, Node};

/// Reverse post-order of the nodes that the entry reaches.
///
/// Among several possible orders it is the one that follows operand order: what hangs below the first
/// successor comes before what hangs below the second only, unless a cycle ties them together. A cycle
/// that is entered at several nodes begins at the one below the *last* successor.
///
/// ```
/// use reconverge_graph::{Graph, Node, Order};
///
/// // n0 → n1, n2;  n1 → n3;  n2 → n3;  n4 is unreachable
/// let lists = [vec![1, 2], vec![3], vec![3], vec![], vec![3]];
/// let graph = Graph::from_successors(
///     Node::new(0),
///     lists.map(|list| list.into_iter().map(Node::new).collect::<Vec<_>>()),
/// );
/// let order = Order::compute_reverse_post_order(&graph);
/// assert_eq!(order.sequence(), [0, 1, 2, 3].map(Node::new));
/// assert_eq!(order.position(Node::new(4)), None);
/// ```
#[derive(Clone, Debug)]
pub struct Order {
    sequence: Vec<Node>,
    positions: Vec<u32>,
    tree: DepthFirstTree,
}

impl Order {
    /// Computes the order by one depth-first traversal, in linear time.
    pub fn compute_reverse_post_order(graph: &Graph) -> Self {
        let (tree, mut sequence) = DepthFirstTree::compute_with_post_order(graph);
        sequence.reverse();
        let mut positions = vec![NONE; graph.len()];
        for (position, node) in (0_u32..).zip(&sequence) {
            positions[node.index()] = position;
        }
        Self { sequence, positions, tree }
    }

    /// The reachable nodes in order; the entry is the first.
    #[inline]
    pub fn sequence(&self) -> &[Node] {
        &self.sequence
    }

    /// The index of `node` in [`Order::sequence`]; `None` if the entry does not reach it.
    #[inline]
    pub fn position(&self, node: Node) -> Option<usize> {
        let position = self.positions[node.index()];
        (position != NONE).then_some(position as usize)
    }

    /// Returns whether an edge `source → target` would run against the order (or in place). False when either is unreachable.
    ///
    /// In a graph without irreducible cycles these are the back edges.
    #[inline]
    pub fn is_retreating(&self, source: Node, target: Node) -> bool {
        let target = self.positions[target.index()];
        let source = self.positions[source.index()];
        target <= source && source != NONE
    }

    /// Position of each node, [`NONE`] when unreachable.
    #[inline]
    pub(crate) fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// The traversal that gives the order.
    pub(crate) fn tree(&self) -> &DepthFirstTree {
        &self.tree
    }
}
