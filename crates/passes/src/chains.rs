//! How far instructions of a block may move up although not every lane that runs the place above runs the block, and how far down
//! without losing a lane: by block the heads of three chains in the dominator tree.
//!
//! ```text
//!   d ─┬─▶ x ─▶ b        anticipated[b] = d: whoever runs d runs b, nothing on the way ends or goes round for ever
//!      └─▶ y ─▶ ┘        together[b] = d: the same lanes run b together
//!      └─▶ (…)           a third way from d that does not come by b: both chains begin at b
//!   ╭─────╮
//!   ▼     │
//!   d ─▶ x ─▶ b          unparted[b] = b: lanes leave the loop at different times, and meet again at b
//! ```
//!
//! **Anticipated.** A block joins its immediate dominator's chain if every way from there comes to it before the way goes back, and
//! nothing in between begins a cycle (which may never end) or may end the lane. Ways that go back are edges to an end of their own, so
//! the first is post-dominance in a graph without cycles; in it, what is in between is numbered in between, and two prefix sums tell the
//! second. The dominator's own instructions count when the chain goes on above it.
//!
//! ```text
//!   d ─┬─▶ x ─▶ b         as it is seen:   d ─┬─▶ x ─▶ b       b does not post-dominate d: lanes may go round by y
//!   ▲  └─▶ y ─╮                               └─▶ y ─▶ end      for ever and never come to b
//!   ╰─────────╯
//! ```
//!
//! **Together.** A block joins its immediate dominator's chain if it is the dominator's only way on or the dominator's branch is
//! uniform and leads to the block alone; or if all lanes that entered the function are in both.
//!
//! **Unparted.** A block joins its immediate dominator's chain unless that takes it out of a loop that lanes leave at different times. In
//! such a loop fewer lanes may be left than behind it, where they have met again: what compares lanes stays behind it.
//!
//! Near-linear.

use reconverge_analysis::uniformity::Uniformity;
use reconverge_graph::{Cycle, Graph, Node, PostDominatorTree};
use reconverge_ir::{Class, Op};

use crate::body::Body;

/// By block: the first block of the chain that it belongs to.
#[derive(Debug)]
pub(crate) struct Chains {
    heads: Vec<u32>,
}

impl Chains {
    /// The topmost block from which every way comes by this one.
    pub(crate) fn compute_anticipated(body: &Body) -> Chains {
        let cycles = body.cycles();
        let post_dominators = PostDominatorTree::compute(&without_ways_back(body));
        let ends: Vec<bool> =
            (0..body.block_count()).map(|block| body.range(block).any(|inst| may_end(body.op(inst)))).collect();
        let dangers = (0..body.block_count())
            .map(|block| u32::from(ends[block as usize] || cycles.headed_by(body.node(block)).is_some()));
        let before: Vec<u32> = std::iter::once(0)
            .chain(dangers.scan(0, |sum, danger| {
                *sum += danger;
                Some(*sum)
            }))
            .collect();
        Chains::compute(body, |above, block| {
            !ends[block as usize]
                && before[above as usize + 1] == before[block as usize]
                && post_dominators.post_dominates(Node::new(block as usize), Node::new(above as usize))
        })
    }

    /// The topmost block that the same lanes run together.
    pub(crate) fn compute_together(body: &Body, uniformity: &Uniformity) -> Chains {
        Chains::compute(body, |above, block| {
            let mut sources = body.predecessors(block);
            let follows = sources.next() == Some(above) && sources.next().is_none();
            let (upper, lower) = (body.block(above), body.block(block));
            (follows && uniformity.is_uniform_branch(upper))
                || (uniformity.is_complete(upper) && uniformity.is_complete(lower))
        })
    }

    /// The topmost block from which no loop that lanes leave at different times is left on the way; `left_apart` says by cycle which is
    /// the innermost such loop around it.
    pub(crate) fn compute_unparted(body: &Body, left_apart: &[Option<Cycle>]) -> Chains {
        let cycles = body.cycles();
        Chains::compute(body, |above, block| {
            let parted = cycles.innermost(body.node(above)).and_then(|cycle| left_apart[cycle.index()]);
            parted.is_none_or(|cycle| cycles.contains(cycle, body.node(block)))
        })
    }

    fn compute(body: &Body, joins: impl Fn(u32, u32) -> bool) -> Chains {
        let mut heads: Vec<u32> = (0..body.block_count()).collect();
        for block in 1..body.block_count() {
            let above = body.parent(block);
            if joins(above, block) {
                heads[block as usize] = heads[above as usize];
            }
        }
        Chains { heads }
    }

    /// The first block of the chain of a block.
    pub(crate) fn head(&self, block: u32) -> u32 {
        self.heads[block as usize]
    }
}

/// The graph of the numbered blocks, in which each edge that goes back in reverse post-order goes to a node of its own, the last.
fn without_ways_back(body: &Body) -> Graph {
    let end = Node::new(body.block_count() as usize);
    let lists = (0..=body.block_count()).map(|block| {
        let source = (block < body.block_count()).then(|| body.node(block));
        source.into_iter().flat_map(move |source| {
            let goes_back = move |target: Node| body.order().is_retreating(source, target);
            let seen = move |target: Node| if goes_back(target) { end } else { Node::new(body.place(target) as usize) };
            body.flow().graph().successors(source).iter().map(move |&target| seen(target))
        })
    });
    Graph::from_successors(Node::new(0), lists)
}

/// Whether a lane may run an instruction and nothing after it.
fn may_end(op: Op) -> bool {
    op.class() == Class::Opaque || matches!(op, Op::FunctionCall | Op::TraceRayKHR | Op::ExecuteCallableKHR)
}
