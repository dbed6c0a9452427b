//! Waves and quads: operations of the lanes that are active together.
//!
//! The lanes that take part depend on control flow, and DXIL does not specify them after a loop or a branch. The structured shader does:
//! lanes are together again at the ends of its selections and loops.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::{BuiltIn, Capability, GroupOperation, Scope};

use super::Call;
use crate::error::AssumptionCode;
use crate::translate::function::{Body, Translated};
use crate::translate::numbers::{Kind, Number};

/// The scope of a wave, after saying what the translation assumes of waves.
fn wave(body: &mut Body<'_, '_>, capability: Capability) -> Inst {
    let message =
        "lanes of a wave are together again where the selections and loops of the output end; DXIL does not say where";
    body.shader.assume(AssumptionCode::WaveConvergence, message);
    body.shader.need(capability);
    body.shader.u32(Scope::Subgroup as u32)
}

pub(super) fn is_first(body: &mut Body<'_, '_>, _: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (scope, ty) = (wave(body, Capability::GroupNonUniform), body.shader.build.bool_type());
    Ok(Translated::Value(body.emit(Op::GroupNonUniformElect, ty, &[scope])))
}

pub(super) fn lane_index(body: &mut Body<'_, '_>, _: &Call<'_>) -> Result<Translated, Diagnostic> {
    Ok(Translated::Value(own_index(body)))
}

fn own_index(body: &mut Body<'_, '_>) -> Inst {
    body.shader.need(Capability::GroupNonUniform);
    let ty = body.shader.int_type(32);
    body.built_in(BuiltIn::SubgroupLocalInvocationId, ty)
}

pub(super) fn lane_count(body: &mut Body<'_, '_>, _: &Call<'_>) -> Result<Translated, Diagnostic> {
    body.shader.need(Capability::GroupNonUniform);
    let ty = body.shader.int_type(32);
    Ok(Translated::Value(body.built_in(BuiltIn::SubgroupSize, ty)))
}

pub(super) fn any(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    vote(body, call, Op::GroupNonUniformAny)
}

pub(super) fn all(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    vote(body, call, Op::GroupNonUniformAll)
}

pub(super) fn all_equal(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    vote(body, call, Op::GroupNonUniformAllEqual)
}

fn vote(body: &mut Body<'_, '_>, call: &Call<'_>, op: Op) -> Result<Translated, Diagnostic> {
    let (scope, ty) = (wave(body, Capability::GroupNonUniformVote), body.shader.build.bool_type());
    let value = exact(body, call)?;
    Ok(Translated::Value(body.emit(op, ty, &[scope, value])))
}

/// The argument, with nothing unspecified in its bits.
fn exact(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Inst, Diagnostic> {
    match body.number_of(call.arguments[0])?.kind {
        Kind::Int => body.unsigned(call.arguments[0]),
        _ => body.value(call.arguments[0]),
    }
}

fn ballot_of(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<(Inst, Inst), Diagnostic> {
    let scope = wave(body, Capability::GroupNonUniformBallot);
    let vector = body.shader.numbers_type(Number::U32, 4);
    let condition = body.value(call.arguments[0])?;
    Ok((scope, body.emit(Op::GroupNonUniformBallot, vector, &[scope, condition])))
}

pub(super) fn ballot(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (_, lanes) = ballot_of(body, call)?;
    let ty = body.shader.int_type(32);
    Ok(Translated::members(&[0, 1, 2, 3].map(|index| body.component(ty, lanes, index))))
}

pub(super) fn count(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    count_by(body, call, GroupOperation::Reduce)
}

pub(super) fn prefix_count(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    count_by(body, call, GroupOperation::ExclusiveScan)
}

fn count_by(body: &mut Body<'_, '_>, call: &Call<'_>, operation: GroupOperation) -> Result<Translated, Diagnostic> {
    let (scope, lanes) = ballot_of(body, call)?;
    let ty = body.shader.int_type(32);
    let operation = body.shader.build.enumerant(operation);
    Ok(Translated::Value(body.emit(Op::GroupNonUniformBallotBitCount, ty, &[scope, operation, lanes])))
}

pub(super) fn read_lane(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.number_type(call.overload);
    let (value, lane) = (body.value(call.arguments[0])?, body.value(call.arguments[1])?);
    let (op, capability) = match body.known_integer(call.arguments[1]) {
        Some(_) => (Op::GroupNonUniformBroadcast, Capability::GroupNonUniformBallot),
        None => (Op::GroupNonUniformShuffle, Capability::GroupNonUniformShuffle),
    };
    let scope = wave(body, capability);
    let inst = body.emit(op, ty, &[scope, value, lane]);
    body.relax_number(inst, call.overload);
    Ok(Translated::Value(inst))
}

pub(super) fn read_first(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (scope, ty) = (wave(body, Capability::GroupNonUniformBallot), body.shader.number_type(call.overload));
    let value = body.value(call.arguments[0])?;
    let inst = body.emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, value]);
    body.relax_number(inst, call.overload);
    Ok(Translated::Value(inst))
}

