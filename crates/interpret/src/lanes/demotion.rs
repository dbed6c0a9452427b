//! Helper lanes: lanes that execute only for their quad, without effects that others can observe.
//!
//! A lane is one from the start, if the launch says so, or from `demote_to_helper_invocation` on. From then on what it stores, swaps or
//! writes into an image is lost, unless it goes to memory of its own; its loads work, and what an atomic operation gives it is
//! undefined. It takes part in derivatives and quads, and in group operations like every other lane: Vulkan leaves to the
//! implementation whether helper lanes are active there, and here they are.
//!
//! `is_helper_invocation_ext` returns the current state. The built-in variable `HelperInvocation` is updated too; SPIR-V guarantees that
//! only for volatile loads.

use spirv::BuiltIn;

use crate::lanes::frame::Lane;
use crate::memory::Memory;
use crate::types::TypeKind;
use crate::value::Owner;
use crate::{Pointer, Value};

/// Makes a lane a helper lane.
pub(super) fn demote(memory: &mut Memory, lane: &mut Lane<'_>) {
    lane.is_helper = true;
    let program = lane.program;
    for global in program.built_in_variables(BuiltIn::HelperInvocation) {
        if let Some(TypeKind::Bool) = program.types.kind(global.ty) {
            let stored = memory.write(&program.types, global.ty, global.pointer(lane.index), &Value::Bool(true));
            stored.expect("invariant: the variable is there, and a boolean");
        }
    }
}

/// Whether what a lane writes to a place is lost.
pub(crate) fn is_lost(lane: &Lane<'_>, pointer: Pointer) -> bool {
    lane.is_helper && !matches!(pointer.owner, Owner::Lane(_))
}
