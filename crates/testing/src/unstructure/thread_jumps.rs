//! Gives one edge its own copy of its target, or redirects it past a target that only jumps.
//!
//! ```text
//! a ─▶ b ◀─ c        a ─▶ b′   b ◀─ c        the copy of a loop's header makes a second entry to the loop
//!      │        ⇒         │    │
//!      ▼                  └▶ d ◀┘
//! ```

use reconverge_ir::{Edge, Function, Module};

use super::surgery::{blocks, copy_block, jump_target, pick};
use crate::random::Random;

/// The maximal number of copied instructions.
const COPIED: usize = 40;

pub(super) fn thread_jump(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let edges = blocks(module, function).into_iter().flat_map(|block| module.out_edges(block));
    let is_good = |edge: &Edge| {
        module
            .target(*edge)
            .is_some_and(|target| module.in_edges(target).count() > 1 && module.children(target).count() <= COPIED)
    };
    let edges: Vec<Edge> = edges.filter(is_good).collect();
    let Some(edge) = pick(&edges, random) else { return false };
    let target = module.target(edge).expect("invariant: it was looked at");
    let past = jump_target(module, target).filter(|_| module.children(target).count() == 1);
    let new = past.unwrap_or_else(|| copy_block(module, function, target));
    module.edit().set_operand(edge.terminator, edge.operand, new);
    true
}
