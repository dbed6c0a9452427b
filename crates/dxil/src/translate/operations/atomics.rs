//! Atomic operations on resources, and counters of buffers.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::{Capability, Scope};

use super::{Call, buffers, images};
use crate::translate::function::{Body, Translated};
use crate::translate::resources::Storage;

pub(super) fn change(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let Some(number) = body.known_integer(call.arguments[1]) else {
        return Err(body.invalid("expected a constant number of an atomic operation"));
    };
    let op = match number {
        0 => Op::AtomicIAdd,
        1 => Op::AtomicAnd,
        2 => Op::AtomicOr,
        3 => Op::AtomicXor,
        4 => Op::AtomicSMin,
        5 => Op::AtomicSMax,
        6 => Op::AtomicUMin,
        7 => Op::AtomicUMax,
        8 => Op::AtomicExchange,
        number => {
            return Err(body.invalid(format!("expected the number 0 to 8 of an atomic operation, found {number}")));
        }
    };
    let value = call.arguments[5];
    // The coordinates follow the number of the operation.
    let place = Call {
        instruction: call.instruction,
        row: call.row,
        arguments: [0, 2, 3, 4].map(|index| call.arguments[index]).to_vec(),
        overload: call.overload,
    };
    let value = body.value(value)?;
    perform(body, &place, |body, address, ty, order| {
        let (scope, semantics) = order;
        let value = body.reinterpreted(ty, value);
        body.emit(op, ty, &[address, scope, semantics, value])
    })
}

pub(super) fn compare_exchange(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (expected, value) = (body.value(call.arguments[4])?, body.value(call.arguments[5])?);
    perform(body, call, |body, address, ty, order| {
        let (scope, semantics) = order;
        let [value, expected] = [value, expected].map(|number| body.reinterpreted(ty, number));
        body.emit(Op::AtomicCompareExchange, ty, &[address, scope, semantics, semantics, value, expected])
    })
}

/// Performs an operation at the address that a call names. Where it does not exist, the result is zero.
fn perform(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    operation: impl FnOnce(&mut Body<'_, '_>, Inst, Inst, (Inst, Inst)) -> Inst,
) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    let ty = body.shader.number_type(call.overload);
    let mut memory_type = ty;
    if call.overload.width == 64 {
        body.shader.need(Capability::Int64Atomics);
    }
    let (address, exists) = match body.bound(handle).storage {
        Storage::Numbers { .. } => buffers::atomic_place(body, call, handle)?,
        Storage::Image(image) => {
            memory_type = body.shader.component_type(image.component, image.signedness, 1);
            (images::texel_address(body, call, handle, image)?, None)
        }
        _ => return Err(body.invalid("expected a buffer or texture as the resource of an atomic operation")),
    };
    let order = body.atomic_order(Scope::Device);
    let Some(exists) = exists else {
        let old = operation(body, address, memory_type, order);
        return Ok(Translated::Value(body.reinterpreted(ty, old)));
    };
    let result = body.local_variable(ty);
    let zero = body.shader.constant(call.overload, 0);
    body.effect(Op::Store, &[result, zero]);
    let join = body.begin_if(exists);
    let old = operation(body, address, ty, order);
    body.effect(Op::Store, &[result, old]);
    body.end_if(join);
    Ok(Translated::Value(body.emit(Op::Load, ty, &[result])))
}

/// The counter of a buffer goes up or down by one. The result is the index of the element that belongs to the caller now.
pub(super) fn update_counter(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    let Some(counter) = body.bound(handle).counter else {
        return Err(body.invalid("expected a buffer with a counter"));
    };
    let (ty, one) = (body.shader.int_type(32), body.shader.u32(1));
    let address = body.counter_address(counter, handle)?;
    let (scope, semantics) = body.atomic_order(Scope::Device);
    let step = call.constant(body, 1) as u8 as i8;
    Ok(Translated::Value(match step {
        1 => body.emit(Op::AtomicIAdd, ty, &[address, scope, semantics, one]),
        -1 => {
            let old = body.emit(Op::AtomicISub, ty, &[address, scope, semantics, one]);
            body.emit(Op::ISub, ty, &[old, one])
        }
        step => return Err(body.invalid(format!("expected the step 1 or -1 of a counter, found {step}"))),
    }))
}
