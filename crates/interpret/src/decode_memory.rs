//! Decoding of what has to do with pointers: offsets and strides come from the types, once.

use reconverge_ir::{Inst, Op};

use crate::code::{Action, Chain, Step};
use crate::decode::Decoder;
use crate::library::Space;
use crate::outcome::Fault;
use crate::types::{Kind, NO_TYPE, TypeId};
use crate::{Value, image};

/// An index no array reaches: arrays of unknown length end at the end of their object.
const NO_LIMIT: u64 = 1 << 62;
/// Storage classes (SPIR-V section 3.2.7).
const STORAGE_WORKGROUP: u32 = 4;
const STORAGE_CROSS_WORKGROUP: u32 = 5;
const STORAGE_FUNCTION: u32 = 7;
/// Memory operands (SPIR-V section 3.2.26).
const MEMORY_ALIGNED: u32 = 2;
const MEMORY_AVAILABLE: u32 = 8;
const MEMORY_VISIBLE: u32 = 16;

/// What an op of the memory class does.
pub(crate) fn action(decoder: &mut Decoder<'_>, inst: Inst, op: Op) -> Result<Action, Fault> {
    match op {
        Op::Variable => {
            decoder.ty = pointee_of(decoder, inst)?;
            decoder.values(inst, 1)?;
            Ok(Action::Variable)
        }
        Op::ImageTexelPointer => image::action(decoder, inst, op),
        Op::Load => {
            decoder.value(decoder.operand(inst, 0)?)?;
            if let Some(Kind::Descriptor(_)) = decoder.program.types.kind(decoder.ty) {
                return Ok(Action::LoadDescriptor);
            }
            Ok(Action::Load(alignments(decoder, inst, 1)[0]))
        }
        Op::Store => {
            let (pointer, value) = (decoder.operand(inst, 0)?, decoder.operand(inst, 1)?);
            decoder.ty = type_of(decoder, value)?;
            decoder.value(pointer)?;
            decoder.value(value)?;
            Ok(Action::Store(alignments(decoder, inst, 2)[0]))
        }
        Op::CopyMemory => {
            decoder.ty = pointee_of(decoder, decoder.operand(inst, 0)?)?;
            leading_values(decoder, inst, 2)?;
            Ok(Action::CopyMemory(alignments(decoder, inst, 2)))
        }
        Op::CopyMemorySized => {
            leading_values(decoder, inst, 3)?;
            Ok(Action::CopyMemorySized(alignments(decoder, inst, 3)))
        }
        Op::LifetimeStart | Op::LifetimeStop => {
            decoder.values(inst, 0)?;
            Ok(Action::Forget)
        }
        Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
            access_chain(decoder, inst, op)
        }
        Op::ArrayLength => array_length(decoder, inst),
        Op::GenericPtrMemSemantics => {
            leading_values(decoder, inst, 1)?;
            Ok(Action::SemanticsOf)
        }
        Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => {
            let size = if op == Op::PtrDiff { element_stride(decoder, decoder.operand(inst, 0)?)? } else { 1 };
            leading_values(decoder, inst, 2)?;
            Ok(Action::ComparePointers(op, size))
        }
        _ => Err(Fault::op(op)),
    }
}

/// What the memory operands from number `first` on promise about addresses: of the target, and of the source of a copy. A copy with one
/// mask promises the same of both.
fn alignments(decoder: &Decoder<'_>, inst: Inst, first: usize) -> [u32; 2] {
    let module = decoder.module();
    let mut operands = module.operands(inst).skip(first);
    let mut next = || {
        let mask = module.literal_word(operands.next()?)?;
        let alignment = if mask & MEMORY_ALIGNED != 0 { module.literal_word(operands.next()?)? } else { 1 };
        let scopes = mask & (MEMORY_AVAILABLE | MEMORY_VISIBLE);
        for _ in 0..scopes.count_ones() {
            operands.next();
        }
        Some(alignment.max(1))
    };
    let target = next().unwrap_or(1);
    [target, next().unwrap_or(target)]
}

