//! Copies the header of a loop, with its test, before the loop: while becomes do-while in an if.
//!
//! ```text
//! a ─▶ h ─▶ after            a ─▶ h′ ─▶ after
//!      │ ▲              ⇒         │
//!      ▼ │                        ▼
//!      body                      body ⇄ h ─▶ after
//! ```

use reconverge_ir::{Block, Edge, Function, Module};

use super::surgery::{back_edges, copy_block, pick};
use crate::random::Random;

pub(super) fn rotate_loop(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let back = back_edges(module, function);
    let headers = back.iter().filter_map(|&edge| module.target(edge));
    let is_test = |header: &Block| module.out_edges(*header).count() > 1;
    let headers: Vec<Block> = headers.filter(is_test).collect();
    let Some(header) = pick(&headers, random) else { return false };
    let entries: Vec<Edge> = module.in_edges(header).filter(|edge| !back.contains(edge)).collect();
    let copy = copy_block(module, function, header);
    for edge in entries {
        module.edit().set_operand(edge.terminator, edge.operand, copy);
    }
    true
}