pub(super) fn reduce(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    combine(body, call, GroupOperation::Reduce)
}

pub(super) fn scan(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    combine(body, call, GroupOperation::ExclusiveScan)
}

/// A sum, product, minimum or maximum over lanes.
fn combine(body: &mut Body<'_, '_>, call: &Call<'_>, operation: GroupOperation) -> Result<Translated, Diagnostic> {
    let is_unsigned = call.constant(body, 2) == 1;
    let (op, is_signed_order) = match (call.constant(body, 1), call.overload.kind) {
        (0, Kind::Int) => (Op::GroupNonUniformIAdd, false),
        (1, Kind::Int) => (Op::GroupNonUniformIMul, false),
        (2, Kind::Int) if is_unsigned => (Op::GroupNonUniformUMin, false),
        (2, Kind::Int) => (Op::GroupNonUniformSMin, true),
        (3, Kind::Int) if is_unsigned => (Op::GroupNonUniformUMax, false),
        (3, Kind::Int) => (Op::GroupNonUniformSMax, true),
        (0, Kind::Float) => (Op::GroupNonUniformFAdd, false),
        (1, Kind::Float) => (Op::GroupNonUniformFMul, false),
        (2, Kind::Float) => (Op::GroupNonUniformFMin, false),
        (3, Kind::Float) => (Op::GroupNonUniformFMax, false),
        (number, _) => {
            return Err(body.invalid(format!("expected the number 0 to 3 of an operation over lanes, found {number}")));
        }
    };
    let value = match (call.overload.kind, is_signed_order) {
        (Kind::Int, true) => body.signed(call.arguments[0])?,
        (Kind::Int, false) => body.unsigned(call.arguments[0])?,
        _ => body.value(call.arguments[0])?,
    };
    group(body, call.overload, op, operation, value)
}

pub(super) fn reduce_bits(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let op = match call.constant(body, 1) {
        0 => Op::GroupNonUniformBitwiseAnd,
        1 => Op::GroupNonUniformBitwiseOr,
        2 => Op::GroupNonUniformBitwiseXor,
        number => {
            return Err(body.invalid(format!("expected the number 0 to 2 of an operation over lanes, found {number}")));
        }
    };
    let value = body.value(call.arguments[0])?;
    group(body, call.overload, op, GroupOperation::Reduce, value)
}

fn group(
    body: &mut Body<'_, '_>,
    number: Number,
    op: Op,
    operation: GroupOperation,
    value: Inst,
) -> Result<Translated, Diagnostic> {
    let (scope, ty) = (wave(body, Capability::GroupNonUniformArithmetic), body.shader.number_type(number));
    let operation = body.shader.build.enumerant(operation);
    let inst = body.emit(op, ty, &[scope, operation, value]);
    body.relax_number(inst, number);
    Ok(Translated::Value(inst))
}

/// A value of a lane of the quad. An index that is no constant reads the lane by its number in the wave.
pub(super) fn quad_read(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.number_type(call.overload);
    let (value, index) = (body.value(call.arguments[0])?, body.value(call.arguments[1])?);
    let inst = match body.known_integer(call.arguments[1]) {
        Some(_) => {
            let scope = wave(body, Capability::GroupNonUniformQuad);
            body.emit(Op::GroupNonUniformQuadBroadcast, ty, &[scope, value, index])
        }
        None => {
            let scope = wave(body, Capability::GroupNonUniformShuffle);
            let (u32_type, mask) = (body.shader.int_type(32), body.shader.u32(!3));
            let own = own_index(body);
            let first = body.emit(Op::BitwiseAnd, u32_type, &[own, mask]);
            let lane = body.emit(Op::IAdd, u32_type, &[first, index]);
            body.emit(Op::GroupNonUniformShuffle, ty, &[scope, value, lane])
        }
    };
    body.relax_number(inst, call.overload);
    Ok(Translated::Value(inst))
}

/// The value of the neighbour in x (0), in y (1), or in both (2).
pub(super) fn quad_swap(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (scope, ty) = (wave(body, Capability::GroupNonUniformQuad), body.shader.number_type(call.overload));
    let value = body.value(call.arguments[0])?;
    let direction @ 0..=2 = call.constant(body, 1) else {
        return Err(body.invalid("expected the direction 0, 1 or 2 of the operation QuadOp"));
    };
    let direction = body.shader.u32(direction as u32);
    let inst = body.emit(Op::GroupNonUniformQuadSwap, ty, &[scope, value, direction]);
    body.relax_number(inst, call.overload);
    Ok(Translated::Value(inst))
}

/// Computes whether a condition holds in any (0) or all (1) lanes of the quad.
pub(super) fn quad_vote(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let op = match call.constant(body, 1) {
        0 => Op::LogicalOr,
        1 => Op::LogicalAnd,
        number => return Err(body.invalid(format!("expected the number 0 or 1 of a vote of a quad, found {number}"))),
    };
    let (scope, ty) = (wave(body, Capability::GroupNonUniformQuad), body.shader.build.bool_type());
    let mut value = body.value(call.arguments[0])?;
    for direction in 0..2 {
        let direction = body.shader.u32(direction);
        let other = body.emit(Op::GroupNonUniformQuadSwap, ty, &[scope, value, direction]);
        value = body.emit(op, ty, &[value, other]);
    }
    Ok(Translated::Value(value))
}

