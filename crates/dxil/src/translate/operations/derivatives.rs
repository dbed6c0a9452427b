//! Derivatives, which the lanes of a quad compute together.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;
use spirv::Capability;

use super::Call;
use crate::module::view::ShaderKind;
use crate::translate::function::{Body, Translated};
use crate::translate::numbers::Number;

pub(super) fn coarse_x(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    derivative(body, call, Op::DPdxCoarse)
}

pub(super) fn coarse_y(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    derivative(body, call, Op::DPdyCoarse)
}

pub(super) fn fine_x(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    derivative(body, call, Op::DPdxFine)
}

pub(super) fn fine_y(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    derivative(body, call, Op::DPdyFine)
}

/// A derivative of 32 bits; that of a half is computed from one.
fn derivative(body: &mut Body<'_, '_>, call: &Call<'_>, op: Op) -> Result<Translated, Diagnostic> {
    check_stage(body, call)?;
    body.shader.need(Capability::DerivativeControl);
    let (ty, single) = (body.shader.number_type(call.overload), body.shader.number_type(Number::F32));
    let mut value = body.value(call.arguments[0])?;
    if ty != single {
        value = body.emit(Op::FConvert, single, &[value]);
    }
    let mut inst = body.emit(op, single, &[value]);
    if ty != single {
        inst = body.emit(Op::FConvert, ty, &[inst]);
    }
    body.relax_number(inst, call.overload);
    Ok(Translated::Value(inst))
}

/// Derivatives are those of pixels.
pub(super) fn check_stage(body: &Body<'_, '_>, call: &Call<'_>) -> Result<(), Diagnostic> {
    match body.shader.kind {
        ShaderKind::Pixel => Ok(()),
        kind => {
            let (name, number, kind) = (call.row.name, call.row.number, kind.name());
            let message = format!("the operation {name} (number {number}) is not supported in a {kind} shader");
            Err(body.unsupported(message))
        }
    }
}
