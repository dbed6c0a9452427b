//! Constant pointers: addresses of variables with offsets and casts, as in initializers, and conversions between them and integers.
//!
//! In constant chains, LLVM's SPIR-V back end (22) counts bytes without the cast to a byte pointer that it emits in functions:
//!
//! ```text
//! %bytes = type_pointer UniformConstant, %u8
//! %table: %words = variable …                                      an array of 32-bit words
//! %third: %bytes = spec_constant_op InBoundsPtrAccessChain, %table, %c0, %c8          &table[2]
//! ```
//!
//! The result type identifies such a chain: a chain whose indexed type is not a byte, but whose result is a byte pointer, has a byte offset
//! if only its last index is not zero.

use reconverge_ir::{Inst, Op};

use crate::code::variable_address::{variable_address, variable_at};
use crate::fault::Fault;
use crate::types::{TypeId, TypeKind};
use crate::{Interpreter, Pointer, Value};

/// The value of a constant operation on or to a pointer; `None` if this is neither. `ty` is the type of its result.
pub(crate) fn evaluate(
    program: &Interpreter<'_>,
    op: Op,
    ty: Inst,
    operands: &[(Inst, Value)],
) -> Result<Option<Value>, Fault> {
    let kind = program.ty(ty).and_then(|ty| program.types.kind(ty));
    let ((base, pointer), indices) = match operands.split_first() {
        Some(((base, Value::Pointer(pointer)), indices)) => ((base, pointer), indices),
        Some((&(_, Value::Int { bits, .. }), [])) if matches!(kind, Some(TypeKind::Pointer { .. })) => {
            let is_there = |pointer: Pointer| program.globals.iter().any(|global| global.pointer(0) == pointer);
            return Ok(Some(Value::Pointer(variable_at(bits, is_there))));
        }
        _ => return Ok(None),
    };
    let integer = match kind {
        Some(&TypeKind::Int(width)) => Some(width),
        _ => None,
    };
    match (op, integer) {
        (Op::ConvertPtrToU | Op::Bitcast, Some(width)) => {
            let address = variable_address(*pointer);
            let address = address.ok_or_else(|| Fault::unsupported("this address as a constant integer"))?;
            Ok(Some(Value::int(width, address)))
        }
        (Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::CopyObject, None) => {
            Ok(Some(Value::Pointer(*pointer)))
        }
        _ if is_chain(op) => {
            let is_byte = |ty: TypeId| matches!(program.types.kind(ty), Some(TypeKind::Int(8)));
            let to_bytes = program.pointee(ty).is_some_and(is_byte);
            let offset = match (end(program, op, *base, indices), indices.split_last()) {
                (Ok((end, offset)), _) if !to_bytes || is_byte(end) => offset,
                (_, Some((last, others))) if to_bytes && others.iter().all(|(_, index)| is_zero(index)) => {
                    moved(0, Some(&last.1), 1)?
                }
                (end, _) => end?.1,
            };
            Ok(Some(Value::Pointer(pointer.advanced(offset))))
        }
        _ => Ok(None),
    }
}

fn is_chain(op: Op) -> bool {
    matches!(op, Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::InBoundsPtrAccessChain)
}

fn is_zero(index: &Value) -> bool {
    index.as_u64() == Some(0)
}

/// The indexed type of a chain, and its offset from the base.
fn end(program: &Interpreter<'_>, op: Op, base: Inst, indices: &[(Inst, Value)]) -> Result<(TypeId, i64), Fault> {
    let pointee = program.module.ty(base).and_then(|ty| program.pointee(ty));
    let mut ty = pointee.ok_or_else(|| Fault::malformed("a pointer is expected"))?;
    let mut offset = 0i64;
    let mut indices = indices.iter().map(|(_, index)| index);
    if matches!(op, Op::PtrAccessChain | Op::InBoundsPtrAccessChain) {
        let size = match program.type_of(base).and_then(|ty| program.types.kind(ty)) {
            Some(TypeKind::Pointer { stride: Some(stride), .. }) => *stride,
            _ => program.types.size(ty),
        };
        offset = moved(offset, indices.next(), size)?;
    }
    for index in indices {
        (ty, offset) = element(program, ty, offset, index)?;
    }
    Ok((ty, offset))
}

fn element(program: &Interpreter<'_>, ty: TypeId, offset: i64, index: &Value) -> Result<(TypeId, i64), Fault> {
    match program.types.kind(ty) {
        Some(&TypeKind::Sequence { element, stride, .. } | &TypeKind::RuntimeArray { element, stride }) => {
            Ok((element, moved(offset, Some(index), stride)?))
        }
        Some(TypeKind::Struct(_)) => {
            let member = index.as_u64().and_then(|member| program.types.element(ty, member));
            let (member, bytes) = member.ok_or_else(|| Fault::malformed("a struct has no such member"))?;
            Ok((member, offset.saturating_add_unsigned(bytes)))
        }
        _ => Err(Fault::malformed("an access chain into a value without elements")),
    }
}

fn moved(offset: i64, index: Option<&Value>, stride: u64) -> Result<i64, Fault> {
    let index = index.and_then(Value::as_i64);
    let index = index.ok_or_else(|| Fault::malformed("an index that is not an integer"))?;
    let bytes = i64::try_from(stride).ok().and_then(|stride| index.checked_mul(stride));
    bytes.and_then(|bytes| offset.checked_add(bytes)).ok_or_else(|| Fault::unsupported("offsets beyond 2^63"))
}
