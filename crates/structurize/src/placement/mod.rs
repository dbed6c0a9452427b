//! Steps 3 to 5: the place of each node. Analyses, choice of latches, placement tree.
//!
//! The *placement tree* is the dominator tree, except that code which belongs after a loop is a child of the loop's header instead of the
//! block that leaves the loop. The children of a node form four groups, each in reverse post-order:
//!
//! ```text
//!            header                 arms    entered from this node alone
//!     ┌─────┬──┴──┬───────┐         own     joins that stay inside
//!   arms   own   latch  after       latch   the chosen continue block (headers only)
//!                                   after   behind the loop (headers only)
//! ```
//!
//! Preorder numbers of this tree (`pos`) order everything that is still to be placed: nodes further out have greater numbers.
//!
//! | file | step |
//! |---|---|
//! | `loops.rs` | the analyses: loops, back edges, what is convergent below |
//! | `latches.rs` | which block is the continue target of its loop |
//! | `exits.rs` | the place of code that leaves a loop; hints of the input take precedence (`levels.rs`) |
//! | `tree.rs` | the tree from parents and roles, its numbers, the predecessors of each node |
//!
//! Near-linear.

use reconverge_graph::{CycleForest, Order};

use crate::Options;
use crate::input::{Convergence, InputBlock};
use crate::levels;
use crate::plan::{Block, Origin};
use crate::reason::{Assumption, Reason};
use crate::work::{Analyses, NONE, Node, NodeKind, WorkGraph};

mod exits;
mod latches;
mod loops;
mod tree;

pub(crate) use loops::{Loops, graph_node};
pub(crate) use tree::Builder;

/// The role of a node below its parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    Arm,
    Own,
    Latch,
    After,
}

/// The number of roles.
pub(crate) const ROLES: usize = 4;

/// The place of a node. One record of 32 bytes: several fields of a target are read together, and targets are in random order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Parent in the placement tree; [`NONE`] for the entry and for unreachable nodes.
    pub(crate) parent: Node,
    /// Preorder number and one past the greatest number in the subtree.
    pub(crate) pos: u32,
    pub(crate) end: u32,
    /// For a header: the number at which its back edges and its latch are ordered; [`NONE`] otherwise.
    pub(crate) slot: u32,
    /// For a header: the chosen continue block.
    pub(crate) latch: Node,
    /// For a chosen continue block: its header.
    pub(crate) header_of_latch: Node,
    /// Number of distinct forward predecessors.
    pub(crate) indegree: u32,
    pub(crate) role: Role,
    pub(crate) is_header: bool,
    /// For a header: how many blocks leave its loop besides its first branch; 255 means 255 or more.
    pub(crate) inner_exits: u8,
    /// The lanes that arrive over different edges and must reconverge at the node: if there are any, it is not a case with fall-through
    /// (where lanes do not reconverge).
    pub(crate) meeting: Convergence,
}

/// See the top of the file. All tables are indexed by node.
#[derive(Debug)]
pub(crate) struct Placement {
    spots: Vec<Spot>,
    children: Vec<Node>,
    /// First child of each node in each role.
    first_child: Vec<u32>,
    /// Positions of the forward predecessors, ascending.
    predecessor_pos: Vec<u32>,
    first_predecessor: Vec<u32>,
    /// Reachable nodes by `pos`; slots without a latch hold [`NONE`].
    pub(crate) by_pos: Vec<Node>,
    /// Weight of each placement subtree.
    pub(crate) weight: Vec<u64>,
    pub(crate) assumptions: Vec<Assumption>,
}

impl std::ops::Index<Node> for Placement {
    type Output = Spot;

    fn index(&self, node: Node) -> &Spot {
        &self.spots[node as usize]
    }
}

impl Placement {
    /// All children: by role, each role in reverse post-order.
    pub(crate) fn children(&self, node: Node) -> &[Node] {
        let first = ROLES * node as usize;
        &self.children[self.first_child[first] as usize..self.first_child[first + ROLES] as usize]
    }

    /// The children in one role, in reverse post-order.
    pub(crate) fn children_in(&self, node: Node, role: Role) -> &[Node] {
        let first = ROLES * node as usize + role as usize;
        &self.children[self.first_child[first] as usize..self.first_child[first + 1] as usize]
    }

    /// Positions of the forward predecessors of `node`, ascending.
    pub(crate) fn predecessor_pos(&self, node: Node) -> &[u32] {
        let node = node as usize;
        let range = self.first_predecessor[node] as usize..self.first_predecessor[node + 1] as usize;
        &self.predecessor_pos[range]
    }

    /// Returns whether `below` is in the placement subtree of `above`.
    pub(crate) fn contains(&self, above: Node, below: Node) -> bool {
        let at = self[below].pos;
        let Spot { pos, end, .. } = self[above];
        pos <= at && at < end
    }

    /// One for each flattened part that is convergent.
    pub(crate) fn flat_assumptions(&self, blocks: &[Block], work: &WorkGraph) -> Vec<Assumption> {
        let roots = blocks.iter().filter_map(|block| match block.origin {
            Origin::Added(Reason::FlatHeader { root }) => Some(root),
            _ => None,
        });
        let is_convergent = |root: &InputBlock| {
            let Spot { pos, end, .. } = self[work.node_of[root.index()]];
            let range = pos as usize..end as usize;
            self.by_pos[range].iter().any(|&node| node != NONE && work.convergence[node as usize].is_convergent())
        };
        roots.filter(is_convergent).map(|root| Assumption::Flat { root }).collect()
    }

    /// Places every node directly below the input's entry: for the flat form of a whole function.
    pub(crate) fn compute_star(work: &WorkGraph) -> Self {
        let order = Order::compute_reverse_post_order(&work.to_graph());
        let mut builder = Builder::new(work);
        let mut root = work.entry;
        for node in order.sequence().iter().skip(1) {
            builder.parent[node.index()] = root;
            if work.kinds[root as usize] == NodeKind::Entry {
                root = node.index() as Node;
            }
        }
        builder.finish(&order, vec![false; work.len()], vec![0; work.len()])
    }

    /// Computes the placement.
    pub(crate) fn compute(work: &WorkGraph, analyses: &Analyses, options: &Options) -> Self {
        let Analyses { graph, order, dominators } = analyses;
        let cycles = CycleForest::compute(graph, order, dominators);
        let loops = Loops::compute(work, analyses, &cycles);
        let mut builder = Builder::new(work);
        builder.break_blocks = options.break_blocks;
        builder.keeps_chains_flat = options.policy.gives_exits_merges();
        builder.meeting.clone_from(&loops.convergence);
        let forced = builder.choose_latches(&loops);
        builder.place_exits(&loops, &forced);
        builder.note_dispatches(&loops);
        if !work.hints.is_empty() {
            levels::place_by_hints(&mut builder, &loops);
        }
        let (is_header, left_inside) = (loops.is_header(), loops.left_inside(work));
        let mut placement = builder.finish(order, is_header, loops.indegree);
        for header in left_inside {
            let exits = &mut placement.spots[header as usize].inner_exits;
            *exits = exits.saturating_add(1);
        }
        placement
    }
}
