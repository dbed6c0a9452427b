//! Effects of single instructions that the op alone does not determine: volatile accesses, extended instructions, addresses; and the
//! freedom of each to move ([`motion()`]).

mod motion;
mod own_memory;

use reconverge_ir::view::{self, MemoryAccess};
use reconverge_ir::{Effects, Inst, Module, Op, OpGroup};
use spirv::{OpenclStd100Op, StorageClass};

pub(crate) use motion::is_movable_load;
pub use motion::{Direction, Motion, Occasion, motion, takes_sampled_image};
pub use own_memory::{is_own_memory, is_plain_type};

/// Returns whether an instruction has an observable effect even if its result is not used. Block parameters and variables have none; a
/// store has one.
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

/// Returns whether a lane may execute an instruction and nothing after it.
pub fn may_end(op: Op) -> bool {
    matches!(op.group(), OpGroup::Opaque | OpGroup::Call)
}

/// Returns whether all lanes of a scope must reach an operation together, as for a barrier: early lanes wait for the others. The operations
/// of `GroupNonUniform` involve only the lanes that reach them.
pub fn waits_for_all(op: Op) -> bool {
    matches!(op.group(), OpGroup::ControlBarrier | OpGroup::AsyncCopy | OpGroup::WholeGroup)
}

/// Returns whether an extended instruction may write. Those of the two standard sets write only through pointers, and of those with a
/// pointer operand only the vector loads of `OpenCL.std` read instead.
fn is_extended_effect(module: &Module, inst: Inst) -> bool {
    let Some(view::ExtInst { set, operands, .. }) = view::ExtInst::of(module, inst) else { return true };
    let takes_pointer = || {
        let mut types = operands.iter().filter_map(|operand| module.ty(operand));
        types.any(|ty| module.op(ty) == Op::TypePointer)
    };
    if module.is_instruction_set(set, "GLSL.std.450") {
        return takes_pointer();
    }
    !module.is_instruction_set(set, "OpenCL.std") || takes_pointer() && !is_vector_load(module, inst)
}

/// Returns whether an instruction of `OpenCL.std` loads a vector through a pointer.
fn loads_vector(instruction: OpenclStd100Op) -> bool {
    use OpenclStd100Op::{vload_half, vload_halfn, vloada_halfn, vloadn};
    matches!(instruction, vloadn | vload_half | vload_halfn | vloada_halfn)
}

/// Returns whether an import is one of the two instruction sets with known semantics: they write only through pointers that are operands,
/// and do not keep these.
pub fn is_standard_set(module: &Module, import: Inst) -> bool {
    ["GLSL.std.450", "OpenCL.std"].into_iter().any(|name| module.is_instruction_set(import, name))
}

/// Returns whether an extended instruction loads a vector through a pointer, its last operand except for a number.
pub fn is_vector_load(module: &Module, inst: Inst) -> bool {
    module.opencl_op(inst).is_some_and(loads_vector)
}

/// Returns whether a load, store or copy is volatile.
pub fn is_volatile(module: &Module, inst: Inst) -> bool {
    module.memory_accesses(inst).any(MemoryAccess::is_volatile)
}

/// Returns whether an instruction uses the pointer in its operand 0 only to write through it or to mark its lifetime.
pub fn is_plain_write(module: &Module, inst: Inst) -> bool {
    let writes = matches!(
        module.op(inst),
        Op::Store | Op::CopyMemory | Op::CopyMemorySized | Op::LifetimeStart | Op::LifetimeStop
    );
    writes && !is_volatile(module, inst)
}

/// Returns whether an instruction is a variable of the function that contains it.
pub fn is_local_variable(module: &Module, inst: Inst) -> bool {
    module.is_variable_of(inst, StorageClass::Function)
}
