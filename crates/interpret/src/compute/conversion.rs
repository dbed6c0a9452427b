//! Conversions (SPIR-V section 3.3.11), except those of pointers, which need the memory.
//!
//! A result is rounded once, in the direction of the decoration `FPRoundingMode` if there is one. Without it, conversions to integers round
//! towards zero, and conversions to floats to nearest even. A value that does not fit into an integer gives an undefined result, or with
//! `SaturatedConversion` the nearest integer; NaN gives zero then. `bitcast` preserves the bits; between vectors of different lengths the
//! first component has the lowest bits.

use reconverge_ir::{Inst, Module, Op};
use spirv::Decoration;

use crate::Value;
use crate::compute::Operation;
use crate::compute::arithmetic::rounded;
use crate::compute::lift::{float_one, int_one, unary};
use crate::compute::rounding::{self, Number, Rounding};
use crate::fault::Fault;
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::value::{mask, sign_extended};

/// The bits of the word of [`decorations`]: saturation, and above it one more than the rounding mode.
const SATURATED: u32 = 1;
const MODE_SHIFT: u32 = 1;

/// The decorations of a conversion, as the literal for [`evaluate`]; no literal if there are none.
pub(crate) fn decorations(module: &Module, inst: Inst) -> Option<u32> {
    let mut word = 0;
    for note in module.decorated(inst).iter() {
        match (note.kind(), note.words().next()) {
            (Some(Decoration::SaturatedConversion), _) => word |= SATURATED,
            (Some(Decoration::FPRoundingMode), Some(mode)) => word |= (mode.min(u32::MAX >> 2) + 1) << MODE_SHIFT,
            _ => {}
        }
    }
    (word != 0).then_some(word)
}

/// Evaluates an op of the conversion class.
pub(crate) fn evaluate(operation: &Operation<'_>, operands: &[&Value]) -> Result<Value, Fault> {
    let op = operation.op;
    let &[value] = operands else { return Err(Fault::op(op)) };
    let Some(target) = scalar(operation.types, operation.ty) else { return Err(Fault::op(op)) };
    let manner = Manner::new(operation.literals)?;
    match (op, target) {
        (Op::Bitcast, _) => bitcast(operation, value, target),
        (Op::ConvertFToU, Scalar::Int(to)) => unary(value, float_one(op, |_, value| manner.to_unsigned(to, value))),
        (Op::ConvertFToS, Scalar::Int(to)) => unary(value, float_one(op, |_, value| manner.to_signed(to, value))),
        (Op::ConvertSToF, Scalar::Float(to)) => {
            unary(value, int_one(op, |width, bits| manner.to_float(to, i128::from(sign_extended(width, bits)))))
        }
        (Op::ConvertUToF, Scalar::Float(to)) => {
            unary(value, int_one(op, |_, bits| manner.to_float(to, i128::from(bits))))
        }
        (Op::UConvert, Scalar::Int(to)) => unary(
            value,
            int_one(op, |_, bits| Value::int(to, if manner.saturates { bits.min(mask(to)) } else { bits })),
        ),
        (Op::SConvert, Scalar::Int(to)) => {
            unary(value, int_one(op, |width, bits| manner.resized(to, sign_extended(width, bits))))
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
        (Op::FConvert, Scalar::Float(to)) => {
            unary(value, float_one(op, |_, value| rounding::rounded(to, value, manner.or(Rounding::NearestEven))))
        }
        (Op::QuantizeToF16, Scalar::Float(to)) => unary(value, float_one(op, |_, value| quantized(to, value))),
        _ => Err(Fault::op(op)),
    }
}

/// The rounding and the treatment of out-of-range values of a conversion.
#[derive(Clone, Copy)]
struct Manner {
    saturates: bool,
    rounding: Option<Rounding>,
}

impl Manner {
    fn new(literals: &[u32]) -> Result<Manner, Fault> {
        let word = literals.first().copied().unwrap_or(0);
        let rounding = match word >> MODE_SHIFT {
            0 => None,
            mode => {
                Some(Rounding::from_word(mode - 1).ok_or_else(|| Fault::unsupported("a rounding mode beyond RTN"))?)
            }
        };
        Ok(Manner { saturates: word & SATURATED != 0, rounding })
    }

    fn or(self, default: Rounding) -> Rounding {
        self.rounding.unwrap_or(default)
    }

    fn to_unsigned(self, to: u8, value: f64) -> Value {
        let integer = self.or(Rounding::TowardZero).integer(value);
        let inside = integer >= 0.0 && integer < 2f64.powi(i32::from(to));
        // A conversion from a float saturates; NaN becomes zero.
        match inside || self.saturates {
            true => Value::int(to, (integer as u64).min(mask(to))),
            false => Value::Undefined,
        }
    }

    fn to_signed(self, to: u8, value: f64) -> Value {
        let (integer, limit) = (self.or(Rounding::TowardZero).integer(value), 2f64.powi(i32::from(to) - 1));
        let inside = integer >= -limit && integer < limit;
        let greatest = (mask(to) >> 1).cast_signed();
        match inside || self.saturates {
            true => Value::int(to, (integer as i64).clamp(-greatest - 1, greatest).cast_unsigned()),
            false => Value::Undefined,
        }
    }

    fn to_float(self, to: u8, value: i128) -> Value {
        Number::from_integer(value).rounded(to, self.or(Rounding::NearestEven))
    }

    /// A signed integer converted to another width.
    fn resized(self, to: u8, value: i64) -> Value {
        let greatest = (mask(to) >> 1).cast_signed();
        let value = if self.saturates { value.clamp(-greatest - 1, greatest) } else { value };
        Value::int(to, value.cast_unsigned())
    }
}

/// The scalars of a type.
#[derive(Clone, Copy)]
enum Scalar {
    Bool,
    Int(u8),
    Float(u8),
}

fn scalar(types: &TypeTable, ty: TypeId) -> Option<Scalar> {
    let kind = match types.kind(ty)? {
        TypeKind::Sequence { element, .. } => types.kind(*element)?,
        kind => kind,
    };
    match *kind {
        TypeKind::Bool => Some(Scalar::Bool),
        TypeKind::Int(width) => Some(Scalar::Int(width)),
        TypeKind::Float(width) => Some(Scalar::Float(width)),
        _ => None,
    }
}

/// The nearest 16-bit float that is zero or normal, in `to` bits.
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

/// The bytes of a scalar or vector, lowest first. The inner `None` is an undefined value; the outer one a value without bytes.
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
