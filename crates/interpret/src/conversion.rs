//! Conversions (SPIR-V section 3.3.11), those of pointers excepted, which need the memory.
//!
//! A float becomes the integer towards zero; one that no integer of the type is near has no defined result. An integer becomes the
//! nearest float, ties to even. `bitcast` keeps the bits, between vectors of different lengths with the first component lowest.

use reconverge_ir::Op;

use crate::Value;
use crate::arithmetic::rounded;
use crate::compute::Operation;
use crate::lift::{float_one, int_one, unary};
use crate::outcome::Fault;
use crate::types::{Kind, TypeId, TypeTable};
use crate::value::{mask, sign_extended};

/// Evaluates an op of the conversion class.
pub(crate) fn evaluate(operation: &Operation<'_>, operands: &[&Value]) -> Result<Value, Fault> {
    let op = operation.op;
    let &[value] = operands else { return Err(Fault::op(op)) };
    let Some(target) = scalar(operation.types, operation.ty) else { return Err(Fault::op(op)) };
    match (op, target) {
        (Op::Bitcast, _) => bitcast(operation, value, target),
        (Op::ConvertFToU, Scalar::Int(to)) => unary(value, float_one(op, |_, value| float_to_unsigned(to, value))),
        (Op::ConvertFToS, Scalar::Int(to)) => unary(value, float_one(op, |_, value| float_to_signed(to, value))),
        (Op::ConvertSToF, Scalar::Float(to)) => {
            unary(value, int_one(op, |width, bits| integer_to_float(to, i128::from(sign_extended(width, bits)))))
        }
        (Op::ConvertUToF, Scalar::Float(to)) => {
            unary(value, int_one(op, |_, bits| integer_to_float(to, i128::from(bits))))
        }
        (Op::UConvert, Scalar::Int(to)) => unary(value, int_one(op, |_, bits| Value::int(to, bits))),
        (Op::SConvert, Scalar::Int(to)) => {
            unary(value, int_one(op, |width, bits| Value::int(to, sign_extended(width, bits).cast_unsigned())))
        }
        (Op::SatConvertSToU, Scalar::Int(to)) => unary(
            value,
            int_one(op, |width, bits| {
                let value = sign_extended(width, bits).max(0).cast_unsigned();
                Value::int(to, value.min(mask(to)))
            }),
        ),
        (Op::SatConvertUToS, Scalar::Int(to)) => {
            unary(value, int_one(op, |_, bits| Value::int(to, bits.min(mask(to) >> 1))))
        }
        (Op::FConvert, Scalar::Float(to)) => unary(value, float_one(op, |_, value| rounded(to, value))),
        (Op::QuantizeToF16, Scalar::Float(to)) => unary(value, float_one(op, |_, value| quantized(to, value))),
        _ => Err(Fault::op(op)),
    }
}

/// The scalars that a type is made of.
#[derive(Clone, Copy)]
enum Scalar {
    Bool,
    Int(u8),
    Float(u8),
}

fn scalar(types: &TypeTable, ty: TypeId) -> Option<Scalar> {
    let kind = match types.kind(ty)? {
        Kind::Sequence { element, .. } => types.kind(*element)?,
        kind => kind,
    };
    match *kind {
        Kind::Bool => Some(Scalar::Bool),
        Kind::Int(width) => Some(Scalar::Int(width)),
        Kind::Float(width) => Some(Scalar::Float(width)),
        _ => None,
    }
}

fn float_to_unsigned(to: u8, value: f64) -> Value {
    let truncated = value.trunc();
    let inside = truncated >= 0.0 && truncated < 2f64.powi(i32::from(to));
    if inside { Value::int(to, truncated as u64) } else { Value::Undefined }
}

fn float_to_signed(to: u8, value: f64) -> Value {
    let (truncated, limit) = (value.trunc(), 2f64.powi(i32::from(to) - 1));
    let inside = truncated >= -limit && truncated < limit;
    if inside { Value::int(to, (truncated as i64).cast_unsigned()) } else { Value::Undefined }
}

/// Rounds once: a 64-bit integer that went to 32 bits by way of a double could be rounded twice.
fn integer_to_float(to: u8, value: i128) -> Value {
    match to {
        32 => Value::f32(value as f32),
        _ => Value::float(to, value as f64),
    }
}

/// The nearest 16-bit float that is zero or normal, kept in `to` bits.
fn quantized(to: u8, value: f64) -> Value {
    let half = Value::float(16, value).as_f64().unwrap_or(f64::NAN);
    let is_small = half.abs() < 2f64.powi(-14);
    rounded(to, if is_small { 0f64.copysign(value) } else { half })
}

fn bitcast(operation: &Operation<'_>, value: &Value, target: Scalar) -> Result<Value, Fault> {
    let wrong = || Fault::operands(Op::Bitcast);
    let (width, make): (u8, fn(u8, u64) -> Value) = match target {
        Scalar::Int(width) => (width, Value::int),
        Scalar::Float(width) => (width, |width, bits| Value::Float { width, bits }),
        Scalar::Bool => return Err(wrong()),
    };
    let bytes = bytes_of(value).ok_or_else(wrong)?;
    let Some(bytes) = bytes else { return Ok(Value::Undefined) };
    let element = |chunk: &[Option<u8>]| {
        let word = chunk.iter().rev().try_fold(0u64, |word, &byte| Some(word << 8 | u64::from(byte?)));
        word.map_or(Value::Undefined, |word| make(width, word))
    };
    let size = usize::from(width / 8);
    match operation.types.count(operation.ty) {
        Some(count) if count as usize * size == bytes.len() => {
            Ok(Value::composite(bytes.chunks(size).map(element).collect()))
        }
        None if bytes.len() == size => Ok(element(&bytes)),
        _ => Err(wrong()),
    }
}

/// The bytes of a scalar or vector, lowest first; inside, `None` for an undefined value as a whole; outside, for what has no bytes.
#[expect(clippy::option_option, reason = "no bytes and unknown bytes are two things")]
fn bytes_of(value: &Value) -> Option<Option<Vec<Option<u8>>>> {
    match value {
        Value::Int { width, bits } | Value::Float { width, bits } => {
            Some(Some(bits.to_le_bytes()[..usize::from(width / 8)].iter().map(|&byte| Some(byte)).collect()))
        }
        Value::Undefined => Some(None),
        Value::Composite(elements) => {
            let width = elements.iter().find_map(|element| match element {
                Value::Int { width, .. } | Value::Float { width, .. } => Some(usize::from(width / 8)),
                _ => None,
            });
            let Some(width) = width else { return Some(None) };
            let mut bytes = Vec::new();
            for element in elements.iter() {
                match element {
                    Value::Composite(_) => return None,
                    element => bytes.extend(bytes_of(element)?.unwrap_or_else(|| vec![None; width])),
                }
            }
            Some(Some(bytes))
        }
        _ => None,
    }
}
