//! Replaces fences by volatile accesses, for a driver that treats a fence as a work-group barrier.
//!
//! ```text
//! store %p, %x                              store volatile %p, %x
//! memory_barrier %device, …          ⇒
//! %y = load %q                              %y = load volatile %q
//! ```
//!
//! Reason: lavapipe runs the subgroups of a work-group one after another on one thread, each as a coroutine that stops at a barrier. It
//! runs them until *one* of them has ended, since all stop equally often where barriers are in uniform control flow. Mesa 22.3 also stops
//! at a fence, Mesa 25 and 26 at a barrier of a subgroup; both may be in code that only some subgroups execute, or execute as often. Then
//! the stores of the other subgroups after their last stop are lost.
//!
//! One thread has no need of a fence, and the lanes of a subgroup execute each instruction together. Only compilers must not move or
//! combine accesses across it, and they do neither with volatile ones. In a function that loses a fence all accesses to memory that lanes
//! share become volatile. *Requires* `memory_model`. *Preserves* the control-flow graph. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, view};
use spirv::{MemoryAccess, Scope};

use super::Context;
use super::memory_model::with_access;
use super::scalars::scope;

/// Removes fences and barriers of subgroups, and makes the accesses around them volatile, if the driver has this bug. Returns whether
/// anything changed.
///
/// # Errors
/// None.
pub fn volatile_fences(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    if !context.options.driver.quirks().fences_are_barriers {
        return Ok(false);
    }
    let functions: Vec<Function> = module.functions().collect();
    let mut changed = false;
    for function in functions {
        let all: Vec<Inst> = module.blocks(function).flat_map(|block| module.children(block)).collect();
        let (fences, others): (Vec<Inst>, Vec<Inst>) = all.into_iter().partition(|&inst| is_fence(module, inst));
        if fences.is_empty() {
            continue;
        }
        fences.into_iter().for_each(|fence| module.edit().delete(fence));
        for inst in others {
            match module.op(inst) {
                Op::Load => with_access(module, inst, view::Load::SLOT.memory_access, MemoryAccess::VOLATILE),
                Op::Store => with_access(module, inst, view::Store::SLOT.memory_access, MemoryAccess::VOLATILE),
                _ => false,
            };
        }
        changed = true;
    }
    Ok(changed)
}

/// Returns whether an instruction orders accesses without waiting for other subgroups.
fn is_fence(module: &Module, inst: Inst) -> bool {
    match view::ControlBarrier::of(module, inst) {
        Some(barrier) => scope(module, barrier.execution) == Some(Scope::Subgroup),
        None => module.op(inst) == Op::MemoryBarrier,
    }
}
