//! Unstructurers: transformations that remove structure and preserve behaviour, one per file.
//!
//! | unstructurer | file | what it does |
//! |---|---|---|
//! | strip merges | `reconverge_restructure::forget_structure` | merges go, edges stay; always first |
//! | thread jumps | `thread_jumps` | one edge gets a copy of its target for itself |
//! | merge tails | `merge_tails` | equal ends of several blocks become one, also their returns |
//! | hoist breaks | `hoist_breaks` | two blocks before one target are entered through one block |
//! | split blocks, merge blocks | `blocks` | one block becomes two, two become one |
//! | branches to selects, and back | `selects` | a small arm goes, or comes |
//! | rotate loops | `rotate_loops` | the test of a loop is copied before it |
//! | merge headers | `merge_headers` | two loops go back through one block: a cycle of two entries |
//! | switches to chains, and back | `switches` | a switch becomes branches, a branch becomes a switch |
//! | outline | `outline` | what a block does becomes a function; with inlining, and back |
//! | dead edges | `dead_edges` | an edge that is never taken, which no analysis can know |
//! | shuffle blocks | `block_order` of this crate | another order of blocks |
//!
//! All except the first and the last work on *loose form*: every value that another block uses is in a variable of the function, so that
//! blocks can be copied, merged and entered from anywhere. At the end the variables may become values again:
//!
//! ```text
//! structured ─▶ strip merges ─▶ loose form ─▶ unstructurers … ─▶ settled ─▶ (mem2reg) ─▶ stage Graph, no finding
//! ```
//!
//! Removing merges also removes the reconvergence points. If these have to stay, a [`MergeKeeper`] is used (`with_merges`): it reorders,
//! threads, splits and merges blocks, and adds edges that are never taken, in a function that keeps its values and its merges.

mod blocks;
mod dead_edges;
mod funnel;
mod hoist_breaks;
mod loose;
mod merge_headers;
mod merge_tails;
mod outline;
mod rotate_loops;
mod selects;
mod surgery;
mod switches;
mod thread_jumps;
mod with_merges;

pub(crate) use surgery::join_blocks;
pub use with_merges::MergeKeeper;

use reconverge_ir::{Function, Module};
use reconverge_optimize::{Promotion, mem2reg};
use reconverge_restructure::forget_structure;
use reconverge_rewrite::module_facts::ModuleFacts;

use crate::block_order::shuffle_blocks;
use crate::random::Random;

/// A way to remove structure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unstructurer {
    /// Only the common first step: merges are removed.
    StripMerges,
    /// One edge gets its own copy of its target.
    ThreadJumps,
    /// Equal ends of several blocks become one.
    MergeTails,
    /// Two blocks before one target are entered through one block.
    HoistBreaks,
    /// One block becomes two.
    SplitBlocks,
    /// Two blocks become one.
    MergeBlocks,
    /// A small arm is removed.
    BranchesToSelects,
    /// A select becomes two arms.
    SelectsToBranches,
    /// The test of a loop is copied before it.
    RotateLoops,
    /// Two loops go back through one block.
    MergeHeaders,
    /// A switch becomes a chain of branches.
    SwitchesToChains,
    /// A branch on an equality becomes a switch.
    ChainsToSwitches,
    /// The contents of a block become a function that it calls.
    Outline,
    /// An edge that is never taken.
    DeadEdges,
    /// Another order of blocks.
    ShuffleBlocks,
}

impl Unstructurer {
    /// All of them.
    pub const ALL: [Unstructurer; 15] = [
        Unstructurer::StripMerges,
        Unstructurer::ThreadJumps,
        Unstructurer::MergeTails,
        Unstructurer::HoistBreaks,
        Unstructurer::SplitBlocks,
        Unstructurer::MergeBlocks,
        Unstructurer::BranchesToSelects,
        Unstructurer::SelectsToBranches,
        Unstructurer::RotateLoops,
        Unstructurer::MergeHeaders,
        Unstructurer::SwitchesToChains,
        Unstructurer::ChainsToSwitches,
        Unstructurer::Outline,
        Unstructurer::DeadEdges,
        Unstructurer::ShuffleBlocks,
    ];

    /// Returns whether no instruction of the program is copied or merged: each still occurs once, and identifies the position of lanes.
    /// Tests of convergence may use these if reconvergence points are recorded.
    pub const fn keeps_instructions(self) -> bool {
        !matches!(self, Unstructurer::ThreadJumps | Unstructurer::RotateLoops | Unstructurer::MergeTails)
    }

    /// Makes one change in a function in loose form. Returns whether it was possible.
    fn change(self, module: &mut Module, function: Function, random: &mut Random) -> bool {
        match self {
            Unstructurer::StripMerges | Unstructurer::ShuffleBlocks => false,
            Unstructurer::ThreadJumps => thread_jumps::thread_jump(module, function, random),
            Unstructurer::MergeTails => merge_tails::merge_tails(module, function, random),
            Unstructurer::HoistBreaks => hoist_breaks::hoist_breaks(module, function, random),
            Unstructurer::SplitBlocks => blocks::split_block(module, function, random),
            Unstructurer::MergeBlocks => blocks::merge_blocks(module, function, random),
            Unstructurer::BranchesToSelects => selects::branch_to_select(module, function, random),
            Unstructurer::SelectsToBranches => selects::select_to_branch(module, function, random),
            Unstructurer::RotateLoops => rotate_loops::rotate_loop(module, function, random),
            Unstructurer::MergeHeaders => merge_headers::merge_headers(module, function, random),
            Unstructurer::SwitchesToChains => switches::switch_to_chain(module, function, random),
            Unstructurer::ChainsToSwitches => switches::branch_to_switch(module, function, random),
            Unstructurer::Outline => outline::outline(module, function, random),
            Unstructurer::DeadEdges => dead_edges::add_dead_edge(module, function, random),
        }
    }
}

/// The final storage of values that several blocks use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// In variables of the function.
    InMemory,
    /// In block parameters, as far as `mem2reg` creates them.
    InParameters,
}

/// Removes the structure of a function: one change for each entry of `unstructurers`, in order. Returns the number of changes that were
/// possible.
///
/// The function is at stage Graph afterwards, has the same behaviour, and has no finding if it had none.
///
/// # Errors
/// The type of a value that no variable can contain; then only the merges of the function are removed.
pub fn unstructure(
    module: &mut Module,
    function: Function,
    unstructurers: &[Unstructurer],
    values: Values,
    random: &mut Random,
) -> Result<usize, String> {
    forget_structure(module, function);
    loose::loosen(module, function)?;
    let mut changes = 0;
    for &unstructurer in unstructurers {
        if unstructurer.change(module, function, random) {
            changes += 1;
            loose::demote(module, function)?;
        }
    }
    surgery::settle(module, function);
    if values == Values::InParameters {
        mem2reg(module, function, &ModuleFacts::default(), Promotion::All);
    }
    if unstructurers.contains(&Unstructurer::ShuffleBlocks) {
        shuffle_blocks(module, function, random);
        changes += 1;
    }
    Ok(changes)
}
