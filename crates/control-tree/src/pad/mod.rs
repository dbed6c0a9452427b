//! Padding: the form in which every place of the tree has a block.
//!
//! Requires: stage Structured. Preserves: what the function does, its structure, SSA. Does not preserve: names of blocks that are merged;
//! handles of shared edge blocks.
//!
//! ```text
//! 1  ^a: branch ^e   ^b: branch ^e           ^a: branch ^m   ^b: branch ^m        edge blocks are not shared
//!    edge ^e: branch ^m
//! 2  if … merge ^h; ^b: loop ^h              if … merge ^p; edge ^p: loop ^h      no merge block is a loop header
//! 3  if %c ^t ^m merge ^m                    if %c ^t ^e merge ^m;                every arm has a block
//!                                            edge ^e: branch ^m
//! 4  ^a: x; branch ^b   ^b: y                ^a: x; y                             straight lines are one block
//! 5  merge block before an arm               source order                         openers, then lists, then merge blocks
//! 6  edge ^p: loop ^h; ^k: branch ^p         edge ^p: loop ^h; ^k: branch ^h      no back edge goes through the preheader
//! 7  edge ^j: x; branch ^m                   ^j: x; branch ^m                     no join of a scope is an edge block
//! ```
//!
//! The additions and removals of 1 and 3 do not exist in SPIR-V; 2 is a block that a header can share in SPIR-V; 5 does nothing unless an
//! opener, a list and its merge block are in another order; 7 is a block in SPIR-V either way. Idempotent. O(blocks + edges).

mod back_edges;
mod joins;
mod landing;
mod lines;
mod order;
mod shared;
mod ways;

use crate::{ControlTree, TreeError};
use reconverge_ir::{Function, Module};

pub(super) use lines::keep_location;

/// Pads a structured function: every arm gets a block, every construct a merge block that is not a loop header, and straight-line blocks
/// are merged. Returns whether anything changed. O(blocks + edges).
///
/// # Errors
/// The function has no control tree. It may have been changed, but behaves the same.
pub fn pad(module: &mut Module, function: Function) -> Result<bool, TreeError> {
    let bypassed = shared::bypass_shared_edges(module, function);
    let led = back_edges::lead_to_headers(module, function);
    let landed = landing::give_landing_places(module, function);
    let mut tree = ControlTree::compute(module, function)?;
    let split = ways::split_ways(module, &tree);
    let joined = joins::replace_edge_blocks(module, &tree);
    if split || joined {
        tree = ControlTree::compute(module, function)?;
    }
    let lined = lines::join_lines(module, &tree);
    if lined {
        tree = ControlTree::compute(module, function)?;
    }
    let ordered = order::put_in_order(module, function, &tree);
    Ok(bypassed | led | landed | split | joined | lined | ordered)
}
