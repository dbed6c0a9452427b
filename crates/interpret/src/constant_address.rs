//! Constant pointers: addresses of variables, moved and cast, as initializers have them.

use reconverge_ir::{Inst, Op};

use crate::outcome::Fault;
use crate::types::{Kind, TypeId};
use crate::{Interpreter, Pointer, Value};

/// Whether a constant operation is one of these.
pub(crate) fn is_address(op: Op) -> bool {
    let casts = [Op::Bitcast, Op::PtrCastToGeneric, Op::GenericCastToPtr];
    is_chain(op) || casts.contains(&op)
}

fn is_chain(op: Op) -> bool {
    matches!(op, Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::InBoundsPtrAccessChain)
}

/// The value of a constant operation on a pointer, `None` if the first operand is no pointer.
pub(crate) fn evaluate(program: &Interpreter<'_>, op: Op, operands: &[(Inst, Value)]) -> Result<Option<Value>, Fault> {
    let Some(((base, Value::Pointer(pointer)), indices)) = operands.split_first() else { return Ok(None) };
    if !is_chain(op) {
        return Ok(Some(Value::Pointer(*pointer)));
    }
    let module = program.module;
    let pointee = module.ty(*base).and_then(|ty| program.pointee(ty));
    let mut ty = pointee.ok_or_else(|| Fault::malformed("a pointer is expected"))?;
    let mut offset = 0i64;
    let mut indices = indices.iter();
    if matches!(op, Op::PtrAccessChain | Op::InBoundsPtrAccessChain) {
        let size = match program.type_of(*base).and_then(|ty| program.types.kind(ty)) {
            Some(Kind::Pointer { stride: Some(stride), .. }) => *stride,
            _ => program.types.size(ty),
        };
        offset = moved(offset, indices.next(), size)?;
    }
    for index in indices {
        (ty, offset) = element(program, ty, (offset, index))?;
    }
    Ok(Some(Value::Pointer(Pointer { offset: pointer.offset.saturating_add(offset), ..*pointer })))
}

fn element(
    program: &Interpreter<'_>,
    ty: TypeId,
    (offset, index): (i64, &(Inst, Value)),
) -> Result<(TypeId, i64), Fault> {
    match program.types.kind(ty) {
        Some(&Kind::Sequence { element, stride, .. } | &Kind::RuntimeArray { element, stride }) => {
            Ok((element, moved(offset, Some(index), stride)?))
        }
        Some(Kind::Struct(_)) => {
            let member = index.1.as_u64().and_then(|member| program.types.element(ty, member));
            let (member, bytes) = member.ok_or_else(|| Fault::malformed("a struct has no such member"))?;
            Ok((member, offset.saturating_add_unsigned(bytes)))
        }
        _ => Err(Fault::malformed("an access chain into what has no elements")),
    }
}

fn moved(offset: i64, index: Option<&(Inst, Value)>, stride: u64) -> Result<i64, Fault> {
    let index = index.and_then(|(_, index)| index.as_i64());
    let index = index.ok_or_else(|| Fault::malformed("an index that is no integer"))?;
    let bytes = i64::try_from(stride).ok().and_then(|stride| index.checked_mul(stride));
    bytes.and_then(|bytes| offset.checked_add(bytes)).ok_or_else(|| Fault::unsupported("offsets beyond 2^63"))
}
