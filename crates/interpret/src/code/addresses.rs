//! Decoding of pointer operations: offsets and strides are computed from the types, once.

use reconverge_ir::view::{self, MemoryAccess};
use reconverge_ir::{Inst, Module, Op, Slot, Use};
use spirv::StorageClass;

use crate::Value;
use crate::code::decode::{Decoder, missing};
use crate::code::image;
use crate::code::instruction::{Action, Chain, Step};
use crate::code::library::Space;
use crate::fault::Fault;
use crate::types::{NO_TYPE, TypeId, TypeKind};

/// An index beyond every array: arrays of unknown length end at the end of their object.
const NO_LIMIT: u64 = 1 << 62;

/// The action of an op of the memory class.
pub(crate) fn action(decoder: &mut Decoder<'_>, inst: Inst, op: Op) -> Result<Action, Fault> {
    let module = decoder.module();
    match op {
        Op::Variable => {
            decoder.ty = pointee_of(decoder, inst)?;
            let initializer = view::Variable::of(module, inst).ok_or_else(missing)?.initializer;
            initializer.map_or(Ok(()), |initializer| decoder.value(initializer))?;
            Ok(Action::Variable)
        }
        Op::ImageTexelPointer => image::action(decoder, inst, op),
        Op::Load => {
            let load = view::Load::of(module, inst).ok_or_else(missing)?;
            decoder.value(load.pointer)?;
            if let Some(TypeKind::Descriptor(_)) = decoder.program.types.kind(decoder.ty) {
                return Ok(Action::LoadDescriptor);
            }
            Ok(Action::Load(alignment(load.memory_access)))
        }
        Op::Store => {
            let view::Store { pointer, object, memory_access } = view::Store::of(module, inst).ok_or_else(missing)?;
            decoder.ty = type_of(decoder, object)?;
            values(decoder, [pointer, object])?;
            Ok(Action::Store(alignment(memory_access)))
        }
        Op::CopyMemory => {
            let copy = view::CopyMemory::of(module, inst).ok_or_else(missing)?;
            decoder.ty = pointee_of(decoder, copy.target)?;
            values(decoder, [copy.target, copy.source])?;
            Ok(Action::CopyMemory(alignments(copy.memory_access, copy.source_access)))
        }
        Op::CopyMemorySized => {
            let copy = view::CopyMemorySized::of(module, inst).ok_or_else(missing)?;
            values(decoder, [copy.target, copy.source, copy.size])?;
            let padded = [copy.source, copy.target].into_iter().find_map(|pointer| padded_pointee(decoder, pointer));
            decoder.literals(padded.as_slice());
            Ok(Action::CopyMemorySized(alignments(copy.memory_access, copy.source_access)))
        }
        Op::LifetimeStart | Op::LifetimeStop => {
            decoder.all_values(inst)?;
            Ok(Action::Forget)
        }
        Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
            access_chain(decoder, view::Chain::of(module, inst).ok_or_else(missing)?, is_accessed(module, inst))
        }
        Op::ArrayLength => array_length(decoder, inst),
        Op::GenericPtrMemSemantics => {
            values(decoder, [view::GenericPtrMemSemantics::of(module, inst).ok_or_else(missing)?.pointer])?;
            Ok(Action::SemanticsOf)
        }
        Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => {
            let view::Binary { left, right } = view::Binary::of(module, inst).ok_or_else(missing)?;
            let size = if op == Op::PtrDiff { element_stride(decoder, left)? } else { 1 };
            values(decoder, [left, right])?;
            Ok(Action::ComparePointers(op, size))
        }
        _ => Err(Fault::op(op)),
    }
}

/// The type that a pointer pointed to before it became one to bytes, if the type has padding.
fn padded_pointee(decoder: &Decoder<'_>, mut pointer: Inst) -> Option<TypeId> {
    let module = decoder.module();
    while module.op(pointer) == Op::Bitcast {
        pointer = view::Unary::of(module, pointer)?.operand;
    }
    pointee_of(decoder, pointer).ok().filter(|&ty| decoder.program.types.has_padding(ty))
}

/// The alignment that memory operands state.
fn alignment(access: Option<MemoryAccess>) -> u32 {
    access.and_then(|access| access.alignment).unwrap_or(1).max(1)
}

/// The same for target and source of a copy. One mask applies to both.
fn alignments(target: Option<MemoryAccess>, source: Option<MemoryAccess>) -> [u32; 2] {
    [target, source.or(target)].map(alignment)
}

fn values<const COUNT: usize>(decoder: &mut Decoder<'_>, values: [Inst; COUNT]) -> Result<(), Fault> {
    values.into_iter().try_for_each(|value| decoder.value(value))
}

/// The action of a conversion from or to a pointer; `None` for other conversions.
pub(super) fn pointer_conversion(decoder: &mut Decoder<'_>, inst: Inst, op: Op) -> Result<Option<Action>, Fault> {
    let module = decoder.module();
    let cast = view::GenericCastToPtrExplicit::of(module, inst);
    let operand = match cast {
        Some(cast) => cast.operand,
        None => view::Unary::of(module, inst).ok_or_else(missing)?.operand,
    };
    let from = type_of(decoder, operand)?;
    let kind = |ty: TypeId| decoder.program.types.kind(ty);
    let action = match (kind(decoder.ty), kind(from)) {
        _ if op == Op::GenericCastToPtrExplicit => {
            let storage = cast.and_then(|cast| cast.storage_class);
            Action::CastTo(space(storage).ok_or_else(|| Fault::op(op))?)
        }
        (Some(TypeKind::Pointer { .. }), Some(TypeKind::Pointer { .. })) => Action::Compute(Op::CopyObject),
        (Some(TypeKind::Pointer { .. }), Some(TypeKind::Int(_) | TypeKind::Sequence { .. })) => Action::IntToPointer,
        (Some(TypeKind::Int(_) | TypeKind::Sequence { .. }), Some(TypeKind::Pointer { .. })) => Action::PointerToInt,
        _ => return Ok(None),
    };
    decoder.value(operand)?;
    Ok(Some(action))
}

