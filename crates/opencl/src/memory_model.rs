//! Barriers, atomics and accesses in the words of the Vulkan memory model.
//!
//! ```text
//! control_barrier %workgroup, %workgroup, 0x110 (seq_cst, local)    ⇒   … 0x6108 (acq_rel, local, make available, make visible)
//! atomic_i_add %p, %cross_device, 0x208 (acq_rel, global), %v       ⇒   … %p, %device, 0x6048, %v
//! load %p Aligned 4                                                 ⇒   load %p Aligned|NonPrivatePointer 4
//! ```
//!
//! *Requires* that pointers are those of Vulkan, and that the scopes of control barriers are constants. *Preserves* the control flow
//! graph. What OpenCL leaves implicit becomes explicit (SPIR-V sections 3.25 to 3.27 and "Memory model"; Vulkan specification, "Memory
//! Model" and the rules of "Validation Rules within a Module"):
//!
//! - A memory scope is Device, Workgroup, Subgroup or Invocation. One that is no constant becomes Device.
//! - Global memory is `UniformMemory`. Ordering without memory means both global and local memory, as does a scope or semantics that
//!   is no constant. Memory without ordering is no semantics at all, but for a control barrier: there it orders.
//! - Release makes available, acquire makes visible; all loads and stores of shared memory are `NonPrivatePointer`, so they take part.
//! - There is no sequential consistency: it becomes acquire and release. What this gives up is one order of all such operations on
//!   *different* objects that all lanes agree on; each object has its modification order all the same.
//! - Fences that order nothing go.
//!
//! Linear.

use reconverge_ir::{Builder, Inst, Module, Op};
use spirv::{MemoryAccess, MemorySemantics, Scope, StorageClass};

use super::entry_points::class_of;
use super::scalars::{constant_value, word};
use super::{Context, KernelError};

const ACQUIRE: u32 = MemorySemantics::ACQUIRE.bits();
const RELEASE: u32 = MemorySemantics::RELEASE.bits();
const ACQUIRE_RELEASE: u32 = MemorySemantics::ACQUIRE_RELEASE.bits();
const SEQUENTIAL: u32 = MemorySemantics::SEQUENTIALLY_CONSISTENT.bits();
const GLOBAL: u32 = MemorySemantics::UNIFORM_MEMORY.bits();
const OPENCL_GLOBAL: u32 = MemorySemantics::CROSS_WORKGROUP_MEMORY.bits();
const LOCAL: u32 = MemorySemantics::WORKGROUP_MEMORY.bits();
const IMAGE: u32 = MemorySemantics::IMAGE_MEMORY.bits();
const AVAILABLE: u32 = MemorySemantics::MAKE_AVAILABLE.bits();
const VISIBLE: u32 = MemorySemantics::MAKE_VISIBLE.bits();
const VOLATILE: u32 = MemorySemantics::VOLATILE.bits();

/// What an instruction can order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ordering {
    /// Everything before it from everything behind it, whatever it says.
    Barrier,
    /// What it says.
    Both,
    /// Acquire alone.
    Load,
    /// Release alone.
    Store,
}

/// Gives barriers, fences, atomics and accesses Vulkan's scopes, semantics and memory operands, in every function. Whether anything
/// changed.
///
/// # Errors
/// Control barriers of a scope other than work-group and subgroup.
pub fn memory_model(module: &mut Module, _context: &mut Context) -> Result<bool, KernelError> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let all: Vec<Inst> = blocks.flat_map(|block| module.children(block)).collect();
    let mut changed = false;
    for inst in all {
        changed |= match module.op(inst) {
            Op::ControlBarrier => control_barrier(module, inst)?,
            Op::MemoryBarrier => fence(module, inst),
            Op::Load => access(module, inst, 1),
            Op::Store => access(module, inst, 2),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => compare_exchange(module, inst),
            Op::AtomicLoad => atomic(module, inst, Ordering::Load),
            Op::AtomicStore | Op::AtomicFlagClear => atomic(module, inst, Ordering::Store),
            op if op.class() == reconverge_ir::Class::Atomic => atomic(module, inst, Ordering::Both),
            _ => false,
        };
    }
    Ok(changed)
}

fn control_barrier(module: &mut Module, barrier: Inst) -> Result<bool, KernelError> {
    let execution = constant_value(module, module.operand(barrier, 0));
    if ![Scope::Workgroup, Scope::Subgroup].iter().any(|&scope| execution == Some(scope as u64)) {
        return Err(KernelError::unsupported(
            barrier,
            "a control barrier of a scope other than work-group and subgroup",
        ));
    }
    let scope = memory_scope(module, module.operand(barrier, 1));
    let semantics = scoped(scope, semantics(constant_value(module, module.operand(barrier, 2)), Ordering::Barrier));
    let execution = execution.unwrap_or_default() as u32;
    Ok(set_words(module, barrier, &[(0, execution), (1, scope), (2, semantics)]))
}

