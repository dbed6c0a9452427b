//! Loads of workgroup memory between two barriers, with nothing between the barriers that writes.
//!
//! ```text
//! control_barrier        all that was written is there
//! %x = load %shared      nobody of the workgroup writes now: whoever comes here is between the same two barriers
//! control_barrier        from here on it may be written again
//! ```
//!
//! If the address is the same for all lanes, so is what they read. This is WGSL's `workgroupUniformLoad` (section 17.11.4 of the
//! specification) as compilers write it. That all lanes come to the barriers is what W01 asks of the barriers themselves.

use reconverge_analysis::constant_word;
use reconverge_ir::{Effects, Inst, Module, Op};

use crate::vocabulary::{is_volatile, scope, semantics, storage, storage_class};

/// The loads, in order. Linear.
pub(super) fn find(module: &Module) -> Vec<Inst> {
    let mut found = Vec::new();
    for block in module.functions().flat_map(|function| module.blocks(function)) {
        let mut waiting: Option<Vec<Inst>> = None;
        for inst in module.children(block) {
            if is_barrier(module, inst) {
                found.extend(waiting.replace(Vec::new()).into_iter().flatten());
            } else if is_workgroup_load(module, inst) {
                waiting.iter_mut().for_each(|loads| loads.push(inst));
            } else if may_write(module.op(inst)) {
                waiting = None;
            }
        }
    }
    found
}

/// Whether all lanes of the workgroup wait there, and what they did to its memory is done.
fn is_barrier(module: &Module, inst: Inst) -> bool {
    if module.op(inst) != Op::ControlBarrier {
        return false;
    }
    let word = |index: usize| constant_word(module, module.operand(inst, index));
    let (Some(execution), Some(memory), Some(order)) = (word(0), word(1), word(2)) else { return false };
    execution == scope::WORKGROUP
        && scope::AROUND_WORKGROUP.contains(&memory)
        && order & semantics::ORDER != 0
        && order & semantics::WORKGROUP_MEMORY != 0
}

fn is_workgroup_load(module: &Module, inst: Inst) -> bool {
    matches!(module.op(inst), Op::Load | Op::AtomicLoad)
        && storage_class(module, module.operand(inst, 0)) == Some(storage::WORKGROUP)
        && !is_volatile(module, inst)
}

/// Whether an instruction may change memory, itself or in what it calls.
pub(super) fn may_write(op: Op) -> bool {
    op == Op::FunctionCall || op.effects().contains(Effects::WRITES)
}
