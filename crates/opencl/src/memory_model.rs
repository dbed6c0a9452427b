//! Converts barriers, atomics and accesses to the Vulkan memory model.
//!
//! ```text
//! control_barrier %workgroup, %workgroup, 0x110 (seq_cst, local)    ⇒   … 0x6108 (acq_rel, local, make available, make visible)
//! atomic_i_add %p, %cross_device, 0x208 (acq_rel, global), %v       ⇒   … %p, %device, 0x6048, %v
//! load %p Aligned 4                                                 ⇒   load %p Aligned|NonPrivatePointer 4
//! ```
//!
//! *Requires* that pointers are those of Vulkan, and that the scopes of control barriers are constants. *Preserves* the control flow graph.
//! Semantics that OpenCL leaves implicit become explicit (SPIR-V sections 3.25 to 3.27 and "Memory model"; Vulkan specification, "Memory
//! Model" and the rules of "Validation Rules within a Module"):
//!
//! - A memory scope is Device, Workgroup, Subgroup or Invocation. One that is not a constant becomes Device.
//! - Global memory is `UniformMemory`. An order without storage classes means both global and local memory, as does a scope or semantics
//!   that is not a constant. Storage classes without an order have no effect, except in a control barrier, which always orders.
//! - Release makes writes available, acquire makes them visible. All loads and stores of shared memory are `NonPrivatePointer`, so the
//!   orders apply to them.
//! - There is no sequential consistency: it becomes acquire and release. This gives up the single total order of all such operations on
//!   *different* objects; each object still has its modification order.
//! - Fences without an order are removed.
//!
//! With bindings, the memory model is GLSL450, which old devices and WebGPU have: there are neither availability nor private pointers.
//!
//! Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Enumerant, Inst, Module, Op, OperandKind, view};
use spirv::{MemoryAccess, MemorySemantics as Semantics, Scope, StorageClass};

use super::Context;
use super::scalars::{constant_value, scope, word};
use crate::error;

const ACQUIRING: Semantics =
    Semantics::ACQUIRE.union(Semantics::ACQUIRE_RELEASE).union(Semantics::SEQUENTIALLY_CONSISTENT);
const RELEASING: Semantics =
    Semantics::RELEASE.union(Semantics::ACQUIRE_RELEASE).union(Semantics::SEQUENTIALLY_CONSISTENT);
/// Global memory, in Vulkan's and in OpenCL's semantics. Images are buffers.
const GLOBAL: Semantics =
    Semantics::UNIFORM_MEMORY.union(Semantics::CROSS_WORKGROUP_MEMORY).union(Semantics::IMAGE_MEMORY);
/// The storage classes of Vulkan's semantics.
const MEMORY: Semantics = Semantics::UNIFORM_MEMORY.union(Semantics::WORKGROUP_MEMORY);

/// The effect of an instruction on memory order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ordering {
    /// It orders all accesses before it with all after it, whatever its semantics.
    Barrier,
    /// Acquire and release, by its semantics.
    Both,
    /// Acquire only.
    Load,
    /// Release only.
    Store,
}

/// Converts barriers, fences, atomics and accesses to Vulkan's scopes, semantics and memory operands, in every function. Returns whether
/// anything changed.
///
/// # Errors
/// Control barriers of a scope other than work-group and subgroup.
pub fn memory_model(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let has_bindings = context.options.has_bindings();
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let all: Vec<Inst> = blocks.flat_map(|block| module.children(block)).collect();
    let mut changed = false;
    for inst in all {
        changed |= match module.op(inst) {
            Op::ControlBarrier => control_barrier(module, inst)?,
            Op::MemoryBarrier => fence(module, inst),
            Op::Load | Op::Store if has_bindings => false,
            Op::Load => access(module, inst, view::Load::SLOT.memory_access),
            Op::Store => access(module, inst, view::Store::SLOT.memory_access),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => compare_exchange(module, inst),
            Op::AtomicLoad => atomic(module, inst, Ordering::Load),
            Op::AtomicStore | Op::AtomicFlagClear => atomic(module, inst, Ordering::Store),
            op if op.class() == reconverge_ir::Class::Atomic => atomic(module, inst, Ordering::Both),
            _ => false,
        };
        if has_bindings && module.is_live(inst) {
            changed |= without_vulkan_model(module, inst);
        }
    }
    Ok(changed)
}

