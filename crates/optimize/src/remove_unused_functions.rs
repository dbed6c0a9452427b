//! Removes functions that are not reachable from entry points or exports.
//!
//! *Requires* nothing. *Preserves* entry points, exports, and the functions that they reach. *Breaks* nothing.
//!
//! A function is reached if an instruction of a reached function names it, in a call or otherwise. Instructions at module level, such as
//! reflection, count as reached, except debug information, which then records that the function was removed. Linear.

use reconverge_ir::debug_info::DebugSet;
use reconverge_ir::{Function, Module, Op};
use rustc_hash::FxHashSet;

use crate::inline::roots;
use reconverge_rewrite::debug_info::delete_function;

/// Removes the functions that neither entry points nor exported functions reach; none if a module has neither. Returns how many were
/// removed.
pub fn remove_unused_functions(module: &mut Module) -> usize {
    let mut starts: Vec<Function> = roots(module).into_iter().collect();
    starts.sort_unstable_by_key(|function| function.inst().index());
    let others = module.children(module.root()).filter(|&inst| module.op(inst) != Op::Function);
    let described = others.filter(|&inst| DebugSet::of_inst(module, inst).is_none());
    starts.extend(described.flat_map(|inst| module.operands(inst)).filter_map(|named| module.cast::<Function>(named)));
    remove_functions(module, &starts)
}

/// Removes the functions that `starts` do not reach. Returns how many were removed.
pub fn remove_functions(module: &mut Module, starts: &[Function]) -> usize {
    let mut reached: FxHashSet<Function> = starts.iter().copied().collect();
    let mut pending: Vec<Function> = starts.to_vec();
    while let Some(function) = pending.pop() {
        let operands = module.descendants(function).flat_map(|inst| module.operands(inst));
        let named = operands.filter_map(|operand| module.cast::<Function>(operand));
        pending.extend(named.filter(|&named| reached.insert(named)));
    }
    let doomed: Vec<Function> = module.functions().filter(|function| !reached.contains(function)).collect();
    doomed.iter().for_each(|&function| delete_function(module, function));
    doomed.len()
}
