//! The branches where lanes diverge before some of them exit a function, and the exits.
//!
//! ```text
//!   block          branches        query
//!   entry          if differs      ← the parting of each block below: the nearest dominator whose lanes may part
//!     last         calls %stop     ← where lanes leave, through %stop: the ending of %stop is looked at next
//! ```
//!
//! Computed once for each function on demand. Linear in its blocks and calls.

use reconverge_analysis::uniformity::Uniformity;
use reconverge_graph::Node;
use reconverge_ir::Block;
use rustc_hash::FxHashMap;

use crate::program::{Program, is_termination};

/// Partings and endings of a function.
pub(super) struct Parting {
    /// For each block, the nearest branch before it, on every path to it, at which lanes may diverge.
    branches: Vec<Option<Node>>,
    /// The first callee in a block that may end the invocation.
    callees: FxHashMap<Block, usize>,
    ending: Option<Block>,
}

impl Parting {
    /// Computes it for a function, by its number. Linear.
    pub(super) fn compute(program: &Program<'_>, number: usize, uniformity: Option<&Uniformity>) -> Parting {
        let (module, flow) = (program.module, &program.flows[number]);
        let parts = |node: Node| uniformity.is_some_and(|facts| !facts.is_uniform_branch(flow.whole.block(node)));
        let mut branches = vec![None; flow.feasible.len()];
        for &node in flow.order.sequence() {
            let Some(idom) = flow.dominators.idom(node) else { continue };
            branches[node.index()] = if parts(idom) { Some(idom) } else { branches[idom.index()] };
        }
        let mut callees = FxHashMap::default();
        for call in program.calls[number].iter().filter(|call| program.may_terminate[call.callee]) {
            if let Some(block) = module.block_of(call.inst) {
                callees.entry(block).or_insert(call.callee);
            }
        }
        let mut blocks = flow.order.sequence().iter().map(|&node| flow.whole.block(node));
        let ending = blocks.find(|block| {
            let end = module.terminator(*block);
            end.is_some_and(|end| is_termination(module.op(end))) || callees.contains_key(block)
        });
        Parting { branches, callees, ending }
    }

    /// The nearest branch before a block, on every path to it, at which lanes may diverge.
    pub(super) fn branch(&self, node: Node) -> Option<Node> {
        self.branches[node.index()]
    }

    /// The number of the first callee in a block that may end the invocation.
    pub(super) fn callee(&self, block: Block) -> Option<usize> {
        self.callees.get(&block).copied()
    }

    /// The first block in which the invocation ends, or may end in a callee.
    pub(super) fn ending(&self) -> Option<Block> {
        self.ending
    }
}