/// The lanes that have the same value, as a mask. In each round the lanes that have the value of the first lane find each other and leave.
///
/// ```text
/// do { first = readFirstLane(value); same = ballot(value == first); } while (value != first);
/// ```
pub(super) fn matching(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (scope, bool_type) = (wave(body, Capability::GroupNonUniformBallot), body.shader.build.bool_type());
    let vector = body.shader.numbers_type(Number::U32, 4);
    // Bits are compared, so that NaN equals itself.
    let value = exact(body, call)?;
    let bits = if call.overload.is_float() { Number::int(call.overload.represented) } else { call.overload };
    let ty = body.shader.number_type(bits);
    let value = body.reinterpreted(ty, value);
    let result = body.local_variable(vector);
    let header = body.begin_loop();
    let first = body.emit(Op::GroupNonUniformBroadcastFirst, ty, &[scope, value]);
    let equal = if call.overload == Number::BOOL { Op::LogicalEqual } else { Op::IEqual };
    let is_equal = body.emit(equal, bool_type, &[value, first]);
    let lanes = body.emit(Op::GroupNonUniformBallot, vector, &[scope, is_equal]);
    let join = body.begin_if(is_equal);
    body.effect(Op::Store, &[result, lanes]);
    body.end_if(join);
    body.end_loop(header, is_equal);
    let lanes = body.emit(Op::Load, vector, &[result]);
    let word = body.shader.int_type(32);
    Ok(Translated::members(&[0, 1, 2, 3].map(|index| body.component(word, lanes, index))))
}

pub(super) fn multi_prefix(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let op = match (call.constant(body, 5), call.overload.kind) {
        (0, Kind::Int) => Op::GroupNonUniformIAdd,
        (0, Kind::Float) => Op::GroupNonUniformFAdd,
        (1, Kind::Int) => Op::GroupNonUniformBitwiseAnd,
        (2, Kind::Int) => Op::GroupNonUniformBitwiseOr,
        (3, Kind::Int) => Op::GroupNonUniformBitwiseXor,
        (4, Kind::Int) => Op::GroupNonUniformIMul,
        (4, Kind::Float) => Op::GroupNonUniformFMul,
        (number, _) => {
            return Err(body.invalid(format!("expected the number 0 to 4 of an operation over lanes, found {number}")));
        }
    };
    let scope = wave(body, Capability::GroupNonUniformArithmetic);
    let value = exact(body, call)?;
    let scan = body.shader.build.enumerant(GroupOperation::ExclusiveScan);
    by_mask(body, call, call.overload, move |body, ty| body.emit(op, ty, &[scope, scan, value]))
}

pub(super) fn multi_prefix_count(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let scope = wave(body, Capability::GroupNonUniformBallot);
    let (vector, condition) = (body.shader.numbers_type(Number::U32, 4), body.value(call.arguments[0])?);
    let scan = body.shader.build.enumerant(GroupOperation::ExclusiveScan);
    by_mask(body, call, Number::U32, move |body, ty| {
        let lanes = body.emit(Op::GroupNonUniformBallot, vector, &[scope, condition]);
        body.emit(Op::GroupNonUniformBallotBitCount, ty, &[scope, scan, lanes])
    })
}

/// An operation of the lanes that have the same mask. In each round those with the mask of the first lane perform it, and then leave.
fn by_mask(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    number: Number,
    operation: impl FnOnce(&mut Body<'_, '_>, Inst) -> Inst,
) -> Result<Translated, Diagnostic> {
    let scope = wave(body, Capability::GroupNonUniformBallot);
    let (ty, word, bool_type) =
        (body.shader.number_type(number), body.shader.int_type(32), body.shader.build.bool_type());
    let result = body.local_variable(ty);
    let mut masks = Vec::with_capacity(4);
    for &argument in &call.arguments[1..5] {
        masks.push(body.value(argument)?);
    }
    let header = body.begin_loop();
    let mut is_equal: Option<Inst> = None;
    for mask in masks {
        let first = body.emit(Op::GroupNonUniformBroadcastFirst, word, &[scope, mask]);
        let equal = body.emit(Op::IEqual, bool_type, &[mask, first]);
        is_equal = Some(match is_equal {
            None => equal,
            Some(before) => body.emit(Op::LogicalAnd, bool_type, &[before, equal]),
        });
    }
    let is_equal = is_equal.expect("invariant: a mask has four words");
    let join = body.begin_if(is_equal);
    let value = operation(body, ty);
    body.effect(Op::Store, &[result, value]);
    body.end_if(join);
    body.end_loop(header, is_equal);
    let inst = body.emit(Op::Load, ty, &[result]);
    body.relax_number(inst, number);
    Ok(Translated::Value(inst))
}
