//! Control dependence.
//!
//! A node depends on an edge if every path along the edge passes the node, and not every path along another edge does: the node
//! post-dominates the target of the edge, and does not strictly post-dominate its source. These are the nodes on the path up the
//! post-dominator tree from the target to, but without, the immediate post-dominator of the source.
//!
//! ```text
//!      n0            n1 depends on (n0, 0)
//!    0↙  ↘1          n2 depends on (n0, 1)
//!    n1   n2    ⇒    n3 depends on nothing
//!      ↘ ↙
//!      n3
//! ```
//!
//! A loop's header depends on the edges that stay in the loop. Inside an endless cycle the node with the edge to the virtual exit counts as
//! a branch, see [`PostDominatorTree`]: the rest of the cycle depends on its real edges, even if it has only one. The edge to the virtual
//! exit itself is not a dependence.
//!
//! Linear in edges and result; the result is quadratic in the worst case (a loop of `n` nested exits).
//! Ferrante, Ottenstein and Warren 1987, section 3.1.

use crate::graph::{Graph, Node};
use crate::grouped::Grouped;
use crate::post_dominance::PostDominatorTree;

/// The edges that each node is control dependent on.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    dependences: Grouped<(Node, usize)>,
}

impl ControlDependence {
    /// Computes all dependences. `post_dominators` must be those of `graph`.
    pub fn compute(graph: &Graph, post_dominators: &PostDominatorTree) -> Self {
        let mut pairs = Vec::new();
        for source in graph.nodes() {
            let stop = post_dominators.ipdom(source);
            for (index, &target) in graph.successors(source).iter().enumerate() {
                let mut runner = Some(target);
                while let Some(node) = runner.filter(|_| runner != stop) {
                    pairs.push((node.raw(), (source, index)));
                    runner = post_dominators.ipdom(node);
                }
            }
        }
        let dependences = Grouped::compute(graph.len(), pairs.into_iter());
        Self { dependences }
    }

    /// The edges `node` depends on, as (source, successor index), ascending.
    pub fn dependences(&self, node: Node) -> &[(Node, usize)] {
        self.dependences.list(node.index())
    }
}
