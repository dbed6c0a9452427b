//! A depth-first spanning tree of the part of a graph that the entry reaches.
//!
//! Successors are visited last to first, so that the reverse post-order derived from it lists the
//! first successor's part before the second's: `if` arms come out in operand order, and a loop body
//! that is the first successor of its header comes before what follows the loop.
//!
//! Everything is given in *numbers*: preorder positions in the tree, so that the subtree of number `k` is the range `k..k + size(k)`.
//! Linear time, explicit stack (Tarjan 1972).

use crate::NONE;
use crate::graph::{Graph, Node};

/// Initial capacity for the path.
const STACK: usize = 64;

/// The spanning tree.
#[derive(Clone, Debug)]
pub(crate) struct DepthFirstTree {
    /// Node of each number.
    pub(crate) preorder: Vec<Node>,
    /// Number of each node, [`NONE`] when unreachable.
    pub(crate) numbers: Vec<u32>,
    /// Number of the tree parent of each number; the root is its own parent.
    pub(crate) parents: Vec<u32>,
}

impl DepthFirstTree {
    /// The tree, and the reachable nodes in the order in which the traversal left them.
    pub(crate) fn compute_with_post_order(graph: &Graph) -> (Self, Vec<Node>) {
        let mut postorder = Vec::with_capacity(graph.len());
        let mut tree = Self {
            preorder: Vec::with_capacity(graph.len()),
            numbers: vec![NONE; graph.len()],
            parents: Vec::with_capacity(graph.len()),
        };
        if graph.is_empty() {
            return (tree, postorder);
        }
        // A node with the number of its remaining successors.
        let mut stack: Vec<(Node, u32)> = Vec::with_capacity(STACK);
        tree.discover(graph.entry(), 0);
        stack.push((graph.entry(), graph.successors(graph.entry()).len() as u32));
        while let Some((node, left)) = stack.last_mut() {
            if *left == 0 {
                postorder.push(*node);
                stack.pop();
                continue;
            }
            *left -= 1;
            let target = graph.successors(*node)[*left as usize];
            if tree.numbers[target.index()] == NONE {
                let parent = tree.numbers[node.index()];
                tree.discover(target, parent);
                stack.push((target, graph.successors(target).len() as u32));
            }
        }
        (tree, postorder)
    }

    fn discover(&mut self, node: Node, parent: u32) {
        self.numbers[node.index()] = Node::new(self.preorder.len()).raw();
        self.preorder.push(node);
        self.parents.push(parent);
    }

    /// The number of nodes that are reachable.
    pub(crate) fn len(&self) -> usize {
        self.preorder.len()
    }

    /// Numbers of the reachable predecessors of a number.
    pub(crate) fn predecessors<'a>(&'a self, graph: &'a Graph, number: u32) -> impl Iterator<Item = u32> + 'a {
        let sources = graph.predecessors(self.preorder[number as usize]).iter();
        sources.map(|source| self.numbers[source.index()]).filter(|&source| source != NONE)
    }
}