/// The address space of a storage class.
fn space(storage: Option<StorageClass>) -> Option<Space> {
    match storage? {
        StorageClass::Workgroup => Some(Space::Local),
        StorageClass::CrossWorkgroup => Some(Space::Global),
        StorageClass::Function => Some(Space::Private),
        _ => None,
    }
}

/// The size of the pointee.
pub(crate) fn size_of(decoder: &Decoder<'_>, inst: Inst) -> Result<Action, Fault> {
    let asked = view::SizeOf::of(decoder.module(), inst).ok_or_else(missing)?;
    let size = decoder.program.types.size(pointee_of(decoder, asked.pointer)?);
    match decoder.program.types.kind(decoder.ty) {
        Some(&TypeKind::Int(width)) => Ok(Action::Fixed(Value::int(width, size))),
        _ => Err(Fault::operands(Op::SizeOf)),
    }
}

fn type_of(decoder: &Decoder<'_>, value: Inst) -> Result<TypeId, Fault> {
    decoder.program.type_of(value).ok_or_else(|| Fault::malformed("an operand without a type"))
}

/// The pointee type of the pointer `value`.
pub(crate) fn pointee_of(decoder: &Decoder<'_>, value: Inst) -> Result<TypeId, Fault> {
    let pointee = decoder.module().ty(value).and_then(|ty| decoder.program.pointee(ty));
    pointee.ok_or_else(|| Fault::malformed("a pointer is expected"))
}

/// The type of the elements of a work-group copy, from the target pointer. LLVM's SPIR-V back end (22) uses pointers to arrays of elements.
/// them.
pub(super) fn copied_type(decoder: &Decoder<'_>, pointer: Inst) -> Result<TypeId, Fault> {
    let (module, program) = (decoder.module(), decoder.program);
    let Some(&TypeKind::Pointer { mut pointee, .. }) = program.types.kind(type_of(decoder, pointer)?) else {
        return Err(Fault::malformed("a pointer is expected"));
    };
    while let Some(array) = view::TypeArray::of(module, pointee) {
        pointee = array.element;
    }
    Ok(program.ty(pointee).unwrap_or(NO_TYPE))
}

/// The stride of a pointer's pointee.
fn element_stride(decoder: &Decoder<'_>, pointer: Inst) -> Result<u64, Fault> {
    match decoder.program.types.kind(type_of(decoder, pointer)?) {
        Some(TypeKind::Pointer { stride: Some(stride), .. }) => Ok(*stride),
        _ => Ok(decoder.program.types.size(pointee_of(decoder, pointer)?)),
    }
}

/// Returns whether the pointer is only accessed, and not a value that the program may compare or advance.
fn is_accessed(module: &Module, pointer: Inst) -> bool {
    let is_access = |used: Use| match module.op(used.user) {
        Op::Load => true,
        Op::Store => used.slot == Slot::Operand(view::Store::SLOT.pointer),
        _ => false,
    };
    module.is_used(pointer) && module.uses(pointer).all(is_access)
}

fn access_chain(decoder: &mut Decoder<'_>, view: view::Chain<'_>, is_accessed: bool) -> Result<Action, Fault> {
    let view::Chain { base, element, indexes } = view;
    decoder.value(base)?;
    let mut chain = Chain { offset: 0, steps: Vec::new() };
    let mut ty = pointee_of(decoder, base)?;
    if let Some(element) = element {
        let stride = element_stride(decoder, base)?;
        step(decoder, &mut chain, element, stride, None)?;
    }
    for index in indexes {
        ty = match decoder.program.types.kind(ty) {
            Some(TypeKind::Struct(_)) => {
                let member = constant_index(decoder, index).and_then(|member| u64::try_from(member).ok());
                let member = member.and_then(|member| decoder.program.types.element(ty, member));
                let (member, offset) = member.ok_or_else(|| Fault::malformed("a struct has no such member"))?;
                chain.offset = added(chain.offset, offset)?;
                member
            }
            Some(&TypeKind::Sequence { element: part, count, stride }) => {
                // A pointer in C may point one past the end, but not be used then.
                let limit = count.saturating_add(u64::from(element.is_some() && !is_accessed));
                step(decoder, &mut chain, index, stride, Some(limit))?;
                part
            }
            Some(&TypeKind::RuntimeArray { element: part, stride }) => {
                step(decoder, &mut chain, index, stride, Some(NO_LIMIT))?;
                part
            }
            _ => return Err(Fault::malformed("an access chain into a value without elements")),
        };
    }
    Ok(Action::Chain(Box::new(chain)))
}

/// Adds an index: to the offset if it is constant and in bounds, otherwise as a step.
fn step(
    decoder: &mut Decoder<'_>,
    chain: &mut Chain,
    index: Inst,
    stride: u64,
    limit: Option<u64>,
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
    let view::ArrayLength { structure, member } = view::ArrayLength::of(decoder.module(), inst).ok_or_else(missing)?;
    let ty = pointee_of(decoder, structure)?;
    let (member, offset) = decoder.program.types.element(ty, u64::from(member)).unwrap_or((NO_TYPE, 0));
    let Some(&TypeKind::RuntimeArray { stride, .. }) = decoder.program.types.kind(member) else {
        return Err(Fault::malformed("an array of unknown length is expected"));
    };
    decoder.value(structure)?;
    Ok(Action::ArrayLength { offset, stride: stride.max(1) })
}
