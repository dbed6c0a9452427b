//! Merges equal ends of blocks; sometimes all returns become one.
//!
//! ```text
//! a: … store %v, %k ─▶ c        a: … ─▶ t
//! b: … store %v, %k ─▶ c   ⇒    b: … ─▶ t        t: store %v, %k ─▶ c
//! ```

use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position, Terminator, view};

use super::surgery::{add_jump, add_variable, blocks, jump_target, pick};
use crate::random::Random;

pub(super) fn merge_tails(module: &mut Module, function: Function, random: &mut Random) -> bool {
    match random.chance(25) {
        true => merge_returns(module, function),
        false => merge_jumps(module, function, random),
    }
}

fn merge_jumps(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let all = blocks(module, function);
    let entry = all[0];
    let jumping = |target: Block| -> Vec<Block> {
        all.iter().copied().filter(|&block| block != entry && jump_target(module, block) == Some(target)).collect()
    };
    let targets: Vec<Block> = all.iter().copied().filter(|&target| jumping(target).len() > 1).collect();
    let Some(target) = pick(&targets, random) else { return false };
    let mut sources = jumping(target);
    while sources.len() > 2 && random.chance(60) {
        sources.remove(random.below(sources.len()));
    }
    let tail = add_jump(module, function, target);
    for &source in &sources {
        let jump = module.terminator(source).expect("invariant: it jumps");
        module.edit().set_operand(jump, view::Branch::SLOT.target, tail);
    }
    while let Some(last) = common_last(module, &sources) {
        module.edit().move_to(last[0], Position::AtStart(tail.into()));
        last[1..].iter().for_each(|&inst| module.edit().delete(inst));
    }
    true
}

/// The last instructions before the jumps of these blocks, if all are the same store.
fn common_last(module: &Module, sources: &[Block]) -> Option<Vec<Inst>> {
    let last = |block: &Block| module.terminator(*block).and_then(|jump| module.previous(jump));
    let last: Vec<Inst> = sources.iter().map(last).collect::<Option<_>>()?;
    let operands = |inst: Inst| module.operands(inst).collect::<Vec<_>>();
    let is_same = |&inst: &Inst| module.op(inst) == Op::Store && operands(inst) == operands(last[0]);
    last.iter().all(is_same).then_some(last)
}

fn merge_returns(module: &mut Module, function: Function) -> bool {
    let returns: Vec<Terminator> = blocks(module, function)
        .into_iter()
        .filter_map(|block| module.terminator(block))
        .filter(|&terminator| module.op(terminator) == Op::ReturnValue)
        .collect();
    if returns.len() < 2 {
        return false;
    }
    let ty = module.ty(function).expect("invariant: a function has a type");
    let variable = add_variable(module, function, ty);
    let mut build = Builder::new(module);
    let last = build.add_block(function);
    for terminator in returns {
        let returned = view::ReturnValue::of(build.module(), terminator).expect("invariant: the op was looked at");
        build.before(terminator);
        build.store(&[variable, returned.value]);
        build.branch(&[last.inst()]);
        build.editor().delete(terminator);
    }
    build.at_end(last);
    let value = build.load(ty, &[variable]);
    build.return_value(&[value]);
    true
}
