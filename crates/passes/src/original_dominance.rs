//! Dominance as it was before a function was rewritten: where a value can still be asked for.
//!
//! If `d` dominated a use, then so it did every block on the way from `d` to that use: a block on it that is reached around `d`
//! would let the use be reached around `d` too. So at a block of the original function that `d` did not dominate, nothing of what
//! `d` computes is ever asked for again, however the rewritten edges lead there. A repair that knows this stops at such blocks
//! with `undef`; without it, every value of a flattened loop body would be handed around all the loops outside, for paths that no
//! execution takes.
//!
//! *Requires* that a block of the original runs in the rewritten function exactly when it ran before, and that its uses still stand
//! in it or are reached from it through added blocks alone.

use reconverge_analysis::FlowGraph;
use reconverge_graph::DominatorTree;
use reconverge_ir::{Block, Function, Module};

/// The dominators of a function at the time this was computed.
#[derive(Debug)]
pub struct OriginalDominance {
    known: Option<(FlowGraph, DominatorTree)>,
}

impl OriginalDominance {
    /// Remembers dominance as it is now. Near-linear.
    pub fn compute(module: &Module, function: Function) -> OriginalDominance {
        let flow = FlowGraph::compute(module, function);
        let (_, dominators) = flow.dominators();
        OriginalDominance { known: Some((flow, dominators)) }
    }

    /// For a function of whose past nothing is known: every value may be asked for everywhere.
    pub fn unknown() -> OriginalDominance {
        OriginalDominance { known: None }
    }

    /// Whether no value of `definition` is asked for at `block` or behind it, until `definition` runs again. Constant time.
    pub(crate) fn is_dead_at(&self, definition: Block, block: Block) -> bool {
        let Some((flow, dominators)) = &self.known else { return false };
        match (flow.find(definition), flow.find(block)) {
            (Some(definition), Some(block)) => !dominators.dominates(definition, block),
            _ => false,
        }
    }
}
