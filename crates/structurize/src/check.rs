//! The internal arguments, checked on every run.
//!
//! That each label finds a block, that a ready join exists where one must, and that nothing falls
//! where nothing should are checked where they are used. Here: every reachable node was placed
//! exactly once. A failure makes the caller take the flat form, which needs none of the arguments.

use crate::emit::Draft;
use crate::placement::Placement;
use crate::reason::Fallback;
use crate::work::NONE;

/// Checks that `draft` places every reachable node once.
pub(crate) fn check_placed_once(draft: &Draft, placement: &Placement) -> Result<(), Fallback> {
    let mut nodes = placement.by_pos.iter().filter(|&&node| node != NONE);
    if nodes.all(|&node| draft.placed[node as usize] == 1) { Ok(()) } else { Err(Fallback::Placement) }
}
