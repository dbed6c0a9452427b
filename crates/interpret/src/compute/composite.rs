//! Composite instructions for vectors, matrices, arrays and structs (SPIR-V section 3.3.12).
//!
//! A dynamic index outside a vector gives an undefined result: these ops do not trap.

use std::sync::Arc;

use reconverge_ir::Op;

use crate::compute::Operation;
use crate::fault::Fault;
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::{Value, compute::matrix};

/// The literal of a vector shuffle for an undefined component.
const NO_COMPONENT: u32 = u32::MAX;

/// Evaluates an op of the composite class. The literals of a vector shuffle begin with the length of the first vector.
pub(crate) fn evaluate(operation: &Operation<'_>, operands: &[&Value]) -> Result<Value, Fault> {
    let Operation { op, ty, literals, types } = *operation;
    match (op, operands) {
        (Op::CopyObject | Op::CopyLogical, [value]) => Ok((*value).clone()),
        (Op::CompositeConstruct, _) => construct(types, ty, operands),
        (Op::CompositeExtract, [composite]) => extract(composite, literals),
        (Op::CompositeInsert, [object, composite]) => insert(operation, object, composite),
        (Op::VectorExtractDynamic, [vector, index]) => extract_dynamic(vector, index),
        (Op::VectorInsertDynamic, [vector, component, index]) => {
            let Some(index) = component_index(op, index)? else { return Ok(Value::Undefined) };
            let mut elements = types.elements(ty, vector)?;
            let Some(slot) = elements.get_mut(index) else { return Ok(Value::Undefined) };
            *slot = (*component).clone();
            Ok(Value::composite(elements))
        }
        (Op::VectorShuffle, [a, b]) => shuffle(literals, a, b),
        (Op::Transpose, [value]) => matrix::transpose(value),
        _ => Err(Fault::op(op)),
    }
}

/// A vector may be constructed from shorter vectors; everything else from its elements.
fn construct(types: &TypeTable, ty: TypeId, operands: &[&Value]) -> Result<Value, Fault> {
    let count = types.count(ty).ok_or_else(|| Fault::operands(Op::CompositeConstruct))?;
    if operands.len() as u64 == count {
        return Ok(Value::composite(operands.iter().map(|&operand| operand.clone()).collect()));
    }
    if operands.iter().any(|operand| operand.is_undefined()) {
        return Ok(Value::Undefined);
    }
    let mut elements = Vec::new();
    for operand in operands {
        match operand {
            Value::Composite(parts) => elements.extend(parts.iter().cloned()),
            scalar => elements.push((*scalar).clone()),
        }
    }
    match elements.len() as u64 == count {
        true => Ok(Value::composite(elements)),
        false => Err(Fault::operands(Op::CompositeConstruct)),
    }
}

fn extract(composite: &Value, path: &[u32]) -> Result<Value, Fault> {
    let mut current = composite;
    for &index in path {
        current = match current {
            Value::Composite(elements) => {
                elements.get(index as usize).ok_or_else(|| Fault::operands(Op::CompositeExtract))?
            }
            Value::Undefined => return Ok(Value::Undefined),
            _ => return Err(Fault::operands(Op::CompositeExtract)),
        };
    }
    Ok(current.clone())
}

fn insert(operation: &Operation<'_>, object: &Value, composite: &Value) -> Result<Value, Fault> {
    let wrong = || Fault::operands(Op::CompositeInsert);
    let mut root = composite.clone();
    let (mut slot, mut ty) = (&mut root, operation.ty);
    for &index in operation.literals {
        if slot.is_undefined() {
            *slot = Value::composite(operation.types.elements(ty, slot)?);
        }
        let Value::Composite(elements) = slot else { return Err(wrong()) };
        slot = Arc::make_mut(elements).get_mut(index as usize).ok_or_else(wrong)?;
        ty = operation.types.element(ty, u64::from(index)).ok_or_else(wrong)?.0;
    }
    *slot = object.clone();
    Ok(root)
}

fn extract_dynamic(vector: &Value, index: &Value) -> Result<Value, Fault> {
    let Some(index) = component_index(Op::VectorExtractDynamic, index)? else { return Ok(Value::Undefined) };
    match vector {
        Value::Composite(elements) => Ok(elements.get(index).cloned().unwrap_or(Value::Undefined)),
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(Op::VectorExtractDynamic)),
    }
}

fn component_index(op: Op, index: &Value) -> Result<Option<usize>, Fault> {
    match index {
        Value::Int { bits, .. } => Ok(Some(usize::try_from(*bits).unwrap_or(usize::MAX))),
        Value::Undefined => Ok(None),
        _ => Err(Fault::operands(op)),
    }
}

fn shuffle(literals: &[u32], a: &Value, b: &Value) -> Result<Value, Fault> {
    let wrong = || Fault::operands(Op::VectorShuffle);
    let (&first_length, components) = literals.split_first().ok_or_else(wrong)?;
    let component = |index: u32| {
        let (vector, index) = match index.checked_sub(first_length) {
            None => (a, index),
            Some(_) if index == NO_COMPONENT => return Ok(Value::Undefined),
            Some(index) => (b, index),
        };
        match vector {
            Value::Composite(elements) => elements.get(index as usize).cloned().ok_or_else(wrong),
            Value::Undefined => Ok(Value::Undefined),
            _ => Err(wrong()),
        }
    };
    components.iter().map(|&index| component(index)).collect::<Result<Vec<Value>, Fault>>().map(Value::composite)
}

/// The number of components of a vector type, which a vector shuffle needs for its first operand.
pub(crate) fn vector_length(types: &TypeTable, ty: TypeId) -> Option<u32> {
    match types.kind(ty) {
        Some(TypeKind::Sequence { count, .. }) => u32::try_from(*count).ok(),
        _ => None,
    }
}