/// Removes what only Vulkan's memory model has: availability, visibility, and the scope of a queue family.
fn without_vulkan_model(module: &mut Module, inst: Inst) -> bool {
    let added = Semantics::MAKE_AVAILABLE | Semantics::MAKE_VISIBLE | Semantics::VOLATILE;
    let op = module.op(inst);
    let mut words = Vec::new();
    for (index, operand) in module.operands(inst).enumerate() {
        let value = constant_value(module, operand).map(|word| word as u32);
        match (op.operand_kind(index), value) {
            (Some(OperandKind::Semantics), Some(semantics)) => words.push((index, semantics & !added.bits())),
            (Some(OperandKind::Scope), Some(scope)) if scope == Scope::QueueFamily as u32 => {
                words.push((index, Scope::Device as u32));
            }
            _ => {}
        }
    }
    set_words(module, inst, &words)
}

fn control_barrier(module: &mut Module, inst: Inst) -> Result<bool, Diagnostic> {
    let Some(barrier) = view::ControlBarrier::of(module, inst) else { return Ok(false) };
    let execution = scope(module, barrier.execution).filter(|at| matches!(at, Scope::Workgroup | Scope::Subgroup));
    let unsupported = "a control barrier of a scope other than work-group and subgroup";
    let execution = execution.ok_or_else(|| error::unsupported(inst, unsupported))?;
    let memory = memory_scope(module, barrier.memory);
    let semantics = scoped(memory, semantics(module, barrier.semantics, Ordering::Barrier));
    let slot = view::ControlBarrier::SLOT;
    let words = [(slot.execution, execution.word()), (slot.memory, memory.word()), (slot.semantics, semantics.word())];
    Ok(set_words(module, inst, &words))
}

fn fence(module: &mut Module, inst: Inst) -> bool {
    let Some(fence) = view::MemoryBarrier::of(module, inst) else { return false };
    let memory = memory_scope(module, fence.memory);
    let semantics = semantics(module, fence.semantics, Ordering::Both);
    if semantics.is_empty() || memory == Scope::Invocation {
        reconverge_rewrite::removal::remove(module, inst);
        return true;
    }
    let slot = view::MemoryBarrier::SLOT;
    set_words(module, inst, &[(slot.memory, memory.word()), (slot.semantics, semantics.word())])
}

fn atomic(module: &mut Module, inst: Inst, ordering: Ordering) -> bool {
    let Some(atomic) = view::Atomic::of(module, inst) else { return false };
    let memory = memory_scope(module, atomic.memory);
    let semantics = scoped(memory, semantics(module, atomic.semantics, ordering));
    let slot = view::AtomicLoad::SLOT;
    set_words(module, inst, &[(slot.memory, memory.word()), (slot.semantics, semantics.word())])
}

/// The order for unequal values is that of a load, and not stronger than the other.
fn compare_exchange(module: &mut Module, inst: Inst) -> bool {
    let Some(atomic) = view::Atomic::of(module, inst) else { return false };
    let Some(unequal) = atomic.unequal_semantics else { return false };
    let memory = memory_scope(module, atomic.memory);
    let equal = scoped(memory, semantics(module, atomic.semantics, Ordering::Both));
    let unequal = semantics(module, unequal, Ordering::Load);
    let unequal = match equal.intersects(ACQUIRING) && !unequal.is_empty() {
        true => Semantics::ACQUIRE | Semantics::MAKE_VISIBLE | equal & (MEMORY | Semantics::VOLATILE),
        false => unequal & equal & Semantics::VOLATILE,
    };
    let slot = view::AtomicCompareExchange::SLOT;
    let words = [(slot.memory, memory.word()), (slot.equal_semantics, equal.word())];
    set_words(module, inst, &[words[0], words[1], (slot.unequal_semantics, unequal.word())])
}

