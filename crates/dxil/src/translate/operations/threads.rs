//! Threads: their numbers, barriers, and the end of a pixel.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::{BuiltIn, Capability, MemorySemantics, Scope};

use super::Call;
use crate::module::view::ShaderKind;
use crate::translate::function::{Body, Translated};

pub(super) fn global_id(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    component(body, call, BuiltIn::GlobalInvocationId)
}

pub(super) fn group_id(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    component(body, call, BuiltIn::WorkgroupId)
}

pub(super) fn local_id(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    component(body, call, BuiltIn::LocalInvocationId)
}

pub(super) fn local_index(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    check_compute(body, call)?;
    let ty = body.shader.int_type(32);
    Ok(Translated::Value(body.built_in(BuiltIn::LocalInvocationIndex, ty)))
}

fn component(body: &mut Body<'_, '_>, call: &Call<'_>, built_in: BuiltIn) -> Result<Translated, Diagnostic> {
    check_compute(body, call)?;
    let (ty, vector) = (body.shader.int_type(32), body.shader.numbers_type(call.overload, 3));
    let Some(index @ 0..=2) = body.known_integer(call.arguments[0]) else {
        return Err(body.invalid(format!("expected the component 0, 1 or 2 for the operation {}", call.row.name)));
    };
    let numbers = body.built_in(built_in, vector);
    Ok(Translated::Value(body.component(ty, numbers, index as u32)))
}

fn check_compute(body: &Body<'_, '_>, call: &Call<'_>) -> Result<(), Diagnostic> {
    match body.shader.kind {
        ShaderKind::Compute => Ok(()),
        kind => Err(body.invalid(format!("expected no operation {} in a {} shader", call.row.name, kind.name()))),
    }
}

/// Bits of the mode of a barrier.
const SYNCHRONIZE: u64 = 1;
const ALL_GROUPS: u64 = 2;
const OWN_GROUP: u64 = 4;
const GROUPSHARED: u64 = 8;

/// A barrier for threads or for memory. Other groups see what is written only where a resource is globally coherent.
pub(super) fn barrier(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let Some(mode) = body.known_integer(call.arguments[0]) else {
        return Err(body.invalid("expected a constant mode of a barrier"));
    };
    let mut semantics = MemorySemantics::empty();
    if mode & (ALL_GROUPS | OWN_GROUP) != 0 {
        semantics |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
    }
    if mode & GROUPSHARED != 0 {
        semantics |= MemorySemantics::WORKGROUP_MEMORY;
    }
    if !semantics.is_empty() {
        semantics |= MemorySemantics::ACQUIRE_RELEASE;
    }
    let reaches_other_groups = mode & ALL_GROUPS != 0
        && body.shader.handles.resources.iter().any(|resource| resource.flags.is_globally_coherent);
    let scope = if reaches_other_groups { Scope::Device } else { Scope::Workgroup };
    let (scope, semantics) = (body.shader.u32(scope as u32), body.shader.u32(semantics.bits()));
    match mode & SYNCHRONIZE != 0 {
        true => {
            check_compute(body, call)?;
            let group = body.shader.u32(Scope::Workgroup as u32);
            body.effect(Op::ControlBarrier, &[group, scope, semantics]);
        }
        false => body.effect(Op::MemoryBarrier, &[scope, semantics]),
    }
    Ok(Translated::Nothing)
}

/// The pixel writes nothing any more, but continues for the derivatives of its neighbours.
pub(super) fn discard(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    if body.shader.kind != ShaderKind::Pixel {
        return Err(body.invalid("expected the operation Discard in pixel shaders alone"));
    }
    body.shader.need(Capability::DemoteToHelperInvocation);
    body.shader.need_extension("SPV_EXT_demote_to_helper_invocation");
    if body.known_integer(call.arguments[0]) == Some(0) {
        return Ok(Translated::Nothing);
    }
    if body.known_integer(call.arguments[0]).is_some() {
        body.effect(Op::DemoteToHelperInvocation, &[]);
        return Ok(Translated::Nothing);
    }
    let condition: Inst = body.value(call.arguments[0])?;
    let join = body.begin_if(condition);
    body.effect(Op::DemoteToHelperInvocation, &[]);
    body.end_if(join);
    Ok(Translated::Nothing)
}
