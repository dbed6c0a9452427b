//! From variables to values: what the transformation left to others.

use std::collections::VecDeque;

use reconverge_analysis::FlowGraph;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Inst, Module, Op, Terminator};
use reconverge_optimize::{dce, promote_variables};
use reconverge_rewrite::{ModuleFacts, OriginalDominance, remove_trivial_parameters, remove_unreachable, repair_ssa};
use rustc_hash::FxHashSet;

use crate::LanesCode;

/// Carries values around blocks that may be skipped, turns variables into values, and folds what was masked for nothing.
///
/// Of variables, only those of the transformation: the store to another one concerns the lanes of the execution mask alone.
pub(super) fn clean_up(module: &mut Module, function: Function, own: &FxHashSet<Inst>) -> Result<(), Diagnostic> {
    remove_unreachable(module, function);
    if repair_ssa(module, function, &OriginalDominance::unknown()).is_err() {
        let message = "values that lanes share need too many block parameters";
        return Err(Diagnostic::new(LanesCode::Limit, function.inst(), message));
    }
    let facts = ModuleFacts::default();
    promote_variables(module, function, &facts, own);
    fold(module, function);
    drop_full_masks(module, function);
    dce(module, function);
    Ok(())
}

/// Removes execution masks of all lanes. A block has one execution mask at most.
fn drop_full_masks(module: &mut Module, function: Function) {
    let insts = module.blocks(function).flat_map(|block| module.children(block));
    let is_full =
        |&inst: &Inst| module.op(inst) == Op::ExecutionMask && module.op(module.operand(inst, 0)) == Op::ConstantTrue;
    let full: Vec<Inst> = insts.filter(is_full).collect();
    full.into_iter().for_each(|inst| module.edit().delete(inst));
}

/// Folds logic with constants and selections with undefined values, and removes parameters that always have one value, until nothing changes.
/// Each step looks at what the one before changed: near-linear in the function.
///
/// A lane that chooses an undefined value had no value there: what it gets is as good as any other.
fn fold(module: &mut Module, function: Function) {
    let flow = FlowGraph::compute(module, function);
    let (order, _) = flow.dominators();
    let blocks: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    let mut insts: VecDeque<Inst> = blocks.iter().flat_map(|&block| module.children(block)).collect();
    let mut parameters: Vec<Inst> = blocks.iter().flat_map(|&block| module.parameters(block).map(Inst::from)).collect();
    while !insts.is_empty() || !parameters.is_empty() {
        while let Some(inst) = insts.pop_front() {
            let value = if module.is_live(inst) { folded(module, inst) } else { None };
            if let Some(value) = value {
                let fed = Fed::by(module, inst);
                module.edit().replace_all_uses(inst, value);
                module.edit().delete(inst);
                insts.extend(fed.insts);
                parameters.extend(fed.parameters);
            }
        }
        parameters.retain(|&parameter| module.is_live(parameter));
        parameters.sort_unstable();
        parameters.dedup();
        let candidates = std::mem::take(&mut parameters);
        let fed: Vec<Fed> = candidates.iter().map(|&parameter| Fed::by(module, parameter)).collect();
        remove_trivial_parameters(module, &candidates);
        for (_, fed) in candidates.iter().zip(fed).filter(|&(&parameter, _)| !module.is_live(parameter)) {
            insts.extend(fed.insts);
            parameters.extend(fed.parameters);
        }
    }
}

/// The users of a value.
struct Fed {
    insts: Vec<Inst>,
    parameters: Vec<Inst>,
}

impl Fed {
    fn by(module: &Module, value: Inst) -> Fed {
        let mut fed = Fed { insts: Vec::new(), parameters: Vec::new() };
        for user in module.uses(value).map(|place| place.user) {
            match module.cast::<Terminator>(user).filter(|&jump| module.arguments(jump).len() > 0) {
                Some(jump) => {
                    let block = module.block_of(user).and_then(|block| module.successors(block).next());
                    let targets = block.into_iter().flat_map(|block| module.parameters(block).map(Inst::from));
                    let passed = targets.zip(module.arguments(jump)).filter(|&(_, argument)| argument == value);
                    fed.parameters.extend(passed.map(|(parameter, _)| parameter));
                }
                None => fed.insts.push(user),
            }
        }
        fed
    }
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
