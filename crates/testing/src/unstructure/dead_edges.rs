//! Adds an edge that is never taken: its condition is that the product of two consecutive integers is odd.
//!
//! ```text
//! a ─▶ b      ⇒      a: branch_if (%x * (%x + 1) & 1 == 1) ^anywhere ^b
//! ```

use reconverge_ir::{Block, Builder, Function, Module};

use super::surgery::{add_variable, blocks, jump_target, pick};
use crate::random::Random;

pub(super) fn add_dead_edge(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let all = blocks(module, function);
    let jumping: Vec<Block> = all.iter().copied().filter(|&block| jump_target(module, block).is_some()).collect();
    let Some(block) = pick(&jumping, random) else { return false };
    let target = jump_target(module, block).expect("invariant: it was looked at");
    let others: Vec<Block> = all[1..].iter().copied().filter(|&other| other != target).collect();
    let Some(other) = pick(&others, random) else { return false };
    let jump = module.terminator(block).expect("invariant: it jumps");
    let u32_type = Builder::new(module).int_type(32);
    let variable = add_variable(module, function, u32_type);
    let mut build = Builder::new(module);
    build.before(jump);
    let bool_type = build.bool_type();
    let one = build.constant_word(u32_type, 1);
    let value = build.load(u32_type, &[variable]);
    let next = build.i_add(u32_type, &[value, one]);
    build.store(&[variable, next]);
    let product = build.i_mul(u32_type, &[value, next]);
    let bit = build.bitwise_and(u32_type, &[product, one]);
    let is_odd = build.i_equal(bool_type, &[bit, one]);
    build.branch_if(&[is_odd, other.inst(), target.inst()]);
    build.editor().delete(jump);
    true
}
