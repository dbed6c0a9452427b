//! Operations of a subgroup.
//!
//! ```text
//! group_all, group_any                      ⇒   group_non_uniform_all, group_non_uniform_any
//! group_broadcast %v, constant              ⇒   group_non_uniform_broadcast
//! group_broadcast %v, %lane                 ⇒   group_non_uniform_shuffle
//! group_i_add …                             ⇒   group_non_uniform_i_add …
//! group_non_uniform_rotate_khr %v, %by      ⇒   group_non_uniform_shuffle %v, (own lane + by) & (size - 1)
//! ```
//!
//! A broadcast from a lane that is not a constant would need the feature `subgroupBroadcastDynamicId`; a shuffle gives the same result
//! without it. The lane that a kernel's operation names must be active, as OpenCL requires. An exclusive scan gives the first lane the
//! identity of 32 bits; for narrow integers, the minimum or maximum with the identity of the narrow type corrects this.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Class, Enumerant, Inst, Module, Op};
use spirv::{BuiltIn, GroupOperation, Scope};

use super::combine::Combine;
use super::narrow::{Extension, narrow, wide_type, widen};
use super::{scope_index, scope_of};
use crate::Context;
use crate::error;
use crate::scalars::{constant_value, convert_unsigned, word};

/// Replaces an operation that only kernels have.
pub(super) fn replace(module: &mut Module, inst: Inst) -> Result<(), Diagnostic> {
    let op = module.op(inst);
    let ty = module.ty(inst).expect("invariant: a group operation has a type");
    let combine = Combine::of(module, inst);
    let operands: Vec<Inst> = module.operands(inst).skip(scope_index(module, inst) + 1).collect();
    let mut build = Builder::new(module);
    build.before(inst);
    let scope = word(&mut build, Scope::Subgroup);
    let value = match (op, combine) {
        (Op::GroupAll, _) => build.group_non_uniform_all(ty, &[scope, operands[0]]),
        (Op::GroupAny, _) => build.group_non_uniform_any(ty, &[scope, operands[0]]),
        (Op::GroupBroadcast, _) => {
            let id = operands[1];
            if build.module().ty(id).is_none_or(|ty| build.module().op(ty) != Op::TypeInt) {
                return Err(error::rejected(inst, "a broadcast in a subgroup whose lane id is not an integer"));
            }
            broadcast(&mut build, ty, [operands[0], id])
        }
        (_, Some(combine)) => reduce(&mut build, ty, combine, [operands[0], operands[1]]),
        _ => unreachable!("the caller asks for group operations of kernels alone"),
    };
    super::replace(&mut build, inst, value);
    reconverge_rewrite::removal::remove(module, inst);
    Ok(())
}

fn broadcast(build: &mut Builder<'_>, ty: Inst, [value, id]: [Inst; 2]) -> Inst {
    let scope = word(build, Scope::Subgroup);
    let u32_type = build.int_type(32);
    let value = widen(build, value, Extension::Zero);
    let wide = wide_type(build, ty);
    let result = match constant_value(build.module(), id) {
        Some(id) => {
            let id = word(build, id as u32);
            build.group_non_uniform_broadcast(wide, &[scope, value, id])
        }
        None => {
            let id = convert_unsigned(build, id, u32_type);
            build.group_non_uniform_shuffle(wide, &[scope, value, id])
        }
    };
    narrow(build, result, ty)
}

fn reduce(build: &mut Builder<'_>, ty: Inst, combine: Combine, [operation, value]: [Inst; 2]) -> Inst {
    let scope = word(build, Scope::Subgroup);
    let is_exclusive = is_exclusive(build.module(), operation);
    let is_boolean = build.module().op(ty) == Op::TypeBool;
    if is_boolean {
        let op = match combine {
            Combine::And => Op::GroupNonUniformLogicalAnd,
            Combine::Or => Op::GroupNonUniformLogicalOr,
            _ => Op::GroupNonUniformLogicalXor,
        };
        return build.emit(op, Some(ty), &[scope, operation, value]);
    }
    let value = widen(build, value, Extension::of(combine));
    let wide = wide_type(build, ty);
    let mut result = build.emit(combine.subgroup_op(), Some(wide), &[scope, operation, value]);
    if is_exclusive && wide != ty && matches!(combine, Combine::SMin | Combine::SMax | Combine::UMin) {
        let identity = combine.identity(build, ty);
        let identity = widen(build, identity, Extension::of(combine));
        result = combine.write(build, wide, [result, identity]);
    }
    narrow(build, result, ty)
}

/// Returns whether the group operation literal is an exclusive scan.
fn is_exclusive(module: &Module, operation: Inst) -> bool {
    module.literal_word(operation) == Some(GroupOperation::ExclusiveScan.word())
}

