//! Packing of vectors into one word, and unpacking (`GLSL.std.450`).
//!
//! The first element has the lowest bits. Rounding is to nearest, ties to even, which is one of the results that the specification allows.

use reconverge_ir::Op;

use crate::Value;
use crate::fault::Fault;
use crate::value::sign_extended;

/// The representation of a number in the bits of a word.
#[derive(Clone, Copy)]
enum Element {
    /// A signed normalized number.
    Signed,
    /// An unsigned normalized number.
    Unsigned,
    Half,
}

pub(super) fn pack_signed_4x8(operands: &[&Value]) -> Result<Value, Fault> {
    pack(operands, Element::Signed, 8)
}

pub(super) fn pack_unsigned_4x8(operands: &[&Value]) -> Result<Value, Fault> {
    pack(operands, Element::Unsigned, 8)
}

pub(super) fn pack_signed_2x16(operands: &[&Value]) -> Result<Value, Fault> {
    pack(operands, Element::Signed, 16)
}

pub(super) fn pack_unsigned_2x16(operands: &[&Value]) -> Result<Value, Fault> {
    pack(operands, Element::Unsigned, 16)
}

pub(super) fn pack_half_2x16(operands: &[&Value]) -> Result<Value, Fault> {
    pack(operands, Element::Half, 16)
}

pub(super) fn unpack_signed_4x8(operands: &[&Value]) -> Result<Value, Fault> {
    unpack(operands, Element::Signed, 8)
}

pub(super) fn unpack_unsigned_4x8(operands: &[&Value]) -> Result<Value, Fault> {
    unpack(operands, Element::Unsigned, 8)
}

pub(super) fn unpack_signed_2x16(operands: &[&Value]) -> Result<Value, Fault> {
    unpack(operands, Element::Signed, 16)
}

pub(super) fn unpack_unsigned_2x16(operands: &[&Value]) -> Result<Value, Fault> {
    unpack(operands, Element::Unsigned, 16)
}

pub(super) fn unpack_half_2x16(operands: &[&Value]) -> Result<Value, Fault> {
    unpack(operands, Element::Half, 16)
}

/// Two words as a double.
pub(super) fn pack_double(operands: &[&Value]) -> Result<Value, Fault> {
    match operands {
        [Value::Composite(words)] => match words[..] {
            [Value::Int { width: 32, bits: low }, Value::Int { width: 32, bits: high }] => {
                Ok(Value::Float { width: 64, bits: high << 32 | low })
            }
            [ref low, ref high] if low.is_undefined() || high.is_undefined() => Ok(Value::Undefined),
            _ => Err(wrong()),
        },
        [Value::Undefined] => Ok(Value::Undefined),
        _ => Err(wrong()),
    }
}

/// A double as two words.
pub(super) fn unpack_double(operands: &[&Value]) -> Result<Value, Fault> {
    match operands {
        [Value::Float { width: 64, bits }] => {
            Ok(Value::composite(vec![Value::u32(*bits as u32), Value::u32((bits >> 32) as u32)]))
        }
        [Value::Undefined] => Ok(Value::Undefined),
        _ => Err(wrong()),
    }
}

fn pack(operands: &[&Value], element: Element, width: u8) -> Result<Value, Fault> {
    let elements = match operands {
        [Value::Composite(elements)] if elements.len() == usize::from(32 / width) => elements,
        [Value::Undefined] => return Ok(Value::Undefined),
        _ => return Err(wrong()),
    };
    let mut word = 0;
    for (index, value) in elements.iter().enumerate() {
        let value = match (value, value.as_f64()) {
            (Value::Undefined, _) => return Ok(Value::Undefined),
            (_, Some(value)) => value,
            _ => return Err(wrong()),
        };
        let Some(bits) = element.bits(value, width) else { return Ok(Value::Undefined) };
        word |= (bits & crate::value::mask(width)) << (usize::from(width) * index);
    }
    Ok(Value::int(32, word))
}

fn unpack(operands: &[&Value], element: Element, width: u8) -> Result<Value, Fault> {
    match operands {
        &[&Value::Int { width: 32, bits }] => {
            let one = |index: u8| Value::float(32, element.value(bits >> (width * index), width));
            Ok(Value::composite((0..32 / width).map(one).collect()))
        }
        [Value::Undefined] => Ok(Value::Undefined),
        _ => Err(wrong()),
    }
}

impl Element {
    /// `None` for NaN.
    fn bits(self, value: f64, width: u8) -> Option<u64> {
        match self {
            Element::Half => match Value::float(16, value) {
                Value::Float { bits, .. } => Some(bits),
                _ => unreachable!("this gives floats"),
            },
            _ if value.is_nan() => None,
            Element::Signed => {
                let scaled = value.clamp(-1.0, 1.0) * f64::from((1 << (width - 1)) - 1);
                Some((scaled.round_ties_even() as i64).cast_unsigned())
            }
            Element::Unsigned => Some((value.clamp(0.0, 1.0) * f64::from((1 << width) - 1)).round_ties_even() as u64),
        }
    }

    fn value(self, bits: u64, width: u8) -> f64 {
        let bits = bits & crate::value::mask(width);
        match self {
            Element::Half => crate::value::half::to_f64(bits as u16),
            Element::Signed => (sign_extended(width, bits) as f64 / f64::from((1 << (width - 1)) - 1)).clamp(-1.0, 1.0),
            Element::Unsigned => bits as f64 / f64::from((1 << width) - 1),
        }
    }
}

fn wrong() -> Fault {
    Fault::operands(Op::ExtInst)
}
