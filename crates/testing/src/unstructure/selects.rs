//! Turns a small arm into selects; turns a select into two arms.
//!
//! ```text
//! branch_if %c ^a ^b                         %old = load %v
//! ^a: store %v, %x; branch ^m      ⇒         %new = select %c, %x, %old
//!                                            store %v, %new; branch_if %c ^m ^b      (branch ^m, where ^b is ^m)
//!
//! %s = select %c, %x, %y           ⇒         branch_if %c ^t ^f;  ^t: store %v, %x  ^f: store %v, %y;  %s = load %v
//! ```

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position, view};

use super::blocks::split_before;
use super::surgery::{add_variable, blocks, jump_target, pick};
use crate::random::Random;

pub(super) fn branch_to_select(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let candidates: Vec<(Block, usize)> = blocks(module, function)
        .into_iter()
        .flat_map(|block| [(block, operand::TRUE), (block, operand::FALSE)])
        .filter(|&(block, side)| is_small_arm(module, block, side))
        .collect();
    let Some((block, side)) = pick(&candidates, random) else { return false };
    let branch = module.terminator(block).expect("invariant: it was looked at");
    let condition = module.operand(branch, operand::CONDITION);
    let arm: Block = module.cast(module.operand(branch, side)).expect("invariant: a target is a block");
    let target = jump_target(module, arm).expect("invariant: the arm jumps");
    let inside: Vec<Inst> = module.children(arm).collect();
    let mut build = Builder::new(module);
    build.before(branch);
    for inst in inside {
        match build.module().op(inst) {
            Op::Branch => build.editor().delete(inst),
            Op::Store => {
                let store = view::Store::of(build.module(), inst).expect("invariant: a store stores something");
                let view::Store { pointer: variable, object: value, .. } = store;
                let ty = build.module().ty(value).expect("invariant: a value has a type");
                let old = build.load(ty, &[variable]);
                let [yes, no] = if side == operand::TRUE { [value, old] } else { [old, value] };
                let new = build.select(ty, &[condition, yes, no]);
                build.store(&[variable, new]);
                build.editor().delete(inst);
            }
            _ => build.editor().move_to(inst, Position::Before(branch.into())),
        }
    }
    let other = build.module().operand(branch, operand::TRUE + operand::FALSE - side);
    match other == target.inst() {
        true => {
            build.branch(&[other]);
            build.editor().delete(branch);
        }
        false => build.editor().set_operand(branch, side, target),
    }
    build.editor().delete(arm);
    true
}

/// Returns whether one edge of a branch leads to a separate arm that only stores scalars and jumps.
fn is_small_arm(module: &Module, block: Block, side: usize) -> bool {
    let Some(branch) = module.terminator(block).filter(|&branch| module.op(branch) == Op::BranchIf) else {
        return false;
    };
    let Some(arm) = module.cast::<Block>(module.operand(branch, side)) else { return false };
    jump_target(module, arm).is_some()
        && module.in_edges(arm).count() == 1
        && module.children(arm).all(|inst| match module.op(inst) {
            Op::Branch => true,
            Op::Load => view::Load::of(module, inst).is_some_and(|load| is_variable(module, load.pointer)),
            Op::Store => view::Store::of(module, inst).is_some_and(|store| {
                let ty = module.ty(store.object);
                is_variable(module, store.pointer) && ty.is_some_and(|ty| is_scalar(module, ty))
            }),
            _ => false,
        })
}

fn is_variable(module: &Module, pointer: Inst) -> bool {
    module.op(pointer) == Op::Variable && module.block_of(pointer).is_some()
}

fn is_scalar(module: &Module, ty: Inst) -> bool {
    matches!(module.op(ty), Op::TypeBool | Op::TypeInt | Op::TypeFloat)
}

pub(super) fn select_to_branch(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let selects = blocks(module, function).into_iter().flat_map(|block| module.children(block));
    let is_good = |&inst: &Inst| {
        let Some(select) = view::Select::of(module, inst) else { return false };
        let condition = module.ty(select.condition);
        module.ty(inst).is_some_and(|ty| is_scalar(module, ty))
            && condition.is_some_and(|ty| module.op(ty) == Op::TypeBool)
    };
    let selects: Vec<Inst> = selects.filter(is_good).collect();
    let Some(select) = pick(&selects, random) else { return false };
    let view::Select { condition, true_value, false_value } =
        view::Select::of(module, select).expect("invariant: it was looked at");
    let ty = module.ty(select).expect("invariant: a select has a type");
    let variable = add_variable(module, function, ty);
    let head = module.block_of(select).expect("invariant: the select is in a block");
    let join = split_before(module, function, select);
    let mut build = Builder::new(module);
    let arms = [true_value, false_value].map(|value| {
        let arm = build.add_block(function);
        build.at_end(arm);
        build.store(&[variable, value]);
        build.branch(&[join.inst()]);
        arm.inst()
    });
    let jump = build.module().terminator(head).expect("invariant: the split made a jump");
    build.before(jump);
    build.branch_if(&[condition, arms[0], arms[1]]);
    build.editor().delete(jump);
    build.before(select);
    let loaded = build.load(ty, &[variable]);
    build.editor().replace_all_uses(select, loaded);
    build.editor().delete(select);
    true
}
