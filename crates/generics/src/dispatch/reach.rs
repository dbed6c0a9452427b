//! The functions that a program can run.
//!
//! A walk over calls from the entry points and the exported functions, or from all functions if there are neither. A call of opened code goes to
//! the functions that were found for it so far. Linear.

use reconverge_ir::decoration::LinkageAttributes;
use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::FxHashSet;

use super::flow::Meanings;

/// The functions that can run, in the order of the module.
pub(super) fn functions(module: &Module, meanings: &Meanings) -> Vec<Function> {
    let mut open = roots(module);
    let mut seen: FxHashSet<Function> = open.iter().copied().collect();
    while let Some(function) = open.pop() {
        for inst in module.descendants(function) {
            let dynamic = meanings.get(&inst).into_iter().flatten().copied();
            let called = module.operands(inst).chain(dynamic).filter_map(|operand| module.cast::<Function>(operand));
            open.extend(called.filter(|&function| seen.insert(function)));
        }
    }
    module.functions().filter(|function| seen.contains(function)).collect()
}

/// The instructions of these functions.
pub(super) fn instructions(module: &Module, functions: &[Function]) -> Vec<Inst> {
    functions.iter().flat_map(|&function| module.descendants(function)).collect()
}

fn roots(module: &Module) -> Vec<Function> {
    let entry_points = module.globals().filter(|&inst| module.op(inst) == Op::EntryPoint);
    let entries = entry_points.filter_map(|inst| module.cast(view::EntryPoint::of(module, inst)?.function));
    let is_exported = |function: &Function| module.decorated(*function).find::<LinkageAttributes>().is_some();
    let roots: Vec<Function> = entries.chain(module.functions().filter(is_exported)).collect();
    match roots.is_empty() {
        true => module.functions().collect(),
        false => roots,
    }
}