fn fence(module: &mut Module, fence: Inst) -> bool {
    let scope = memory_scope(module, module.operand(fence, 0));
    let semantics = semantics(constant_value(module, module.operand(fence, 1)), Ordering::Both);
    if semantics == 0 || scope == Scope::Invocation as u32 {
        reconverge_rewrite::removal::remove(module, fence);
        return true;
    }
    set_words(module, fence, &[(0, scope), (1, semantics)])
}

fn atomic(module: &mut Module, atomic: Inst, ordering: Ordering) -> bool {
    let scope = memory_scope(module, module.operand(atomic, 1));
    let semantics = scoped(scope, semantics(constant_value(module, module.operand(atomic, 2)), ordering));
    set_words(module, atomic, &[(1, scope), (2, semantics)])
}

/// The order where the values differ is that of a load, and no stronger than the other.
fn compare_exchange(module: &mut Module, atomic: Inst) -> bool {
    let scope = memory_scope(module, module.operand(atomic, 1));
    let equal = constant_value(module, module.operand(atomic, 2));
    let equal = scoped(scope, semantics(equal, Ordering::Both));
    let unequal = semantics(constant_value(module, module.operand(atomic, 3)), Ordering::Load);
    let unequal = match equal & (ACQUIRE | ACQUIRE_RELEASE) != 0 && unequal != 0 {
        true => ACQUIRE | VISIBLE | equal & (GLOBAL | LOCAL | IMAGE | VOLATILE),
        false => unequal & equal & VOLATILE,
    };
    set_words(module, atomic, &[(1, scope), (2, equal), (3, unequal)])
}

/// Within one lane nothing needs an order.
fn scoped(scope: u32, semantics: u32) -> u32 {
    if scope == Scope::Invocation as u32 { semantics & VOLATILE } else { semantics }
}

/// Vulkan's scope for the constant that an operand is.
fn memory_scope(module: &Module, operand: Inst) -> u32 {
    let known = [Scope::Workgroup, Scope::Subgroup, Scope::Invocation, Scope::QueueFamily];
    let scope = constant_value(module, operand);
    let found = known.into_iter().find(|&known| scope == Some(known as u64));
    found.unwrap_or(Scope::Device) as u32
}

/// Vulkan's semantics for OpenCL's; those of a value that is no constant are the strongest.
fn semantics(word: Option<u64>, ordering: Ordering) -> u32 {
    let word = word.map_or(SEQUENTIAL, |word| word as u32);
    let is_barrier = ordering == Ordering::Barrier && word != 0;
    let acquires = is_barrier || word & (ACQUIRE | ACQUIRE_RELEASE | SEQUENTIAL) != 0 && ordering != Ordering::Store;
    let releases = is_barrier || word & (RELEASE | ACQUIRE_RELEASE | SEQUENTIAL) != 0 && ordering != Ordering::Load;
    let order = match (acquires, releases) {
        (true, true) => ACQUIRE_RELEASE | AVAILABLE | VISIBLE,
        (true, false) => ACQUIRE | VISIBLE,
        (false, true) => RELEASE | AVAILABLE,
        (false, false) => return word & VOLATILE,
    };
    let global = if word & (GLOBAL | OPENCL_GLOBAL) != 0 { GLOBAL } else { 0 };
    let memory = global | word & (LOCAL | IMAGE);
    order | word & VOLATILE | if memory == 0 { GLOBAL | LOCAL } else { memory }
}

/// Makes operands constants of these words.
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

/// Lets a load or store of shared memory take part in what others synchronize. `index` is the number of its memory operand.
fn access(module: &mut Module, inst: Inst, index: usize) -> bool {
    let class = class_of(module, module.operand(inst, 0));
    let shared = [
        StorageClass::PhysicalStorageBuffer,
        StorageClass::Workgroup,
        StorageClass::StorageBuffer,
        StorageClass::Uniform,
    ];
    if !shared.iter().any(|&shared| class == Some(shared as u32)) {
        return false;
    }
    let mask = module.operands(inst).nth(index).and_then(|mask| module.literal_word(mask)).unwrap_or(0);
    let wanted = mask | MemoryAccess::NON_PRIVATE_POINTER.bits();
    if mask == wanted {
        return false;
    }
    let mut operands: Vec<Inst> = module.operands(inst).collect();
    let mut editor = module.edit();
    let wanted = editor.word(wanted);
    match operands.get_mut(index) {
        Some(mask) => *mask = wanted,
        None => operands.push(wanted),
    }
    editor.set_operands(inst, &operands);
    true
}
