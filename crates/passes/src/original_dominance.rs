//! Dominance as it was before a function was rewritten: where a value can still be asked for.
//!
//! If `d` dominated a use, then so it did every block on the way from `d` to that use: a block on it that is reached around `d`
//! would let the use be reached around `d` too. So at a block of the original function that `d` did not dominate, nothing of what
//! `d` computes is ever asked for again, however the rewritten edges lead there. A repair that knows this stops at such blocks
//! with `undef`; without it, every value of a flattened loop body would be handed around all the loops outside, for paths that no
//! execution takes.

use reconverge_analysis::FlowGraph;
use reconverge_graph::DominatorTree;
use reconverge_ir::{Block, Function, Module};

/// The dominators of a function at the time this was computed.
#[derive(Debug)]
pub struct OriginalDominance {
    flow: FlowGraph,
    dominators: DominatorTree,
}

impl OriginalDominance {
    /// Remembers dominance as it is now. Near-linear.
    pub fn compute(module: &Module, function: Function) -> OriginalDominance {
        let flow = FlowGraph::compute(module, function);
        let (_, dominators) = flow.dominators();
        OriginalDominance { flow, dominators }
    }

    /// Whether no value of `definition` is asked for at `block` or behind it, until `definition` runs again. Constant time.
    pub(crate) fn is_dead_at(&self, definition: Block, block: Block) -> bool {
        match (self.flow.find(definition), self.flow.find(block)) {
            (Some(definition), Some(block)) => !self.dominators.dominates(definition, block),
            _ => false,
        }
    }
}
