//! What variables hold: made up by type, or from the bytes of a buffer and back.
//!
//! Recursive over types, which nest as deep as a program writes them down.

use reconverge_interpret::Value;
use reconverge_ir::{Inst, Module, Op};

use crate::random::Random;

/// How many elements an array of unknown length gets.
const RUNTIME_LENGTH: usize = 64;
/// How many elements an array may have.
const LENGTH_LIMIT: usize = 1 << 20;

/// A value of a type: small numbers mostly, since programs branch on those. `None` for types of what is no number.
pub(super) fn random_value(module: &Module, ty: Inst, random: &mut Random) -> Option<Value> {
    let width = module.operands(ty).next().and_then(|first| module.literal_word(first)).map(|width| width as u8);
    match module.op(ty) {
        Op::TypeBool => Some(Value::Bool(random.chance(50))),
        Op::TypeInt => {
            let bits = if random.chance(80) { random.below(9) as u64 } else { random.word() };
            Some(Value::int(width?, bits))
        }
        Op::TypeFloat => Some(Value::float(width?, random.below(33) as f64 / 8.0 - 1.0)),
        Op::TypeStruct => {
            let members: Option<Vec<Value>> =
                module.operands(ty).map(|member| random_value(module, member, random)).collect();
            members.map(Value::composite)
        }
        Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray => {
            let count = element_count(module, ty).unwrap_or(RUNTIME_LENGTH);
            let element = module.operand(ty, 0);
            let elements: Option<Vec<Value>> =
                (0..count.min(LENGTH_LIMIT)).map(|_| random_value(module, element, random)).collect();
            elements.map(Value::composite)
        }
        _ => None,
    }
}

/// How many elements a vector, matrix or array has; `None` for an array of unknown length.
fn element_count(module: &Module, ty: Inst) -> Option<usize> {
    match module.op(ty) {
        Op::TypeRuntimeArray => None,
        _ => module.literal_word(module.operand(ty, 1)).map(|count| count as usize),
    }
}

/// The value of a type that lies in bytes, as its decorations say. `None` for types without a layout, and for matrices.
pub(super) fn value_from_bytes(module: &Module, ty: Inst, bytes: &[u8]) -> Option<Value> {
    match module.op(ty) {
        Op::TypeInt | Op::TypeFloat => {
            let size = size(module, ty)?;
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes.get(..size)?);
            let (width, bits) = (size as u8 * 8, u64::from_le_bytes(word));
            let is_float = module.op(ty) == Op::TypeFloat;
            Some(if is_float { Value::Float { width, bits } } else { Value::Int { width, bits } })
        }
        Op::TypeStruct => {
            let members: Option<Vec<Value>> = (module.operands(ty).enumerate())
                .map(|(index, member)| value_from_bytes(module, member, bytes.get(offset(module, ty, index)?..)?))
                .collect();
            members.map(Value::composite)
        }
        Op::TypeVector | Op::TypeArray | Op::TypeRuntimeArray => {
            let (element, stride) = (module.operand(ty, 0), stride(module, ty)?);
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
    match (module.op(ty), value) {
        (_, Value::Undefined) => Some(()),
        (_, Value::Int { width, bits } | Value::Float { width, bits }) => {
            let size = usize::from(*width) / 8;
            bytes.get_mut(..size)?.copy_from_slice(&bits.to_le_bytes()[..size]);
            Some(())
        }
        (Op::TypeStruct, Value::Composite(members)) => {
            module.operands(ty).zip(members.iter()).enumerate().try_for_each(|(index, (member, value))| {
                let offset = offset(module, ty, index)?;
                write_value(module, member, value, bytes.get_mut(offset..)?)
            })
        }
        (_, Value::Composite(elements)) => {
            let (element, stride) = (module.operand(ty, 0), stride(module, ty)?);
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
    match module.op(ty) {
        Op::TypeInt | Op::TypeFloat => module.literal_word(module.operand(ty, 0)).map(|width| width as usize / 8),
        _ => None,
    }
}

/// From one element to the next.
fn stride(module: &Module, ty: Inst) -> Option<usize> {
    const ARRAY_STRIDE: u32 = 6;
    match module.op(ty) {
        Op::TypeVector => size(module, module.operand(ty, 0)),
        _ => decoration(module, ty, ARRAY_STRIDE).map(|stride| stride as usize).filter(|&stride| stride > 0),
    }
}

fn offset(module: &Module, ty: Inst, member: usize) -> Option<usize> {
    const OFFSET: u32 = 35;
    let found = module.decorations(ty).iter().find(|&&decoration| {
        let word =
            |index: usize| module.operands(decoration).nth(index).and_then(|operand| module.literal_word(operand));
        module.op(decoration) == Op::MemberDecorate && word(0) == Some(member as u32) && word(1) == Some(OFFSET)
    })?;
    module.literal_word(module.operand(*found, 2)).map(|offset| offset as usize)
}

/// SPIR-V's number of the decoration that says which buffer a variable is.
pub(crate) const BINDING: u32 = 33;

/// The word of a decoration.
pub(crate) fn decoration(module: &Module, inst: Inst, number: u32) -> Option<u32> {
    let found = module.decorations(inst).iter().find(|&&decoration| {
        module.op(decoration) == Op::Decorate && module.literal_word(module.operand(decoration, 0)) == Some(number)
    })?;
    module.operands(*found).nth(1).and_then(|operand| module.literal_word(operand))
}

/// The storage class and the type of what a variable holds.
pub(super) fn held_by(module: &Module, variable: Inst) -> Option<(u32, Inst)> {
    let pointer = module.ty(variable).filter(|&ty| module.op(ty) == Op::TypePointer)?;
    Some((module.literal_word(module.operand(pointer, 0))?, module.operand(pointer, 1)))
}
