//! Helper lanes: lanes that execute only for their quad, without visible effects.
//!
//! A lane is a helper lane from the start, if the launch says so, or after `demote_to_helper_invocation`. Its stores, atomic operations and
//! image writes to shared memory have no effect; its loads work, and the result of an atomic operation is undefined. It participates in
//! derivatives and quad operations, and in group operations like every other lane: in Vulkan it is implementation-defined whether helper
//! lanes are active there, and here they are.
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

/// Returns whether writes of a lane to a place have no effect.
pub(crate) fn is_lost(lane: &Lane<'_>, pointer: Pointer) -> bool {
    lane.is_helper && !matches!(pointer.owner, Owner::Lane(_))
}
