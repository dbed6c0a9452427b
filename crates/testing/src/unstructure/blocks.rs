//! Splits one block into two, and merges two into one.
//!
//! ```text
//! a: x; y ─▶ c     ⇄     a: x ─▶ b: y ─▶ c
//! ```

use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position};

use super::surgery::{blocks, join_blocks, jump_target, pick};
use crate::random::Random;

pub(super) fn split_block(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let places = blocks(module, function).into_iter().flat_map(|block| module.children(block).skip(1));
    let places: Vec<Inst> = places.filter(|&inst| module.op(inst) != Op::Variable).collect();
    let Some(place) = pick(&places, random) else { return false };
    split_before(module, function, place);
    true
}

/// The new block that begins with this instruction; its old block jumps to it.
pub(super) fn split_before(module: &mut Module, function: Function, place: Inst) -> Block {
    let old = module.block_of(place).expect("invariant: the place is in a block");
    let mut rest = vec![place];
    while let Some(next) = module.next(rest[rest.len() - 1]) {
        rest.push(next);
    }
    let mut build = Builder::new(module);
    let new = build.add_block(function);
    rest.into_iter().for_each(|inst| build.editor().move_to(inst, Position::AtEnd(new.into())));
    build.at_end(old);
    build.branch(&[new.inst()]);
    new
}

pub(super) fn merge_blocks(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let is_pair = |block: &Block| {
        jump_target(module, *block).is_some_and(|next| next != *block && module.in_edges(next).count() == 1)
    };
    let pairs: Vec<Block> = blocks(module, function).into_iter().filter(is_pair).collect();
    let Some(block) = pick(&pairs, random) else { return false };
    let next = jump_target(module, block).expect("invariant: it was looked at");
    join_blocks(module, block, next);
    true
}
