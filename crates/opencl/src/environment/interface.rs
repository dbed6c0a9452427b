//! Sets the interface of each entry point: since SPIR-V 1.4 all variables at module level that its functions use, before that its inputs.

use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::Environment;
use super::notes::reached;
use crate::entry_points::entry_points;

/// SPIR-V 1.4.
const ALL_VARIABLES: u32 = 0x0001_0400;

/// Empties the interface lists, so that they do not count as uses. Returns the old lists.
pub(super) fn clear(module: &mut Module) -> Vec<(Inst, Vec<Inst>)> {
    let points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    let points: Vec<Inst> = points.collect();
    let mut lists = Vec::with_capacity(points.len());
    for point in points {
        let operands: Vec<Inst> = module.operands(point).collect();
        let kept = operands.len().min(view::EntryPoint::SLOT.interface);
        lists.push((point, operands[kept..].to_vec()));
        module.edit().set_operands(point, &operands[..kept]);
    }
    lists
}

/// Fills the interface lists, in the order of the variables. Returns whether a list differs from the old one. Linear in the functions that
/// entry points reach, all together, and in the globals.
pub(super) fn fill(module: &mut Module, old: &[(Inst, Vec<Inst>)], environment: Environment) -> bool {
    let old: FxHashMap<Inst, &[Inst]> = old.iter().map(|(point, list)| (*point, list.as_slice())).collect();
    let is_listed = |global| environment.version >= ALL_VARIABLES || module.is_variable_of(global, StorageClass::Input);
    let variables = module.globals().filter(|&global| module.op(global) == Op::Variable && is_listed(global));
    let places: FxHashMap<Inst, usize> = variables.zip(0..).collect();
    let mut used_by: FxHashMap<Function, Vec<Inst>> = FxHashMap::default();
    let mut changed = false;
    for point in entry_points(module) {
        let variables = used_by.entry(point.function).or_insert_with(|| used(module, point.function, &places));
        changed |= old.get(&point.inst) != Some(&variables.as_slice());
        let operands: Vec<Inst> = module.operands(point.inst).chain(variables.iter().copied()).collect();
        module.edit().set_operands(point.inst, &operands);
    }
    changed
}

/// The variables at module level that a function or one of its callees uses.
fn used(module: &Module, function: Function, places: &FxHashMap<Inst, usize>) -> Vec<Inst> {
    let functions = reached(module, vec![function]).into_iter();
    let instructions = functions.flat_map(|function| module.blocks(function)).flat_map(|block| module.children(block));
    let operands = instructions.flat_map(|inst| module.operands(inst));
    let mut used: Vec<(usize, Inst)> = operands.filter_map(|operand| Some((*places.get(&operand)?, operand))).collect();
    used.sort_unstable();
    used.dedup();
    used.into_iter().map(|(_, variable)| variable).collect()
}
