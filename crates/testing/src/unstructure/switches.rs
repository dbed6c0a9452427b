//! A switch becomes a chain of branches; a branch on an equality becomes a switch of one case.
//!
//! ```text
//! switch %x ^d 1 ^a 2 ^b      ⇒      branch_if (%x == 1) ^a ^n;   ^n: branch_if (%x == 2) ^b ^d
//! branch_if (%x == 1) ^a ^b   ⇒      switch %x ^b 1 ^a
//! ```

use reconverge_ir::terminator::operand;
use reconverge_ir::{Builder, Function, Inst, Module, Op, Terminator};

use super::surgery::{blocks, pick};
use crate::random::Random;

fn terminators(module: &Module, function: Function, op: Op) -> Vec<Terminator> {
    let terminators = blocks(module, function).into_iter().filter_map(|block| module.terminator(block));
    terminators.filter(|&terminator| module.op(terminator) == op).collect()
}

pub(super) fn switch_to_chain(module: &mut Module, function: Function, random: &mut Random) -> bool {
    let Some(switch) = pick(&terminators(module, function, Op::Switch), random) else { return false };
    let value = module.operand(switch, operand::CONDITION);
    let ty = module.ty(value).expect("invariant: a value has a type");
    let default = module.operand(switch, operand::DEFAULT);
    let cases: Vec<(Inst, Inst)> = module.cases(switch).collect();
    let mut build = Builder::new(module);
    let bool_type = build.bool_type();
    build.before(switch);
    for (index, &(literal, target)) in cases.iter().enumerate() {
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
        let condition = module.operand(branch, operand::CONDITION);
        module.op(condition) == Op::IEqual && module.op(module.operand(condition, 1)) == Op::Constant
    };
    let branches: Vec<Terminator> = terminators(module, function, Op::BranchIf).into_iter().filter(equality).collect();
    let Some(branch) = pick(&branches, random) else { return false };
    let condition = module.operand(branch, operand::CONDITION);
    let value = module.operand(condition, 0);
    let literal = module.operand(module.operand(condition, 1), 0);
    let [yes, no] = [operand::TRUE, operand::FALSE].map(|index| module.operand(branch, index));
    let mut build = Builder::new(module);
    build.before(branch);
    build.switch(&[value, no, literal, yes]);
    build.editor().delete(branch);
    true
}
