//! Enters two blocks with the same target, such as break blocks, through one block, outside any loops that contain them.
//!
//! ```text
//! a ─▶ x ─▶ after        a ─▶ d ─▶ x ─▶ after
//! b ─▶ y ─▶ after   ⇒    b ─▶ d ─▶ y ─▶ after
//! ```

use reconverge_ir::{Block, Edge, Function, Module};

use super::funnel::funnel;
use super::surgery::{blocks, jump_target, pick};
use crate::random::Random;

pub(super) fn hoist_breaks(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let all = blocks(module, function);
    let jumping: Vec<(Block, Block)> =
        all[1..].iter().filter_map(|&block| jump_target(module, block).map(|target| (block, target))).collect();
    let mut pairs = Vec::new();
    for (index, &(left, target)) in jumping.iter().enumerate() {
        let others = jumping[index + 1..].iter().filter(|&&(_, other)| other == target);
        pairs.extend(others.map(|&(right, _)| [left, right]));
    }
    let Some(pair) = pick(&pairs, random) else { return false };
    let edges: Vec<Edge> = pair.iter().flat_map(|&block| module.in_edges(block)).collect();
    funnel(module, function, &edges, pair);
    true
}
