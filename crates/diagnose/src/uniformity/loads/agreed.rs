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

use reconverge_ir::{Effects, Inst, Module, Op};

/// SPIR-V's numbers.
mod number {
    pub(super) const WORKGROUP_CLASS: u32 = 4;
    pub(super) const WORKGROUP_SCOPE: u32 = 2;
    /// CrossDevice, Device, Workgroup and QueueFamily: scopes that the workgroup is in.
    pub(super) const SCOPES_AROUND: [u32; 4] = [0, 1, 2, 5];
    /// Acquire, Release, AcquireRelease, SequentiallyConsistent.
    pub(super) const ORDER: u32 = 0x1e;
    pub(super) const WORKGROUP_MEMORY: u32 = 0x100;
    /// Memory operands.
    pub(super) const VOLATILE: u32 = 1;
}

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
    let word = |index: usize| module.literal_word(constant_literal(module, module.operand(inst, index))?);
    let (Some(execution), Some(memory), Some(semantics)) = (word(0), word(1), word(2)) else { return false };
    execution == number::WORKGROUP_SCOPE
        && number::SCOPES_AROUND.contains(&memory)
        && semantics & number::ORDER != 0
        && semantics & number::WORKGROUP_MEMORY != 0
}

/// The literal of a constant that is no specialization constant.
fn constant_literal(module: &Module, constant: Inst) -> Option<Inst> {
    (module.op(constant) == Op::Constant).then(|| module.operand(constant, 0))
}

fn is_workgroup_load(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    if !matches!(op, Op::Load | Op::AtomicLoad) {
        return false;
    }
    let is_volatile = op == Op::Load
        && module
            .operands(inst)
            .nth(1)
            .and_then(|mask| module.literal_word(mask))
            .is_some_and(|mask| mask & number::VOLATILE != 0);
    let class = module.ty(module.operand(inst, 0)).filter(|&ty| module.op(ty) == Op::TypePointer);
    let class = class.and_then(|ty| module.literal_word(module.operand(ty, 0)));
    class == Some(number::WORKGROUP_CLASS) && !is_volatile
}

/// Whether an instruction may change memory, itself or in what it calls.
pub(super) fn may_write(op: Op) -> bool {
    op == Op::FunctionCall || op.effects().contains(Effects::WRITES)
}
