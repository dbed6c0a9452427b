//! Moves the contents of a block to a function that it calls; the variables that it uses are passed by pointer.
//!
//! ```text
//! ^b: … load %v … store %w …; branch ^c     ⇒     ^b: function_call %outlined, %v, %w; branch ^c
//! ```
//!
//! In half of the cases the call is inlined again at once, if no other call would be inlined with it.

use reconverge_ir::{Block, Builder, Copies, Function, Inst, Module, Op, Position};
use reconverge_optimize::inline_calls;

use super::surgery::{blocks, jump_target, pick};
use crate::random::Random;

pub(super) fn outline(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let is_good = |block: &Block| {
        jump_target(module, *block).is_some()
            && module.children(*block).count() > 1
            && module.children(*block).all(|inst| !matches!(module.op(inst), Op::Variable))
            && used_from_function(module, function, *block).iter().all(|&used| module.op(used) == Op::Variable)
    };
    let candidates: Vec<Block> = blocks(module, function)[1..].iter().copied().filter(is_good).collect();
    let Some(block) = pick(&candidates, random) else { return false };
    let variables = used_from_function(module, function, block);
    let types: Vec<Inst> =
        variables.iter().map(|&variable| module.ty(variable).expect("invariant: it has a type")).collect();
    let jump = module.terminator(block).expect("invariant: it jumps");
    let inside: Vec<Inst> = module.children(block).filter(|&inst| inst != jump.inst()).collect();
    let mut build = Builder::new(module);
    let void_type = build.void_type();
    let outlined = build.add_function(void_type, &types);
    let body = build.add_block(outlined);
    let mut copies = Copies::new();
    let parameters: Vec<Inst> = build.module().parameters(outlined).map(|parameter| parameter.inst()).collect();
    variables.iter().zip(parameters).for_each(|(&variable, parameter)| copies.set(variable, parameter));
    for inst in build.editor().copy(&inside, &mut copies) {
        build.editor().move_to(inst, Position::AtEnd(body.into()));
    }
    build.at_end(body);
    build.r#return(&[]);
    build.before(jump);
    let operands: Vec<Inst> = std::iter::once(outlined.inst()).chain(variables).collect();
    build.function_call(void_type, &operands);
    inside.iter().rev().for_each(|&inst| build.editor().delete(inst));
    // Blocks of another function would be inlined too, and they are not in loose form.
    let is_alone = module.functions().filter(|&other| other != function).all(|other| module.blocks(other).count() <= 1);
    if random.chance(50) && is_alone {
        inline_calls(module, &[function], usize::MAX).expect("invariant: what was outlined does not call itself");
    }
    true
}

/// The operands of a block's instructions that are neither defined in the block nor global, in order, once each.
fn used_from_function(module: &Module, function: Function, block: Block) -> Vec<Inst> {
    let mut found: Vec<Inst> = Vec::new();
    for inst in module.children(block).filter(|&inst| module.op(inst) != Op::Branch) {
        for used in module.operands(inst) {
            let is_outside = module.function_of(used) == Some(function) && module.block_of(used) != Some(block);
            if is_outside && !found.contains(&used) {
                found.push(used);
            }
        }
    }
    found
}