fn leading_values(decoder: &mut Decoder<'_>, inst: Inst, count: usize) -> Result<(), Fault> {
    (0..count).try_for_each(|index| decoder.value(decoder.operand(inst, index)?))
}

/// What a conversion that has a pointer in it does; `None` for all others.
pub(crate) fn pointer_conversion(decoder: &mut Decoder<'_>, inst: Inst, op: Op) -> Result<Option<Action>, Fault> {
    let from = type_of(decoder, decoder.operand(inst, 0)?)?;
    let kind = |ty: TypeId| decoder.program.types.kind(ty);
    let action = match (kind(decoder.ty), kind(from)) {
        _ if op == Op::GenericCastToPtrExplicit => {
            let storage = decoder.module().literal_word(decoder.operand(inst, 1)?);
            Action::CastTo(space(storage).ok_or_else(|| Fault::op(op))?)
        }
        (Some(Kind::Pointer { .. }), Some(Kind::Pointer { .. })) => Action::Compute(Op::CopyObject),
        (Some(Kind::Pointer { .. }), Some(Kind::Int(_) | Kind::Sequence { .. })) => Action::IntToPointer,
        (Some(Kind::Int(_) | Kind::Sequence { .. }), Some(Kind::Pointer { .. })) => Action::PointerToInt,
        _ => return Ok(None),
    };
    decoder.value(decoder.operand(inst, 0)?)?;
    Ok(Some(action))
}

/// The address space that a storage class is.
fn space(storage: Option<u32>) -> Option<Space> {
    match storage? {
        STORAGE_WORKGROUP => Some(Space::Local),
        STORAGE_CROSS_WORKGROUP => Some(Space::Global),
        STORAGE_FUNCTION => Some(Space::Private),
        _ => None,
    }
}

/// The size of what a pointer points to.
pub(crate) fn size_of(decoder: &Decoder<'_>, inst: Inst) -> Result<Action, Fault> {
    let size = decoder.program.types.size(pointee_of(decoder, decoder.operand(inst, 0)?)?);
    match decoder.program.types.kind(decoder.ty) {
        Some(&Kind::Int(width)) => Ok(Action::Fixed(Value::int(width, size))),
        _ => Err(Fault::operands(Op::SizeOf)),
    }
}

fn type_of(decoder: &Decoder<'_>, value: Inst) -> Result<TypeId, Fault> {
    decoder.program.type_of(value).ok_or_else(|| Fault::malformed("an operand without a type"))
}

/// The type of what the pointer `value` points to.
pub(crate) fn pointee_of(decoder: &Decoder<'_>, value: Inst) -> Result<TypeId, Fault> {
    let pointee = decoder.module().ty(value).and_then(|ty| decoder.program.pointee(ty));
    pointee.ok_or_else(|| Fault::malformed("a pointer is expected"))
}

/// The size of the elements that a work-group copies to where a pointer points. LLVM's SPIR-V back end (22) has pointers to arrays of
/// them.
pub(crate) fn copied_size(decoder: &Decoder<'_>, pointer: Inst) -> Result<u64, Fault> {
    let (module, program) = (decoder.module(), decoder.program);
    let Some(&Kind::Pointer { mut pointee, .. }) = program.types.kind(type_of(decoder, pointer)?) else {
        return Err(Fault::malformed("a pointer is expected"));
    };
    while module.op(pointee) == Op::TypeArray {
        pointee = module.operand(pointee, 0);
    }
    Ok(program.ty(pointee).map_or(0, |ty| program.types.size(ty)))
}

/// How far it is from what a pointer points to, to the next of the kind.
fn element_stride(decoder: &Decoder<'_>, pointer: Inst) -> Result<u64, Fault> {
    match decoder.program.types.kind(type_of(decoder, pointer)?) {
        Some(Kind::Pointer { stride: Some(stride), .. }) => Ok(*stride),
        _ => Ok(decoder.program.types.size(pointee_of(decoder, pointer)?)),
    }
}

