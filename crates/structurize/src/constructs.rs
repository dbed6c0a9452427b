//! The nesting of constructs: [`Constructs`], for drawing a plan or printing it as a structured language.
//!
//! ```text
//! plan                                        tree of constructs
//!   p0 loop, merge p4, continue p3            (function)  p0, p4
//!   p1 selection, merge p2                      loop p0     p1, p2, p3
//!   p5 …                                          selection p1   p5
//! ```
//!
//! In the dominator tree of the plan with an edge from every header to its merge block (and continue target), the merge block is a child of
//! its header. Everything else below the header is inside its construct; the merge block is outside, like the header. A header is not
//! counted inside its own construct. Near-linear, as dominators are.

use reconverge_graph::{DominatorTree, Graph, Node, Order};

use crate::plan::{Merge, Plan, PlanBlock};

/// The innermost construct around each block of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructs {
    headers: Vec<Option<PlanBlock>>,
    depths: Vec<u32>,
}

impl Constructs {
    /// Computes the constructs of a plan. Near-linear.
    ///
    /// # Panics
    /// The plan names a block that it does not have. Plans of [`structurize`](crate::structurize) never do; [`Plan::check`] checks others.
    pub fn compute(plan: &Plan) -> Constructs {
        let lists = plan.blocks.iter().map(|block| {
            let (merge, continue_target) = match block.merge {
                Merge::None => (None, None),
                Merge::Selection { merge } => (Some(merge), None),
                Merge::Loop { merge, continue_target } => (Some(merge), Some(continue_target)),
            };
            let targets = block.terminator.edges().map(|edge| edge.target);
            targets.chain(merge).chain(continue_target).map(|target| Node::new(target.index()))
        });
        let graph = Graph::from_successors(Node::new(0), lists);
        let order = Order::compute_reverse_post_order(&graph);
        let tree = DominatorTree::compute(&graph, &order);
        let mut headers: Vec<Option<PlanBlock>> = vec![None; plan.blocks.len()];
        let mut depths = vec![0; plan.blocks.len()];
        for &node in order.sequence() {
            let Some(above) = tree.idom(node) else { continue };
            let (block, above) = (node.index(), above.index());
            let is_inside = merge_of(plan, above).is_some_and(|merge| merge.index() != block);
            headers[block] = if is_inside { Some(PlanBlock::new(above)) } else { headers[above] };
            depths[block] = depths[above] + u32::from(is_inside);
        }
        Constructs { headers, depths }
    }

    /// The header of the innermost construct that contains `block`; a header is not inside its own construct.
    pub fn header(&self, block: PlanBlock) -> Option<PlanBlock> {
        self.headers[block.index()]
    }

    /// The number of constructs around `block`.
    pub fn depth(&self, block: PlanBlock) -> u32 {
        self.depths[block.index()]
    }
}

/// The merge block of the construct that a block heads.
pub(crate) fn merge_of(plan: &Plan, block: usize) -> Option<PlanBlock> {
    match plan.blocks[block].merge {
        Merge::None => None,
        Merge::Selection { merge } | Merge::Loop { merge, .. } => Some(merge),
    }
}
