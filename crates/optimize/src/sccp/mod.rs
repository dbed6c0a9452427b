//! Sparse conditional constant propagation: values that are the same in every run become constants, and paths that no run takes are
//! removed.
//!
//! ```text
//! ^entry: branch ^h(%one)                          ^entry: branch ^h(%one)
//! ^h(%x): %c = i_equal %x, %one                    ^h(%x): branch ^a
//!   branch_if %c ^a ^b                       ⇒     ^a: branch ^h(%one)        %x is 1 on every way that is taken
//! ^a: branch ^h(%x)
//! ^b: %y = i_add %x, %one; branch ^h(%y)
//! ```
//!
//! *Requires* nothing. *Preserves* every value and every effect: a branch on a constant sends all lanes the same way, so convergence does
//! not change.
//!
//! Wegman and Zadeck 1991, section 3: a value is unseen, known or any; a block is executable once an edge to it is taken; both only move
//! down the lattice (`solve.rs`). Arguments are joined in the parameter. `analysis::constant_folding` computes operations on constants;
//! specialization constants and undefined values are any.
//!
//! At stage Graph branches with a known condition become jumps, what is unreachable then goes, and so do the parameters that have one value
//! because of it. At stage Structured the values are replaced, conditions among them, and branches are left to
//! `structured::fold_constant_branches`, which knows constructs. Linear in instructions, operands and edges, except for a sort of the uses.

mod solve;

use reconverge_ir::{Block, Function, Inst, Module, Op, Stage};

use reconverge_rewrite::constants::{constant_inst, taken};
use reconverge_rewrite::module_facts::ModuleFacts;
use reconverge_rewrite::removal::remove;
use reconverge_rewrite::remove_unreachable::remove_unreachable;
use reconverge_rewrite::substitution::Substitution;
use reconverge_rewrite::trivial_parameters::remove_trivial_parameters;
use solve::Solution;

/// What became of a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ConstantPropagation {
    /// Values in whose place there are constants now.
    pub values: usize,
    /// Branches that are jumps now.
    pub branches: usize,
    /// Blocks that are gone.
    pub blocks: usize,
}

impl ConstantPropagation {
    /// Whether anything is different now.
    pub fn is_changed(self) -> bool {
        self != ConstantPropagation::default()
    }
}

/// Replaces values that are the same in every run by constants; at stage Graph, removes the ways that no run takes.
pub fn sccp(module: &mut Module, function: Function) -> ConstantPropagation {
    let solution = Solution::compute(module, function);
    let values = write_constants(module, function, &solution);
    if module.stage(function) == Stage::Structured {
        return ConstantPropagation { values, ..ConstantPropagation::default() };
    }
    let branches = fold_branches(module, &solution);
    let candidates = parameters_behind_dead_edges(module, &solution);
    let blocks = if branches > 0 { remove_unreachable(module, function) } else { 0 };
    let narrowed = remove_trivial_parameters(module, &candidates);
    ConstantPropagation { values: values + narrowed, branches, blocks }
}

/// Puts constants in the place of what is known. Parameters stay, without users; the other instructions go.
fn write_constants(module: &mut Module, function: Function, solution: &Solution) -> usize {
    let mut substitution = Substitution::default();
    let (facts, mut doomed) = (ModuleFacts::default(), Vec::new());
    let mut values = 0;
    for (inst, constant) in solution.known() {
        let is_parameter = module.op(inst) == Op::BlockParameter;
        let ty = module.ty(inst).expect("invariant: a value has a type");
        if facts.is_for_storage(module, ty) {
            continue;
        }
        if module.is_used(inst) {
            let by = constant_inst(module, ty, constant);
            substitution.insert(inst, by);
        } else if is_parameter {
            continue;
        }
        values += 1;
        if !is_parameter {
            doomed.push(inst);
        }
    }
    substitution.write(module, function);
    doomed.into_iter().for_each(|inst| remove(module, inst));
    values
}

/// Makes jumps of branches whose condition is known.
fn fold_branches(module: &mut Module, solution: &Solution) -> usize {
    let mut branches = 0;
    for block in solution.running() {
        let Some(terminator) = module.terminator(block) else { continue };
        let condition = solution.condition(module, terminator);
        if let Some(index) = taken(module, terminator, condition) {
            let target = module.operand(terminator, index);
            module.edit().replace_terminator(block, Op::Branch, &[target]);
            branches += 1;
        }
    }
    branches
}

/// The parameters of blocks that run, into which a block leads that does not.
fn parameters_behind_dead_edges(module: &Module, solution: &Solution) -> Vec<Inst> {
    let loses = |&block: &Block| module.predecessors(block).any(|before| !solution.runs(before));
    let blocks = solution.running().filter(loses);
    blocks.flat_map(|block| module.parameters(block)).map(Inst::from).collect()
}
