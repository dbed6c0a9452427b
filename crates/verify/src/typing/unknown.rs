//! Instructions that the op table does not contain (part of T14): the rules that hold for all of them.
//!
//! Extensions define their meaning; but functions and types are never values.

use std::ops::RangeInclusive;

use reconverge_ir::{Class, Inst, Module, Op, view};
use spirv::Op as O;

use super::facts::{BOOL, FLOAT, FLOATS, INT, Kinds, OTHER, POINTER, RAY_QUERY, describe};
use super::rule::Context;
use crate::requirements;

/// A range of opcodes, both ends included.
const fn all(first: O, last: O) -> RangeInclusive<u32> {
    first as u32..=last as u32
}

/// One opcode.
const fn only(op: O) -> RangeInclusive<u32> {
    all(op, op)
}

/// Opcodes with a type operand: untyped variables and pointers, and lengths of cooperative matrices.
const NAMES_TYPES: [RangeInclusive<u32>; 4] = [
    all(O::TypeUntypedPointerKHR, O::UntypedPrefetchKHR),
    all(O::GroupNonUniformQuadAllKHR, O::BufferPointerEXT),
    only(O::CooperativeMatrixLengthNV),
    all(O::TypeBufferSurfaceINTEL, O::TypeStructContinuedINTEL),
];
/// Opcodes with a function operand: those that enqueue kernels and query them, and those that create pointers to functions or call a
/// function for each element of a matrix.
const NAMES_FUNCTIONS: [RangeInclusive<u32>; 5] = [
    all(O::EnqueueKernel, O::RetainEvent),
    all(O::GetKernelLocalSizeForSubgroupCount, O::GetKernelMaxNumSubgroups),
    all(O::CooperativeMatrixReduceNV, O::CooperativeMatrixPerElementOpNV),
    all(O::ConstantFunctionPointerINTEL, O::FunctionPointerCallINTEL),
    all(O::ConditionalEntryPointINTEL, O::ConditionalCopyObjectINTEL),
];
/// Opcodes that compute with numbers only, or with objects of OpenCL: pipes, queues, groups, arithmetic and motion estimation of one
/// vendor.
const OF_VALUES: [RangeInclusive<u32>; 11] = [
    all(O::ReadPipe, O::GroupCommitWritePipe),
    all(O::EnqueueMarker, O::BuildNDRange),
    all(O::GroupIAddNonUniformAMD, O::GroupSMaxNonUniformAMD),
    all(O::SubgroupShuffleINTEL, O::SubgroupImageMediaBlockWriteINTEL),
    all(O::UCountLeadingZerosINTEL, O::UMul32x16INTEL),
    all(O::VmeImageINTEL, O::SubgroupAvcSicGetInterRawSadsINTEL),
    all(O::ArbitraryFloatSinCosPiALTERA, O::ArbitraryFloatPowINTEL),
    all(O::FixedSqrtALTERA, O::PtrCastToCrossWorkgroupALTERA),
    all(O::ConvertFToBF16INTEL, O::ConvertBF16ToFINTEL),
    only(O::ArithmeticFenceEXT),
    all(O::GroupIMulKHR, O::GroupLogicalXorKHR),
];
/// Opcodes whose first operand points to a ray query.
const OF_RAY_QUERIES: [RangeInclusive<u32>; 6] = [
    all(O::RayQueryTerminateKHR, O::RayQueryProceedKHR),
    only(O::RayQueryGetIntersectionTriangleVertexPositionsKHR),
    only(O::RayQueryGetIntersectionClusterIdNV),
    all(O::RayQueryGetIntersectionSpherePositionNV, O::RayQueryGetIntersectionLSSHitValueNV),
    all(O::RayQueryIsSphereHitNV, O::RayQueryIsLSSHitNV),
    all(O::RayQueryGetRayTMinKHR, O::RayQueryGetIntersectionWorldToObjectKHR),
];
/// The results of some of them.
const RESULTS: [(RangeInclusive<u32>, Kinds); 8] = [
    (only(O::RayQueryProceedKHR), BOOL),
    (all(O::HitObjectIsEmptyNV, O::HitObjectIsMissNV), BOOL),
    (all(O::HitObjectIsEmptyEXT, O::HitObjectIsMissEXT), BOOL),
    (only(O::RayQueryGetRayTMinKHR), FLOAT),
    (only(O::RayQueryGetIntersectionTKHR), FLOAT),
    (all(O::RayQueryGetIntersectionInstanceCustomIndexKHR, O::RayQueryGetIntersectionPrimitiveIndexKHR), INT),
    (all(O::RayQueryGetIntersectionFrontFaceKHR, O::RayQueryGetIntersectionCandidateAABBOpaqueKHR), BOOL),
    (all(O::RayQueryGetIntersectionObjectRayDirectionKHR, O::RayQueryGetWorldRayOriginKHR), FLOATS),
];
/// Opcodes whose first operand points to a hit object, by the opcode of its type.
const OF_HIT_OBJECTS: [(RangeInclusive<u32>, O); 5] = [
    (only(O::HitObjectRecordHitMotionNV), O::TypeHitObjectNV),
    (all(O::HitObjectRecordMissMotionNV, O::ReorderThreadWithHitObjectNV), O::TypeHitObjectNV),
    (all(O::HitObjectGetSpherePositionNV, O::HitObjectIsLSSHitNV), O::TypeHitObjectNV),
    (all(O::HitObjectRecordFromQueryEXT, O::HitObjectTraceMotionReorderExecuteEXT), O::TypeHitObjectEXT),
    (all(O::ReorderThreadWithHitObjectEXT, O::HitObjectGetRayTMaxEXT), O::TypeHitObjectEXT),
];

