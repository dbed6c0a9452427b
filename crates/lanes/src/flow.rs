//! The control flow of a pack in a structured function: the order of the blocks, the constructs at which lanes diverge, and the blocks at
//! which they reconverge. A back end uses it that represents active lanes by other means than masks.

use reconverge_analysis::uniformity::PackValues;
use reconverge_control_tree::{Construct, ConstructData, ControlTree, List};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Inst, Module};

use crate::Facts;
use crate::divergence::Divergence;
use crate::error::no_tree;
use crate::order::ExecutionOrder;

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
    pub fn compute(module: &Module, function: Function, facts: &Facts) -> Result<LaneFlow, Diagnostic> {
        let tree = ControlTree::compute(module, function).map_err(|error| no_tree(function, error))?;
        let order = ExecutionOrder::compute(module, &tree);
        let divergence = Divergence::compute(module, function, &tree, &order, facts);
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

    /// The variation of the values among the lanes of a pack, those that wait included.
    pub fn values(&self) -> &PackValues {
        self.divergence.values()
    }

    /// Returns whether lanes may have different values.
    pub fn is_varying(&self, value: Inst) -> bool {
        self.divergence.is_varying(value)
    }

    /// Returns whether lanes may go to different lists of a construct, or leave at a conditional exit while others stay.
    pub fn splits(&self, construct: Construct) -> bool {
        self.divergence.splits(construct)
    }

    /// Returns whether lanes that jump to a block wait there for others.
    pub fn collects(&self, block: Block) -> bool {
        self.divergence.collects(block)
    }

    /// Returns whether lanes that return wait for others.
    pub fn collects_returns(&self) -> bool {
        self.divergence.collects_returns()
    }
}
