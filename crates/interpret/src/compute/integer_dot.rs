//! Dot products of integer vectors, and of words that hold four bytes (`SPV_KHR_integer_dot_product`).

use reconverge_ir::Op;

use crate::Value;
use crate::compute::Operation;
use crate::fault::Fault;
use crate::types::TypeKind;
use crate::value::{mask, sign_extended};

/// Evaluates an integer dot product; the third operand, if present, is the accumulator, and the sum saturates.
pub(crate) fn evaluate(operation: &Operation<'_>, operands: &[&Value]) -> Result<Value, Fault> {
    let op = operation.op;
    let (signed_a, signed_b) = match op {
        Op::SDot | Op::SDotAccSat => (true, true),
        Op::UDot | Op::UDotAccSat => (false, false),
        _ => (true, false),
    };
    let Some(&TypeKind::Int(width)) = operation.types.kind(operation.ty) else { return Err(Fault::operands(op)) };
    let (&[a, b] | &[a, b, _]) = operands else { return Err(Fault::operands(op)) };
    let (Some(a), Some(b)) = (integers(op, a, signed_a)?, integers(op, b, signed_b)?) else {
        return Ok(Value::Undefined);
    };
    if a.len() != b.len() {
        return Err(Fault::operands(op));
    }
    let sum: i128 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let signed = signed_a || signed_b;
    match operands.get(2) {
        None => Ok(Value::int(width, sum as u64)),
        Some(&&Value::Int { width: found, bits }) if found == width => {
            let (least, greatest) = match signed {
                true => (i128::from(i64::MIN >> (64 - width)), i128::from(mask(width) >> 1)),
                false => (0, i128::from(mask(width))),
            };
            Ok(Value::int(width, (sum + extended(width, bits, signed)).clamp(least, greatest) as u64))
        }
        Some(Value::Undefined) => Ok(Value::Undefined),
        Some(_) => Err(Fault::operands(op)),
    }
}

/// The elements of a vector or the bytes of a word; `None` if one is undefined.
fn integers(op: Op, value: &Value, signed: bool) -> Result<Option<Vec<i128>>, Fault> {
    match value {
        Value::Undefined => Ok(None),
        Value::Int { width: 32, bits } => {
            Ok(Some((0..4).map(|byte| extended(8, bits >> (8 * byte) & 0xff, signed)).collect()))
        }
        Value::Composite(elements) => {
            let one = |element: &Value| match element {
                Value::Int { width, bits } => Ok(Some(extended(*width, *bits, signed))),
                Value::Undefined => Ok(None),
                _ => Err(Fault::operands(op)),
            };
            elements.iter().map(one).collect()
        }
        _ => Err(Fault::operands(op)),
    }
}

fn extended(width: u8, bits: u64, signed: bool) -> i128 {
    if signed { i128::from(sign_extended(width, bits)) } else { i128::from(bits) }
}