/// The error in an unknown instruction of a function, if there is one.
pub(super) fn problem(context: &Context<'_>, inst: Inst, op: Op) -> Option<String> {
    let module = context.module;
    if op.class() != Class::Opaque {
        return None;
    }
    if module.block_of(inst).is_none() {
        return names_a_local(module, inst)
            .then(|| "a value of a function cannot be used outside the function".to_owned());
    }
    let view::Opaque { opcode, operands } = view::Opaque::of(module, inst)?;
    let is_in = |ranges: &[RangeInclusive<u32>]| ranges.iter().any(|range| range.contains(&opcode));
    let misplaced = operands.iter().find(|&operand| match module.op(operand) {
        Op::Function => !is_in(&NAMES_FUNCTIONS),
        operand => operand.is_type() && !is_in(&NAMES_TYPES),
    });
    if misplaced.is_some() && requirements::knows_instruction(opcode) {
        return Some("the operands should be values, found a type or a function".to_owned());
    }
    if let Some(problem) = object_problem(context, inst, opcode) {
        return Some(problem);
    }
    let is_logical = context.declared.is_whole && context.declared.is_logical();
    let mut types = operands.iter().filter_map(|operand| module.ty(operand)).chain(module.ty(inst));
    (is_logical && is_in(&OF_VALUES) && types.any(|ty| context.types.of(ty).kind == POINTER))
        .then(|| "a logical pointer cannot be an operand or the result of this instruction".to_owned())
}

/// The opcode of an instruction that the op table does not know.
fn opcode(module: &Module, inst: Inst) -> Option<u32> {
    view::Opaque::of(module, inst).map(|unknown| unknown.opcode)
}

/// Returns whether an operand of an instruction is in a function.
pub(super) fn names_a_local(module: &Module, inst: Inst) -> bool {
    let is_inside = |parent: Inst| module.op(parent).is_block() || module.op(parent) == Op::Function;
    module.op(inst).has_result() && module.operands(inst).any(|operand| module.parent(operand).is_some_and(is_inside))
}

/// The error in the ray query or hit object operand of an instruction, if there is one.
fn object_problem(context: &Context<'_>, inst: Inst, number: u32) -> Option<String> {
    let module = context.module;
    let is_of_query = OF_RAY_QUERIES.iter().any(|range| range.contains(&number));
    let hit_object = OF_HIT_OBJECTS.iter().find(|(range, _)| range.contains(&number)).map(|(_, ty)| *ty);
    if !is_of_query && hit_object.is_none() {
        return None;
    }
    let pointer = view::Opaque::of(module, inst)?.operands.first()?;
    let facts = module.ty(pointer).map(|ty| context.types.of(ty));
    let pointee = facts.filter(|facts| facts.kind == POINTER).and_then(|facts| facts.part);
    let is_right = match (hit_object, pointee) {
        (Some(ty), Some(pointee)) => opcode(module, pointee) == Some(ty as u32),
        (None, Some(pointee)) => context.types.of(pointee).kind == RAY_QUERY,
        (_, None) => facts.is_some_and(|facts| facts.kind == OTHER),
    };
    let is_declared = matches!(
        module.op(pointer),
        Op::Variable | Op::FunctionParameter | Op::AccessChain | Op::InBoundsAccessChain | Op::OpaqueTyped
    );
    let kinds = RESULTS.iter().find(|(range, _)| range.contains(&number)).map(|(_, kinds)| *kinds);
    let found = module.ty(inst).map(|ty| context.types.of(ty).kind);
    if let Some(kinds) = kinds.filter(|&kinds| found.is_some_and(|found| found & (kinds | OTHER) == 0)) {
        return Some(format!("the result should be {}", describe(kinds)));
    }
    let what = if is_of_query { "a ray query" } else { "a hit object" };
    (!is_right || !is_declared).then(|| format!("the first operand should be {what} in memory"))
}
