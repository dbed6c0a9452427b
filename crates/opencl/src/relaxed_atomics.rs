//! Removes the order of atomics, for a driver that treats every order as a barrier.
//!
//! ```text
//! atomic_i_add %p, %device, 0x6048 (acquire, release, …), %v     ⇒     atomic_i_add %p, %device, 0, %v
//! ```
//!
//! Reason: lavapipe (Mesa 22.3) turns the order of an atomic into a work-group barrier. Subgroups that are not in the same loop then never
//! leave it. Its atomics are always sequentially consistent on the processor, and it runs the subgroups of a work-group one after another
//! on one thread. *Requires* `memory_model`. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Class, Inst, Module, view};

use super::Context;
use super::scalars::{constant_value, word};

/// Removes the order of every atomic, if the driver has this bug. Returns whether anything changed.
///
/// # Errors
/// None.
pub fn relaxed_atomics(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    if !context.options.driver.quirks().orders_are_barriers {
        return Ok(false);
    }
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block));
    let atomics: Vec<Inst> = instructions.filter(|&inst| module.op(inst).class() == Class::Atomic).collect();
    let mut changed = false;
    for atomic in atomics {
        let first = view::AtomicLoad::SLOT.semantics;
        let has_two = view::Atomic::of(module, atomic).is_some_and(|atomic| atomic.unequal_semantics.is_some());
        for index in first..=first + usize::from(has_two) {
            if constant_value(module, module.operand(atomic, index)) != Some(0) {
                let none = word(&mut Builder::new(module), 0);
                module.edit().set_operand(atomic, index, none);
                changed = true;
            }
        }
    }
    Ok(changed)
}
