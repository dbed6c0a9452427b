//! Loads of workgroup memory between two barriers, without a write between the barriers.
//!
//! ```text
//! control_barrier        all writes before it are visible
//! %x = load %shared      no lane of the workgroup writes now: every lane here is between the same two barriers
//! control_barrier        after it, the memory may be written again
//! ```
//!
//! If the address is the same for all lanes, so is the loaded value. This is WGSL's `workgroupUniformLoad` (section 17.11.4 of the
//! specification) as compilers write it. W01 itself requires that all lanes reach the barriers.

use reconverge_ir::{Effects, Inst, Module, Op, view};
use spirv::{MemorySemantics, Scope, StorageClass};

use crate::vocabulary::is_volatile;

/// Scopes that contain the workgroup.
const AROUND_WORKGROUP: [Scope; 4] = [Scope::CrossDevice, Scope::Device, Scope::Workgroup, Scope::QueueFamily];
/// Semantics that order accesses before a barrier and after it.
const ORDER: MemorySemantics = MemorySemantics::ACQUIRE
    .union(MemorySemantics::RELEASE)
    .union(MemorySemantics::ACQUIRE_RELEASE)
    .union(MemorySemantics::SEQUENTIALLY_CONSISTENT);

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

/// Returns whether all lanes of the workgroup wait there, and their accesses to its memory are complete.
fn is_barrier(module: &Module, inst: Inst) -> bool {
    let Some(barrier) = view::ControlBarrier::of(module, inst) else { return false };
    let scope = |scope| module.constant_word(scope).and_then(Scope::from_u32);
    let Some(semantics) = module.constant_word(barrier.semantics) else { return false };
    let semantics = MemorySemantics::from_bits_retain(semantics);
    scope(barrier.execution) == Some(Scope::Workgroup)
        && scope(barrier.memory).is_some_and(|memory| AROUND_WORKGROUP.contains(&memory))
        && semantics.intersects(ORDER)
        && semantics.contains(MemorySemantics::WORKGROUP_MEMORY)
}

fn is_workgroup_load(module: &Module, inst: Inst) -> bool {
    matches!(module.op(inst), Op::Load | Op::AtomicLoad)
        && view::Access::of(module, inst)
            .is_some_and(|access| module.storage_class(access.pointer) == Some(StorageClass::Workgroup))
        && !is_volatile(module, inst)
}

/// Returns whether an instruction may change memory, itself or in a callee.
pub(super) fn may_write(op: Op) -> bool {
    op == Op::FunctionCall || op.effects().contains(Effects::WRITES)
}
