//! What variables hold: made up by type, or from the bytes of a buffer and back.
//!
//! Recursive over types, which nest as deep as a program writes them down.

use reconverge_interpret::Value;
use reconverge_ir::decoration::Offset;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module};
use spirv::StorageClass;

use crate::random::Random;

/// How many elements an array of unknown length gets.
const RUNTIME_LENGTH: usize = 64;
/// How many elements an array may have.
const LENGTH_LIMIT: usize = 1 << 20;

/// A value of a type: small numbers mostly, since programs branch on those. `None` for types of what is not a number.
pub(super) fn random_value(module: &Module, ty: Inst, random: &mut Random) -> Option<Value> {
    match module.type_view(ty)? {
        TypeView::Bool => Some(Value::Bool(random.chance(50))),
        TypeView::Int { width, .. } => {
            let bits = if random.chance(80) { random.below(9) as u64 } else { random.word() };
            Some(Value::int(width as u8, bits))
        }
        TypeView::Float { width, .. } => Some(Value::float(width as u8, random.below(33) as f64 / 8.0 - 1.0)),
        TypeView::Struct { members } => {
            let members: Option<Vec<Value>> =
                members.iter().map(|member| random_value(module, member, random)).collect();
            members.map(Value::composite)
        }
        _ => {
            let element = module.element_type(ty)?;
            let count = element_count(module, ty).unwrap_or(RUNTIME_LENGTH);
            let elements: Option<Vec<Value>> =
                (0..count.min(LENGTH_LIMIT)).map(|_| random_value(module, element, random)).collect();
            elements.map(Value::composite)
        }
    }
}

/// How many elements a vector, matrix or array has; `None` for an array of unknown length.
fn element_count(module: &Module, ty: Inst) -> Option<usize> {
    match module.type_view(ty)? {
        TypeView::Vector { count, .. } | TypeView::Matrix { count, .. } => Some(count as usize),
        TypeView::Array { length, .. } => module.literal_word(length).map(|length| length as usize),
        _ => None,
    }
}

/// The value of a type that lies in bytes, as its decorations say. `None` for types without a layout, and for matrices.
pub(super) fn value_from_bytes(module: &Module, ty: Inst, bytes: &[u8]) -> Option<Value> {
    match module.type_view(ty)? {
        view @ (TypeView::Int { .. } | TypeView::Float { .. }) => {
            let size = size(module, ty)?;
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes.get(..size)?);
            let (width, bits) = (size as u8 * 8, u64::from_le_bytes(word));
            let is_float = matches!(view, TypeView::Float { .. });
            Some(if is_float { Value::Float { width, bits } } else { Value::Int { width, bits } })
        }
        TypeView::Struct { members } => {
            let members: Option<Vec<Value>> = (members.iter().enumerate())
                .map(|(index, member)| value_from_bytes(module, member, bytes.get(offset(module, ty, index)?..)?))
                .collect();
            members.map(Value::composite)
        }
        TypeView::Vector { component: element, .. }
        | TypeView::Array { element, .. }
        | TypeView::RuntimeArray { element } => {
            let stride = stride(module, ty)?;
            let count = element_count(module, ty).unwrap_or(bytes.len() / stride);
            let elements: Option<Vec<Value>> =
                (0..count).map(|index| value_from_bytes(module, element, bytes.get(index * stride..)?)).collect();
            elements.map(Value::composite)
        }
        _ => None,
    }
}

/// Writes a value into bytes, as [`value_from_bytes`] reads it. What is undefined stays as it is.
pub(super) fn write_value(module: &Module, ty: Inst, value: &Value, bytes: &mut [u8]) -> Option<()> {
    match (module.type_view(ty)?, value) {
        (_, Value::Undefined) => Some(()),
        (_, Value::Int { width, bits } | Value::Float { width, bits }) => {
            let size = usize::from(*width) / 8;
            bytes.get_mut(..size)?.copy_from_slice(&bits.to_le_bytes()[..size]);
            Some(())
        }
        (TypeView::Struct { members: types }, Value::Composite(members)) => {
            types.iter().zip(members.iter()).enumerate().try_for_each(|(index, (member, value))| {
                let offset = offset(module, ty, index)?;
                write_value(module, member, value, bytes.get_mut(offset..)?)
            })
        }
        (_, Value::Composite(elements)) => {
            let (element, stride) = (module.element_type(ty)?, stride(module, ty)?);
            elements
                .iter()
                .enumerate()
                .try_for_each(|(index, value)| write_value(module, element, value, bytes.get_mut(index * stride..)?))
        }
        _ => None,
    }
}

/// Bytes of a number.
fn size(module: &Module, ty: Inst) -> Option<usize> {
    module.width(ty).map(|width| width as usize / 8)
}

/// From one element to the next.
fn stride(module: &Module, ty: Inst) -> Option<usize> {
    match module.type_view(ty)? {
        TypeView::Vector { component, .. } => size(module, component),
        _ => module.array_stride(ty).map(|stride| stride as usize).filter(|&stride| stride > 0),
    }
}

fn offset(module: &Module, ty: Inst, member: usize) -> Option<usize> {
    module.decorated(ty).member(member as u32).find().map(|Offset(offset)| offset as usize)
}

/// The storage class and the type of what a variable holds.
pub(super) fn held_by(module: &Module, variable: Inst) -> Option<(StorageClass, Inst)> {
    Some((module.storage_class(variable)?, module.pointee(variable)?))
}
