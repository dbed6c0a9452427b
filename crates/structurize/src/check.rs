//! Checks of the internal arguments, on every run.
//!
//! Other checks are made where they are needed: that each label finds a block, that a required join is ready, and that control falls
//! through only where it should. Here: every reachable node is placed exactly once, and a conditional without a merge leaves a construct on
//! one side at least. After a failure the caller takes the flat form, which needs none of the arguments.

use crate::emit::Draft;
use crate::placement::Placement;
use crate::plan::{Block, Merge, Plan, Terminator};
use crate::reason::Fallback;
use crate::work::NONE;

/// Checks that `draft` places every reachable node once.
pub(crate) fn check_placed_once(draft: &Draft, placement: &Placement) -> Result<(), Fallback> {
    let mut nodes = placement.by_pos.iter().filter(|&&node| node != NONE);
    if nodes.all(|&node| draft.placed[node as usize] == 1) { Ok(()) } else { Err(Fallback::Placement) }
}

/// Checks that every conditional without a merge goes to a merge block or continue target (SPIR-V
/// section 2.11.1: a selection header needs a merge instruction otherwise). Linear.
pub(crate) fn check_conditionals(plan: &Plan) -> Result<(), Fallback> {
    let mut is_exit = vec![false; plan.blocks.len()];
    for block in &plan.blocks {
        match block.merge {
            Merge::None => {}
            Merge::Selection { merge } => is_exit[merge.index()] = true,
            Merge::Loop { merge, continue_target } => {
                is_exit[merge.index()] = true;
                is_exit[continue_target.index()] = true;
            }
        }
    }
    let leaves = |block: &Block| match (&block.terminator, block.merge) {
        (Terminator::Conditional { then, otherwise, .. }, Merge::None | Merge::Loop { .. }) => {
            is_exit[then.target.index()] || is_exit[otherwise.target.index()]
        }
        _ => true,
    };
    if plan.blocks.iter().all(leaves) { Ok(()) } else { Err(Fallback::ConditionalWithoutMerge) }
}
