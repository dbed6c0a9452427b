//! Turns a switch into a chain of branches, and a branch on an equality into a switch of one case.
//!
//! ```text
//! switch %x ^d 1 ^a 2 ^b      ⇒      branch_if (%x == 1) ^a ^n;   ^n: branch_if (%x == 2) ^b ^d
//! branch_if (%x == 1) ^a ^b   ⇒      switch %x ^b 1 ^a
//! ```

use reconverge_ir::view::{self, Case};
use reconverge_ir::{Builder, Function, Module, Op, Terminator};

use super::surgery::{blocks, pick};
use crate::random::Random;

fn terminators(module: &Module, function: Function, op: Op) -> Vec<Terminator> {
    let terminators = blocks(module, function).into_iter().filter_map(|block| module.terminator(block));
    terminators.filter(|&terminator| module.op(terminator) == op).collect()
}

pub(super) fn switch_to_chain(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let Some(switch) = pick(&terminators(module, function, Op::Switch), random) else { return false };
    let view::Switch { selector: value, default, cases } =
        view::Switch::of(module, switch).expect("invariant: the terminator is a switch");
    let ty = module.ty(value).expect("invariant: a value has a type");
    let cases: Vec<Case> = cases.iter().collect();
    let mut build = Builder::new(module);
    let bool_type = build.bool_type();
    build.before(switch);
    for (index, &Case { literal, target }) in cases.iter().enumerate() {
        let constant = build.editor().unique(Op::Constant, Some(ty), &[literal]);
        let is_it = build.i_equal(bool_type, &[value, constant]);
        match index + 1 == cases.len() {
            true => {
                build.branch_if(&[is_it, target, default]);
            }
            false => {
                let next = build.add_block(function);
                build.branch_if(&[is_it, target, next.inst()]);
                build.at_end(next);
            }
        }
    }
    if cases.is_empty() {
        build.branch(&[default]);
    }
    build.editor().delete(switch);
    true
}

pub(super) fn branch_to_switch(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let equality = |&branch: &Terminator| {
        let equality = view::BranchIf::of(module, branch).and_then(|it| view::IEqual::of(module, it.condition));
        equality.is_some_and(|equality| module.op(equality.right) == Op::Constant)
    };
    let branches: Vec<Terminator> = terminators(module, function, Op::BranchIf).into_iter().filter(equality).collect();
    let Some(branch) = pick(&branches, random) else { return false };
    let view::BranchIf { condition, true_target, false_target, .. } =
        view::BranchIf::of(module, branch).expect("invariant: it was looked at");
    let view::IEqual { left, right } = view::IEqual::of(module, condition).expect("invariant: it was looked at");
    let literal = module.operand(right, view::Constant::SLOT.value);
    let mut build = Builder::new(module);
    build.before(branch);
    build.switch(&[left, false_target, literal, true_target]);
    build.editor().delete(branch);
    true
}