/// An operation of one lane needs no order.
fn scoped(memory: Scope, semantics: Semantics) -> Semantics {
    if memory == Scope::Invocation { semantics & Semantics::VOLATILE } else { semantics }
}

/// Vulkan's scope for a constant operand.
fn memory_scope(module: &Module, operand: Inst) -> Scope {
    let known = [Scope::Workgroup, Scope::Subgroup, Scope::Invocation, Scope::QueueFamily];
    scope(module, operand).filter(|scope| known.contains(scope)).unwrap_or(Scope::Device)
}

/// Vulkan's semantics for a constant with OpenCL's semantics; the strongest ones for a value that is not a constant.
fn semantics(module: &Module, constant: Inst, ordering: Ordering) -> Semantics {
    let said = constant_value(module, constant).map(|word| Semantics::from_bits_retain(word as u32));
    let said = said.unwrap_or(Semantics::SEQUENTIALLY_CONSISTENT);
    let is_barrier = ordering == Ordering::Barrier && !said.is_empty();
    let acquires = is_barrier || said.intersects(ACQUIRING) && ordering != Ordering::Store;
    let releases = is_barrier || said.intersects(RELEASING) && ordering != Ordering::Load;
    let order = match (acquires, releases) {
        (true, true) => Semantics::ACQUIRE_RELEASE | Semantics::MAKE_AVAILABLE | Semantics::MAKE_VISIBLE,
        (true, false) => Semantics::ACQUIRE | Semantics::MAKE_VISIBLE,
        (false, true) => Semantics::RELEASE | Semantics::MAKE_AVAILABLE,
        (false, false) => return said & Semantics::VOLATILE,
    };
    let mut memory = said & MEMORY;
    memory.set(Semantics::UNIFORM_MEMORY, said.intersects(GLOBAL));
    if memory.is_empty() {
        memory = Semantics::UNIFORM_MEMORY | Semantics::WORKGROUP_MEMORY;
    }
    order | said & Semantics::VOLATILE | memory
}

/// Sets operands to constants with these words.
fn set_words(module: &mut Module, inst: Inst, words: &[(usize, u32)]) -> bool {
    let mut changed = false;
    for &(index, value) in words {
        let constant = word(&mut Builder::new(module), value);
        if module.operand(inst, index) != constant {
            module.edit().set_operand(inst, index, constant);
            changed = true;
        }
    }
    changed
}

/// Makes a load or store of shared memory non-private, so that memory orders apply to it. `slot` is the number of its memory operand.
fn access(module: &mut Module, inst: Inst, slot: usize) -> bool {
    with_access(module, inst, slot, MemoryAccess::NON_PRIVATE_POINTER)
}

/// Adds bits to the memory operand of a load or store of shared memory, which has this number. Returns whether they are new.
pub(super) fn with_access(module: &mut Module, inst: Inst, slot: usize, bits: MemoryAccess) -> bool {
    let class = view::Access::of(module, inst).and_then(|access| module.storage_class(access.pointer));
    let shared = [
        StorageClass::PhysicalStorageBuffer,
        StorageClass::Workgroup,
        StorageClass::StorageBuffer,
        StorageClass::Uniform,
    ];
    let mask = module.memory_access(inst).mask;
    if !class.is_some_and(|class| shared.contains(&class)) || mask.contains(bits) {
        return false;
    }
    let mut operands: Vec<Inst> = module.operands(inst).collect();
    let mut editor = module.edit();
    let wanted = editor.enumerant(mask | bits);
    match operands.get_mut(slot) {
        Some(mask) => *mask = wanted,
        None => operands.push(wanted),
    }
    editor.set_operands(inst, &operands);
    true
}
