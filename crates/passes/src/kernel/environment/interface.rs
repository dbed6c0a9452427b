//! The interface of an entry point: since SPIR-V 1.4 every variable at module level that its functions use.

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashSet;

use super::notes::reached;
use crate::kernel::entry_points::{entry_points, operand};

/// Empties the interface lists, so that they count as no uses. What they were comes back.
pub(super) fn clear(module: &mut Module) -> Vec<(Inst, Vec<Inst>)> {
    let points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    let points: Vec<Inst> = points.collect();
    let mut lists = Vec::with_capacity(points.len());
    for point in points {
        let operands: Vec<Inst> = module.operands(point).collect();
        let kept = operands.len().min(operand::INTERFACE);
        lists.push((point, operands[kept..].to_vec()));
        module.edit().set_operands(point, &operands[..kept]);
    }
    lists
}

/// Fills the interface lists, in the order of the variables. Whether one of them differs from what it was.
pub(super) fn fill(module: &mut Module, old: &[(Inst, Vec<Inst>)]) -> bool {
    let mut changed = false;
    for point in entry_points(module) {
        let mut used: FxHashSet<Inst> = FxHashSet::default();
        for function in reached(module, vec![point.function]) {
            let instructions = module.blocks(function).flat_map(|block| module.children(block));
            used.extend(instructions.flat_map(|inst| module.operands(inst)));
        }
        let variables = module.globals().filter(|&global| module.op(global) == Op::Variable && used.contains(&global));
        let variables: Vec<Inst> = variables.collect();
        let before = old.iter().find(|(inst, _)| *inst == point.inst).map(|(_, list)| list);
        changed |= before != Some(&variables);
        let operands: Vec<Inst> = module.operands(point.inst).chain(variables).collect();
        module.edit().set_operands(point.inst, &operands);
    }
    changed
}
