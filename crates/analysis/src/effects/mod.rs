//! What single instructions do, where the op alone does not say: volatile accesses, extended instructions, addresses; and how far
//! each may move ([`motion()`]).

mod motion;
mod own_memory;

use reconverge_ir::{Class, Effects, Inst, Module, Op};

use crate::is_set;

pub(crate) use motion::is_movable_load;
pub use motion::{Direction, Motion, Occasion, motion, takes_sampled_image};
pub use own_memory::{is_own_memory, is_plain_type};

/// SPIR-V's number of the storage class of a function's own variables.
pub const FUNCTION: u32 = 7;

const VOLATILE: u32 = 1;
/// The numbers of `vloadn`, `vload_half`, `vload_halfn` and `vloada_halfn` in `OpenCL.std`.
const VECTOR_LOADS: [u32; 4] = [171, 173, 174, 179];
/// Bits of a memory operand mask that bring an operand along: `Aligned`, `MakePointerAvailable`, `MakePointerVisible`,
/// `AliasScopeINTELMask`, `NoAliasINTELMask`.
pub const WITH_OPERAND: u32 = 2 | 8 | 16 | 0x1_0000 | 0x2_0000;

/// Whether an instruction does something that can be seen although nobody uses its result. Its own block parameters and variables
/// never do; a store does.
pub fn has_effect(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::BlockParameter | Op::FunctionParameter | Op::Variable => false,
        Op::Load => is_volatile(module, inst),
        Op::AtomicLoad => true,
        Op::ExtInst => is_extended_effect(module, inst),
        op => {
            let effects = op.effects();
            [Effects::WRITES, Effects::CONTROL, Effects::STRUCTURE].into_iter().any(|effect| effects.contains(effect))
        }
    }
}

/// Whether a lane may run an instruction and nothing after it.
pub fn may_end(op: Op) -> bool {
    op.class() == Class::Opaque || matches!(op, Op::FunctionCall | Op::TraceRayKHR | Op::ExecuteCallableKHR)
}

/// Whether all lanes of a scope have to come to an operation together, as to a barrier: those that are there wait for the others. The
/// operations of `GroupNonUniform` are for whoever comes.
pub fn waits_for_all(op: Op) -> bool {
    use Op::{
        ControlBarrier, GroupAll, GroupAny, GroupAsyncCopy, GroupBroadcast, GroupFAdd, GroupFMax, GroupFMin, GroupIAdd,
        GroupSMax, GroupSMin, GroupUMax, GroupUMin, GroupWaitEvents,
    };
    matches!(
        op,
        ControlBarrier
            | GroupAsyncCopy
            | GroupWaitEvents
            | GroupAll
            | GroupAny
            | GroupBroadcast
            | GroupIAdd
            | GroupFAdd
            | GroupFMin
            | GroupUMin
            | GroupSMin
            | GroupFMax
            | GroupUMax
            | GroupSMax
    )
}

/// Whether an extended instruction may write. Those of the two standard sets write through pointers alone, and of those that take
/// a pointer only the vector loads of `OpenCL.std` read instead.
fn is_extended_effect(module: &Module, inst: Inst) -> bool {
    let set = module.operand(inst, 0);
    let takes_pointer = || {
        let mut types = module.operands(inst).skip(2).filter_map(|operand| module.ty(operand));
        types.any(|ty| module.op(ty) == Op::TypePointer)
    };
    if is_set(module, set, "GLSL.std.450") {
        return takes_pointer();
    }
    let loads_vector = || {
        let number = module.literal_word(module.operand(inst, 1));
        number.is_some_and(|number| VECTOR_LOADS.contains(&number))
    };
    !is_set(module, set, "OpenCL.std") || takes_pointer() && !loads_vector()
}

/// Whether an import is one of the two sets of instructions whose meaning is known: what they write they write through pointers that
/// are operands, and those they keep to themselves.
pub fn is_standard_set(module: &Module, import: Inst) -> bool {
    ["GLSL.std.450", "OpenCL.std"].into_iter().any(|name| is_set(module, import, name))
}

/// Whether an extended instruction loads a vector through a pointer, its last operand but for a number.
pub fn is_vector_load(module: &Module, inst: Inst) -> bool {
    let set = module.operand(inst, 0);
    let number = module.literal_word(module.operand(inst, 1));
    number.is_some_and(|number| VECTOR_LOADS.contains(&number)) && is_set(module, set, "OpenCL.std")
}

/// Whether a load, store or copy is volatile.
pub fn is_volatile(module: &Module, inst: Inst) -> bool {
    let first = match module.op(inst) {
        Op::Load => 1,
        Op::Store | Op::CopyMemory => 2,
        Op::CopyMemorySized => 3,
        _ => return false,
    };
    // A copy has up to two masks, each with the operands that it brings along.
    let mut index = first;
    while index < module.operand_count(inst) {
        let Some(mask) = module.literal_word(module.operand(inst, index)) else { return false };
        if mask & VOLATILE != 0 {
            return true;
        }
        index += 1 + (mask & WITH_OPERAND).count_ones() as usize;
    }
    false
}

/// Whether an instruction does no more to the pointer that is its operand 0 than to write through it or to say how long it lives.
pub fn is_plain_write(module: &Module, inst: Inst) -> bool {
    let writes = matches!(
        module.op(inst),
        Op::Store | Op::CopyMemory | Op::CopyMemorySized | Op::LifetimeStart | Op::LifetimeStop
    );
    writes && !is_volatile(module, inst)
}

/// Whether the result is a pointer into what operand 0 points into.
pub fn is_derived_pointer(op: Op) -> bool {
    matches!(
        op,
        Op::Bitcast
            | Op::CopyObject
            | Op::AccessChain
            | Op::InBoundsAccessChain
            | Op::PtrAccessChain
            | Op::InBoundsPtrAccessChain
            | Op::PtrCastToGeneric
            | Op::GenericCastToPtr
            | Op::GenericCastToPtrExplicit
    )
}

/// The storage class of a pointer type.
pub fn storage_class(module: &Module, ty: Inst) -> Option<u32> {
    (module.op(ty) == Op::TypePointer).then(|| module.literal_word(module.operand(ty, 0))).flatten()
}

/// Whether an instruction is a variable of the function that it stands in.
pub fn is_local_variable(module: &Module, inst: Inst) -> bool {
    module.op(inst) == Op::Variable && module.literal_word(module.operand(inst, 0)) == Some(FUNCTION)
}