fn access_chain(decoder: &mut Decoder<'_>, inst: Inst, op: Op) -> Result<Action, Fault> {
    let base = decoder.operand(inst, 0)?;
    decoder.value(base)?;
    let mut chain = Chain { offset: 0, steps: Vec::new() };
    let mut ty = pointee_of(decoder, base)?;
    let moves_base = matches!(op, Op::PtrAccessChain | Op::InBoundsPtrAccessChain);
    if moves_base {
        let stride = element_stride(decoder, base)?;
        step(decoder, &mut chain, decoder.operand(inst, 1)?, (stride, None))?;
    }
    let module = decoder.module();
    for index in module.operands(inst).skip(if moves_base { 2 } else { 1 }) {
        ty = match decoder.program.types.kind(ty) {
            Some(Kind::Struct(_)) => {
                let member = constant_index(decoder, index).and_then(|member| u64::try_from(member).ok());
                let member = member.and_then(|member| decoder.program.types.element(ty, member));
                let (member, offset) = member.ok_or_else(|| Fault::malformed("a struct has no such member"))?;
                chain.offset = added(chain.offset, offset)?;
                member
            }
            Some(&Kind::Sequence { element, count, stride }) => {
                // One past the end is a place that a pointer of C may be at.
                let limit = count.saturating_add(u64::from(moves_base));
                step(decoder, &mut chain, index, (stride, Some(limit)))?;
                element
            }
            Some(&Kind::RuntimeArray { element, stride }) => {
                step(decoder, &mut chain, index, (stride, Some(NO_LIMIT)))?;
                element
            }
            _ => return Err(Fault::malformed("an access chain into what has no elements")),
        };
    }
    Ok(Action::Chain(Box::new(chain)))
}

/// Adds an index: to the offset if it is a constant that stays inside, otherwise as a step.
fn step(
    decoder: &mut Decoder<'_>,
    chain: &mut Chain,
    index: Inst,
    (stride, limit): (u64, Option<u64>),
) -> Result<(), Fault> {
    let constant = constant_index(decoder, index);
    let inside = constant.filter(|&index| limit.is_none_or(|limit| index.cast_unsigned() < limit));
    if let Some(offset) = inside.and_then(|index| index.checked_mul(i64::try_from(stride).ok()?)) {
        chain.offset = chain.offset.checked_add(offset).ok_or_else(too_far)?;
        return Ok(());
    }
    decoder.value(index)?;
    chain.steps.push(Step { stride: i64::try_from(stride).map_err(|_| too_far())?, limit });
    Ok(())
}

fn added(offset: i64, bytes: u64) -> Result<i64, Fault> {
    offset.checked_add_unsigned(bytes).ok_or_else(too_far)
}

fn too_far() -> Fault {
    Fault::unsupported("offsets beyond 2^63")
}

fn constant_index(decoder: &Decoder<'_>, index: Inst) -> Option<i64> {
    match decoder.module().op(index).is_constant() {
        true => decoder.program.constant_value(index).ok()?.as_i64(),
        false => None,
    }
}

fn array_length(decoder: &mut Decoder<'_>, inst: Inst) -> Result<Action, Fault> {
    let pointer = decoder.operand(inst, 0)?;
    let ty = pointee_of(decoder, pointer)?;
    let member = decoder.module().literal_word(decoder.operand(inst, 1)?).unwrap_or(u32::MAX);
    let (member, offset) = decoder.program.types.element(ty, u64::from(member)).unwrap_or((NO_TYPE, 0));
    let Some(&Kind::RuntimeArray { stride, .. }) = decoder.program.types.kind(member) else {
        return Err(Fault::malformed("an array of unknown length is expected"));
    };
    decoder.value(pointer)?;
    Ok(Action::ArrayLength { offset, stride: stride.max(1) })
}
