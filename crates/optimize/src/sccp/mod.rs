//! Sparse conditional constant propagation: replaces values that are the same in every run by constants, and removes paths that are never
//! taken.
//!
//! ```text
//! ^entry: branch ^h(%one)                          ^entry: branch ^h(%one)
//! ^h(%x): %c = i_equal %x, %one                    ^h(%x): branch ^a
//!   branch_if %c ^a ^b                       ⇒     ^a: branch ^h(%one)        %x is 1 on every way that is taken
//! ^a: branch ^h(%x)
//! ^b: %y = i_add %x, %one; branch ^h(%y)
//! ```
//!
//! *Requires* nothing. *Preserves* every value and every effect: a branch on a constant takes the same edge for all lanes, so convergence
//! does not change.
//!
//! Wegman and Zadeck 1991, section 3: a value is unseen, known or any; a block is executable once an edge to it is executable; both only
//! move down the lattice (`solve.rs`). A parameter is the meet of its arguments. `analysis::constant_folding` computes operations on
//! constants; specialization constants and undefined values are any.
//!
//! At stage Graph, branches on known conditions become jumps; blocks that become unreachable are removed, and parameters with one remaining
//! value too. At stage Structured, values are replaced, conditions included, and branches are left to `structured::fold_constant_branches`,
//! which edits constructs. Linear in instructions, operands and edges, except for sorting the uses.

mod solve;

use reconverge_ir::{Block, Function, Inst, Module, Op, Stage};

use reconverge_rewrite::constants::{constant_inst, taken};
use reconverge_rewrite::module_facts::ModuleFacts;
use reconverge_rewrite::removal::remove;
use reconverge_rewrite::remove_unreachable::remove_unreachable;
use reconverge_rewrite::substitution::Substitution;
use reconverge_rewrite::trivial_parameters::remove_trivial_parameters;
use solve::Solution;

/// The changes of a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ConstantPropagation {
    /// The number of values that were replaced by constants.
    pub values: usize,
    /// The number of branches that became jumps.
    pub branches: usize,
    /// The number of removed blocks.
    pub blocks: usize,
}

impl ConstantPropagation {
    /// Returns whether anything changed.
    pub fn is_changed(self) -> bool {
        self != ConstantPropagation::default()
    }
}

/// Replaces values that are the same in every run by constants; at stage Graph, removes paths that are never taken.
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

/// Replaces known values by constants. Parameters stay without uses; the other instructions are removed.
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

/// Replaces branches on known conditions by jumps.
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

/// The parameters of executable blocks that have an edge from a block that is not executable.
fn parameters_behind_dead_edges(module: &Module, solution: &Solution) -> Vec<Inst> {
    let loses = |&block: &Block| module.predecessors(block).any(|before| !solution.runs(before));
    let blocks = solution.running().filter(loses);
    blocks.flat_map(|block| module.parameters(block)).map(Inst::from).collect()
}
