//! Padding: the form in which every place of the tree has a block.
//!
//! Requires: stage Structured. Preserves: what the function does, its structure, SSA. Breaks: names of blocks that only go on to
//! one other; handles of shared edge blocks.
//!
//! ```text
//! 1  ^a: branch ^e   ^b: branch ^e           ^a: branch ^m   ^b: branch ^m        edge blocks are not shared
//!    edge ^e: branch ^m
//! 2  if … merge ^h; ^b: loop ^h              if … merge ^p; edge ^p: loop ^h      no merge block is a loop header
//! 3  if %c ^t ^m merge ^m                    if %c ^t ^e merge ^m;                every way has a block
//!                                            edge ^e: branch ^m
//! 4  ^a: x; branch ^b   ^b: y                ^a: x; y                             straight lines are one block
//! 5  merge block before an arm               source order                         openers, then lists, then merge blocks
//! 6  edge ^p: loop ^h; ^k: branch ^p         edge ^p: loop ^h; ^k: branch ^h      no back edge goes through the preheader
//! 7  edge ^j: x; branch ^m                   ^j: x; branch ^m                     no join of a scope is an edge block
//! ```
//!
//! What 1 and 3 add or remove vanishes in SPIR-V; 2 is a block that SPIR-V lets a header share; 5 does nothing unless an opener,
//! a list and its merge block stand in another order; 7 is a block in SPIR-V either way. Idempotent. O(blocks + edges).

mod back_edges;
mod joins;
mod landing;
mod lines;
mod order;
mod shared;
mod ways;

use crate::{ControlTree, TreeError};
use reconverge_ir::{Function, Module};

pub(super) use lines::hold_location;

/// Pads a structured function: every arm gets a block, every construct a landing place of its own, blocks that only go on to one
/// other are joined with it. Whether anything changed comes back. O(blocks + edges).
///
/// # Errors
/// The function has no control tree. It may be changed by then, and does what it did.
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