/// Adapts an operation that shaders also have: narrow types, lanes that are not constants, rotations. Returns whether it changed.
pub(super) fn adapt(module: &mut Module, context: &mut Context, inst: Inst) -> Result<bool, Diagnostic> {
    let op = module.op(inst);
    debug_assert_eq!(op.class(), Class::Group);
    let scoped = op <= Op::GroupNonUniformQuadSwap || op == Op::GroupNonUniformRotateKHR;
    if scoped && scope_of(module, inst) != Some(Scope::Subgroup) {
        return Err(super::other_scope(module, inst));
    }
    let ty = module.ty(inst).expect("invariant: a group operation has a type");
    let operands: Vec<Inst> = module.operands(inst).collect();
    let is_dynamic = op == Op::GroupNonUniformBroadcast && constant_value(module, operands[2]).is_none();
    let Some(index) = value_index(op) else { return Ok(false) };
    let mut build = Builder::new(module);
    build.before(inst);
    let value_type = build.module().ty(operands[index]);
    let is_narrow = value_type.is_some_and(|ty| wide_type(&mut build, ty) != ty);
    let op_changes = is_dynamic || op == Op::GroupNonUniformRotateKHR;
    if !is_narrow && !op_changes {
        return Ok(false);
    }
    let extension = match op {
        Op::GroupNonUniformSMin | Op::GroupNonUniformSMax => Extension::Sign,
        _ => Extension::Zero,
    };
    let result = match op {
        Op::GroupNonUniformBroadcast => broadcast(&mut build, ty, [operands[1], operands[2]]),
        Op::GroupNonUniformRotateKHR => rotate(&mut build, context, ty, &operands),
        _ => {
            let mut operands = operands;
            operands[index] = widen(&mut build, operands[index], extension);
            let wide = wide_type(&mut build, ty);
            let result = build.emit(op, Some(wide), &operands);
            let is_exclusive = is_exclusive(build.module(), operands[1]);
            let minimum = match op {
                Op::GroupNonUniformSMin => Some(Combine::SMin),
                Op::GroupNonUniformSMax => Some(Combine::SMax),
                Op::GroupNonUniformUMin => Some(Combine::UMin),
                _ => None,
            };
            let result = match minimum.filter(|_| is_exclusive) {
                Some(combine) => {
                    let identity = combine.identity(&mut build, ty);
                    let identity = widen(&mut build, identity, extension);
                    combine.write(&mut build, wide, [result, identity])
                }
                None => result,
            };
            narrow(&mut build, result, ty)
        }
    };
    super::replace(&mut build, inst, result);
    reconverge_rewrite::removal::remove(module, inst);
    Ok(true)
}

/// The operand number of the value of an operation.
fn value_index(op: Op) -> Option<usize> {
    match op {
        Op::GroupNonUniformAllEqual
        | Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformBroadcastFirst
        | Op::GroupNonUniformShuffle
        | Op::GroupNonUniformShuffleXor
        | Op::GroupNonUniformShuffleUp
        | Op::GroupNonUniformShuffleDown
        | Op::GroupNonUniformQuadBroadcast
        | Op::GroupNonUniformQuadSwap
        | Op::GroupNonUniformRotateKHR => Some(1),
        _ if Op::GroupNonUniformIAdd <= op && op <= Op::GroupNonUniformBitwiseXor => Some(2),
        _ => None,
    }
}

/// The value of the lane at a distance, modulo the size of the subgroup or cluster, which is a power of two.
fn rotate(build: &mut Builder<'_>, context: &mut Context, ty: Inst, operands: &[Inst]) -> Inst {
    let scope = word(build, Scope::Subgroup);
    let u32_type = build.int_type(32);
    let own = context.found.input_variable(build, BuiltIn::SubgroupLocalInvocationId, u32_type);
    let own = build.load(u32_type, &[own]);
    let by = convert_unsigned(build, operands[2], u32_type);
    let size = match operands.get(3) {
        Some(&cluster) => convert_unsigned(build, cluster, u32_type),
        None => {
            let size = context.found.input_variable(build, BuiltIn::SubgroupSize, u32_type);
            build.load(u32_type, &[size])
        }
    };
    let one = word(build, 1);
    let mask = build.i_sub(u32_type, &[size, one]);
    let sum = build.i_add(u32_type, &[own, by]);
    let inside = build.bitwise_and(u32_type, &[sum, mask]);
    let outside = build.not(u32_type, &[mask]);
    let outside = build.bitwise_and(u32_type, &[own, outside]);
    let lane = build.bitwise_or(u32_type, &[outside, inside]);
    let value = widen(build, operands[1], Extension::Zero);
    let wide = wide_type(build, ty);
    let result = build.group_non_uniform_shuffle(wide, &[scope, value, lane]);
    narrow(build, result, ty)
}
