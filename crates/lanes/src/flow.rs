//! How the lanes of a pack go through a structured function: in which order it executes blocks, which constructs part lanes, where they wait
//! for each other. It is what a back end needs that keeps the lanes apart by other means than masks.

use reconverge_control_tree::{Construct, ConstructData, ControlTree, List};
use reconverge_ir::{Block, Function, Inst, Module};

use crate::divergence::Divergence;
use crate::order::ExecutionOrder;
use crate::{Facts, LanesError};

/// The order of a function and its divergence.
#[derive(Debug)]
pub struct LaneFlow {
    pub(crate) tree: ControlTree,
    pub(crate) order: ExecutionOrder,
    pub(crate) divergence: Divergence,
}

impl LaneFlow {
    /// Analyses a function at stage Structured whose variables are values (`mem2reg`) and whose loops are closed
    /// ([`loop_closed_ssa`](crate::loop_closed_ssa())). Near-linear in instructions, edges and nesting.
    ///
    /// # Errors
    /// The function is not valid at stage Structured.
    pub fn compute(module: &Module, function: Function, facts: &Facts) -> Result<LaneFlow, LanesError> {
        let tree = ControlTree::compute(module, function)?;
        let order = ExecutionOrder::compute(module, &tree);
        let divergence = Divergence::compute(module, &tree, &order, facts);
        Ok(LaneFlow { tree, order, divergence })
    }

    /// The tree of the function.
    pub fn tree(&self) -> &ControlTree {
        &self.tree
    }

    /// All blocks, in the order of execution: every edge but those back to a loop header goes forward.
    pub fn blocks(&self) -> &[Block] {
        self.order.blocks()
    }

    /// The lists of a construct, in the order of execution.
    pub fn lists<'a>(&'a self, data: &'a ConstructData) -> &'a [List] {
        self.order.lists(data)
    }

    /// Whether lanes may have different values.
    pub fn is_varying(&self, value: Inst) -> bool {
        self.divergence.is_varying(value)
    }

    /// Whether lanes may go to different lists of a construct, or leave at a conditional exit while others stay.
    pub fn splits(&self, construct: Construct) -> bool {
        self.divergence.splits(construct)
    }

    /// Whether lanes that jump to a block wait there for others.
    pub fn collects(&self, block: Block) -> bool {
        self.divergence.collects(block)
    }

    /// Whether lanes that return wait for others.
    pub fn collects_returns(&self) -> bool {
        self.divergence.collects_returns()
    }
}
