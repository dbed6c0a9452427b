//! Step 7: the nesting depth of ladders of two-way branches.
//!
//! ```text
//! if a {…} else if b {…} else if c {…}      both arms of each `if` fall through to one join
//! if a { …; if b { …; if c {…} } }          the arm of each `if` falls through to the target of its other edge
//! ```
//!
//! Emitted as nested selections, their depth is their length. The estimate of a node is the number of such branches on the worst path below
//! it that have no join of their own; if it exceeds the limit, a scope is opened and the ladder becomes flat. The second form then costs a
//! block. It stays nested under a policy that counts blocks, and if something in it continues an enclosing loop: SPIRV-Cross writes the
//! scope as a loop, and that `continue` in it. One bottom-up pass.

use crate::placement::{Placement, Role};
use crate::policy::Policy;
use crate::work::{NONE, WorkGraph};

/// The estimate for each node, by the deepest exit of its subtree and the enclosing loops that it continues.
pub(crate) fn compute_chains(
    work: &WorkGraph,
    placement: &Placement,
    exits: &[u32],
    outermost_continued: &[u32],
    policy: Policy,
) -> Vec<u32> {
    let counts_skips = policy.gives_exits_merges();
    let mut chains = vec![0_u32; work.len()];
    for &node in placement.by_pos.iter().rev().filter(|&&node| node != NONE) {
        let deepest = |role| {
            let children = placement.children_in(node, role).iter();
            children.map(|&child| chains[child as usize]).max().unwrap_or(0)
        };
        let arms = placement.children_in(node, Role::Arm);
        let falling = arms.iter().filter(|&&arm| exits[arm as usize] != NONE).count();
        let is_exit = |target| arms.iter().any(|&arm| exits[arm as usize] == target);
        let continues = || outermost_continued[node as usize] < placement[node].pos;
        let skips = || work.edges_of(node).iter().any(|edge| is_exit(edge.target));
        let is_ladder = falling >= 2 || falling == 1 && counts_skips && skips() && !continues();
        let joins = !placement.children_in(node, Role::Own).is_empty();
        chains[node as usize] = if joins {
            deepest(Role::Own)
        } else {
            deepest(Role::Arm).max(deepest(Role::After)) + u32::from(is_ladder)
        };
    }
    chains
}
