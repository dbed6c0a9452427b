//! Barriers at which a driver stops more often in one subgroup than in another.
//!
//! ```text
//! for (i = 0; i < 2 + lane; i++) { …; if (never) barrier(); }       the subgroup of lanes 0 to 7 stops 9 times, the next one 17 times
//! ```
//!
//! Lavapipe executes both sides of a branch, without the lanes that are not there, so a subgroup also stops at a barrier that none of its
//! lanes reaches. It loses stores if subgroups do not stop equally often (`volatile_fences.rs`), that is, if a barrier is in a loop that
//! they iterate differently: lanes leave it by a branch on a condition that differs. A barrier that lanes do reach is not there in a correct program; one that they never reach may be.
//!
//! Only loops are reported that lanes are shown to iterate differently: a bound from memory is taken to be the same for all of them.
//! *Requires* structured functions, as the compiler returns them. Near-linear, with a factor of the depth of loops.

use reconverge_analysis::FlowGraph;
use reconverge_analysis::uniformity::{Evidence, ModuleUniformity, Scope, Uniformity};
use reconverge_graph::{Cycle, CycleForest, Node};
use reconverge_ir::{Inst, Module, view};

use super::Driver;
use super::scalars::scope;

reconverge_diagnostic::codes! {
    /// Codes of what a driver does wrong.
    pub enum DriverCode in "Running" {
        Barrier = "driver-barrier" Warning
            "The driver waits at a barrier that no lane reaches, in a loop that subgroups iterate differently, so stores may be lost."
            "run the kernel on another device";
    }
}

/// The first barrier of each function in a loop that subgroups iterate differently, if the driver has this bug.
pub fn uneven_barriers(module: &Module, driver: Driver) -> Vec<Inst> {
    if !driver.quirks().waits_at_skipped_barriers {
        return Vec::new();
    }
    let blocks = || module.functions().flat_map(|function| module.blocks(function));
    if !blocks().flat_map(|block| module.children(block)).any(|inst| waits_for_group(module, inst)) {
        return Vec::new();
    }
    let uniformity = ModuleUniformity::compute_by(module, Scope::Workgroup, Evidence::Shown);
    let facts = module.functions().filter_map(|function| uniformity.function(function));
    facts.filter_map(|facts| uneven_barrier(module, facts)).collect()
}

fn uneven_barrier(module: &Module, facts: &Uniformity) -> Option<Inst> {
    let flow = FlowGraph::compute(module, facts.function());
    let (order, dominators) = flow.dominators();
    let forest = CycleForest::compute(flow.graph(), &order, &dominators);
    let leaves_apart = |cycle: Cycle, node: Node| {
        let leaves = flow.graph().successors(node).iter().any(|&target| !forest.contains(cycle, target));
        leaves && !facts.is_uniform_branch(flow.block(node))
    };
    let uneven = forest.cycles().filter(|&cycle| forest.blocks(cycle).iter().any(|&node| leaves_apart(cycle, node)));
    let blocks = uneven.flat_map(|cycle| forest.blocks(cycle)).map(|&node| flow.block(node));
    blocks.flat_map(|block| module.children(block)).find(|&inst| waits_for_group(module, inst))
}

/// Returns whether an instruction is a barrier of the work-group.
fn waits_for_group(module: &Module, inst: Inst) -> bool {
    let barrier = view::ControlBarrier::of(module, inst);
    barrier.is_some_and(|barrier| scope(module, barrier.execution) == Some(spirv::Scope::Workgroup))
}
