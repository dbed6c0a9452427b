//! SPIR-V's numbers, and what several checks ask of single instructions.

use reconverge_ir::{Inst, Module, Op};

/// Addressing models (section 3.4).
pub(crate) mod addressing {
    /// Pointers are no addresses.
    pub(crate) const LOGICAL: u32 = 0;
}

/// Execution models (section 3.3).
pub(crate) mod execution_model {
    pub(crate) const FRAGMENT: u32 = 4;
}

/// Storage classes (section 3.7).
pub(crate) mod storage {
    pub(crate) const WORKGROUP: u32 = 4;
    pub(crate) const PRIVATE: u32 = 6;
    pub(crate) const FUNCTION: u32 = 7;
    /// The same for all lanes.
    pub(crate) const PUSH_CONSTANT: u32 = 9;
}

/// Scopes (section 3.27).
pub(crate) mod scope {
    pub(crate) const WORKGROUP: u32 = 2;
    pub(crate) const SUBGROUP: u32 = 3;
    pub(crate) const INVOCATION: u32 = 4;
    pub(crate) const SHADER_CALL: u32 = 6;
    /// CrossDevice, Device, Workgroup and QueueFamily: scopes that the workgroup is in.
    pub(crate) const AROUND_WORKGROUP: [u32; 4] = [0, 1, WORKGROUP, 5];
}

/// Memory semantics (section 3.25).
pub(crate) mod semantics {
    /// Acquire, Release, AcquireRelease, SequentiallyConsistent.
    pub(crate) const ORDER: u32 = 0x1e;
    pub(crate) const WORKGROUP_MEMORY: u32 = 0x100;
}

/// Memory operands (section 3.26).
const VOLATILE: u32 = 1;

/// The entry points, in order. Linear in what stands at module level: asked once a module.
pub(crate) fn entry_points(module: &Module) -> impl Iterator<Item = Inst> + '_ {
    module.globals().filter(|&global| module.op(global) == Op::EntryPoint)
}

/// The storage class of what a value points to, if it is a pointer.
pub(crate) fn storage_class(module: &Module, pointer: Inst) -> Option<u32> {
    module.literal_word(module.operand(pointer_type(module, pointer)?, 0))
}

fn pointer_type(module: &Module, pointer: Inst) -> Option<Inst> {
    module.ty(pointer).filter(|&ty| module.op(ty) == Op::TypePointer)
}

/// Whether a load must not be taken for another of the same address.
pub(crate) fn is_volatile(module: &Module, load: Inst) -> bool {
    let mask = module.operands(load).nth(1).filter(|_| module.op(load) == Op::Load);
    mask.and_then(|mask| module.literal_word(mask)).is_some_and(|mask| mask & VOLATILE != 0)
}
