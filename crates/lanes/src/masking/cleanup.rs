//! From variables to values: what the transformation left to others.

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Function, Inst, Module, Op};
use reconverge_optimize::{dce, promote_variables};
use reconverge_rewrite::{ModuleFacts, OriginalDominance, remove_trivial_parameters, remove_unreachable, repair_ssa};

use rustc_hash::FxHashSet;

use crate::LanesError;

/// Carries values around blocks that may be skipped, turns variables into values, and folds what was masked for nothing.
///
/// Of variables, only those of the transformation: the store to another one concerns the lanes of the execution mask alone.
pub(super) fn clean_up(module: &mut Module, function: Function, own: &FxHashSet<Inst>) -> Result<(), LanesError> {
    remove_unreachable(module, function);
    repair_ssa(module, function, &OriginalDominance::unknown())?;
    let facts = ModuleFacts::default();
    promote_variables(module, function, &facts, own);
    while fold_masks(module, function) + remove_parameters(module, function) > 0 {}
    dce(module, function);
    Ok(())
}

fn remove_parameters(module: &mut Module, function: Function) -> usize {
    let parameters: Vec<Inst> =
        module.blocks(function).flat_map(|block| module.parameters(block).map(Inst::from)).collect();
    remove_trivial_parameters(module, &parameters)
}

/// Folds logic with constants and selections with undefined values. How many went.
///
/// A lane that chooses an undefined value had no value there: what it gets is as good as any other.
fn fold_masks(module: &mut Module, function: Function) -> usize {
    let flow = FlowGraph::compute(module, function);
    let (order, _) = flow.dominators();
    let blocks: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    let mut gone = 0;
    for block in blocks {
        let insts: Vec<Inst> = module.children(block).collect();
        for inst in insts {
            if let Some(value) = folded(module, inst) {
                module.edit().replace_all_uses(inst, value);
                module.edit().delete(inst);
                gone += 1;
            }
        }
    }
    gone
}

/// The value that an instruction is equal to.
fn folded(module: &Module, inst: Inst) -> Option<Inst> {
    let is = |value: Inst, op: Op| module.op(value) == op;
    let operands: Vec<Inst> = module.operands(inst).collect();
    match (module.op(inst), operands.as_slice()) {
        (Op::LogicalOr, &[left, right]) if is(left, Op::ConstantFalse) || left == right => Some(right),
        (Op::LogicalOr, &[left, right]) if is(right, Op::ConstantFalse) => Some(left),
        (Op::LogicalAnd, &[left, right]) if is(left, Op::ConstantTrue) || left == right => Some(right),
        (Op::LogicalAnd, &[left, right]) if is(right, Op::ConstantTrue) => Some(left),
        (Op::Select, &[_, chosen, other]) if is(other, Op::Undef) || chosen == other => Some(chosen),
        (Op::Select, &[_, chosen, other]) if is(chosen, Op::Undef) => Some(other),
        _ => None,
    }
}
