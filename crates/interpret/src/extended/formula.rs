//! The formula of an extended instruction, and its application to operands: element by element, or to whole values.

use std::borrow::Cow;

use reconverge_ir::Op;

use super::wide::{Scaled, Wide};
use crate::Value;
use crate::compute::arithmetic::rounded;
use crate::compute::lift::{binary, float_one, float_pair, int_one, int_pair, ternary, unary};
use crate::fault::Fault;

const OP: Op = Op::ExtInst;

/// The formula of an extended instruction. `None` is an undefined result.
#[derive(Clone, Copy)]
pub(super) enum Formula {
    /// A function of doubles, whose result is rounded to the width of the operands: correct if it is exact, or if doubles have enough extra
    /// bits.
    Float1(fn(f64) -> f64),
    Float2(fn(f64, f64) -> f64),
    /// The same, not defined everywhere.
    Some1(fn(f64) -> Option<f64>),
    Some2(fn(f64, f64) -> Option<f64>),
    Some3(fn([f64; 3]) -> Option<f64>),
    /// A function of doubles whose result is a wide number, rounded once.
    Wide1(fn(f64) -> Scaled),
    Wide2(fn(f64, f64) -> Scaled),
    /// Fused multiply-add.
    Fused,
    /// The same if the first function returns true.
    WideWhere1(fn(f64) -> bool, fn(f64) -> Scaled),
    WideWhere2(fn(f64, f64) -> bool, fn(f64, f64) -> Scaled),
    /// Gets the width too.
    Sized1(fn(u8, f64) -> Value),
    Sized2(fn(u8, f64, f64) -> Value),
    /// A function of a float and an integer; a scalar integer applies to all elements.
    FloatInt(fn(u8, f64, i64) -> Value),
    /// A function of integers: the width and the bits, zero-extended. The result is truncated to the width.
    Int1(fn(u8, u64) -> u64),
    Int2(fn(u8, u64, u64) -> u64),
    /// The same, not defined everywhere.
    SomeInt2(fn(u8, u64, u64) -> Option<u64>),
    Int3(fn(u8, [u64; 3]) -> Option<u64>),
    /// A function of one element of each operand, of any type; none of them is undefined.
    Element(fn(&[&Value]) -> Result<Value, Fault>),
    /// A function of the operands themselves.
    Whole(fn(&[&Value]) -> Result<Value, Fault>),
}

/// Applies a formula to the operands.
pub(crate) fn apply(formula: Formula, operands: &[&Value]) -> Result<Value, Fault> {
    match (formula, operands) {
        (Formula::Float1(f), [a]) => unary(a, float_one(OP, |width, a| rounded(width, f(a)))),
        (Formula::Some1(f), [a]) => unary(a, float_one(OP, |width, a| defined(width, f(a)))),
        (Formula::Wide1(f), [a]) => unary(a, float_one(OP, |width, a| f(a).rounded(width))),
        (Formula::WideWhere1(is_defined, f), [a]) => {
            unary(a, float_one(OP, |width, a| if is_defined(a) { f(a).rounded(width) } else { Value::Undefined }))
        }
        (Formula::Sized1(f), [a]) => unary(a, float_one(OP, f)),
        (Formula::Float2(f), [a, b]) => binary(OP, a, b, float_pair(OP, |width, a, b| rounded(width, f(a, b)))),
        (Formula::Some2(f), [a, b]) => binary(OP, a, b, float_pair(OP, |width, a, b| defined(width, f(a, b)))),
        (Formula::Wide2(f), [a, b]) => binary(OP, a, b, float_pair(OP, |width, a, b| f(a, b).rounded(width))),
        (Formula::WideWhere2(is_defined, f), [a, b]) => {
            let guarded = |width, a, b| if is_defined(a, b) { f(a, b).rounded(width) } else { Value::Undefined };
            binary(OP, a, b, float_pair(OP, guarded))
        }
        (Formula::Sized2(f), [a, b]) => binary(OP, a, b, float_pair(OP, f)),
        (Formula::Some3(f), &[a, b, c]) => float_triple([a, b, c], |width, operands| defined(width, f(operands))),
        (Formula::Fused, &[a, b, c]) => float_triple([a, b, c], fused),
        (Formula::FloatInt(f), [a, b]) => float_and_integer(f, a, b),
        _ => apply_to_integers(formula, operands),
    }
}

fn apply_to_integers(formula: Formula, operands: &[&Value]) -> Result<Value, Fault> {
    match (formula, operands) {
        (Formula::Int1(f), [a]) => unary(a, int_one(OP, |width, a| Value::int(width, f(width, a)))),
        (Formula::Int2(f), [a, b]) => {
            binary(OP, a, b, int_pair(OP, |width, a, b| Ok(Value::int(width, f(width, a, b)))))
        }
        (Formula::SomeInt2(f), [a, b]) => {
            let one = |width, a, b| Ok(f(width, a, b).map_or(Value::Undefined, |bits| Value::int(width, bits)));
            binary(OP, a, b, int_pair(OP, one))
        }
        (Formula::Int3(f), &[a, b, c]) => ternary(OP, [a, b, c], |operands| match operands {
            [
                &Value::Int { width, bits: a },
                &Value::Int { width: second, bits: b },
                &Value::Int { width: third, bits: c },
            ] if width == second && width == third => {
                Ok(f(width, [a, b, c]).map_or(Value::Undefined, |bits| Value::int(width, bits)))
            }
            _ => undefined_among(&operands),
        }),
        (Formula::Element(f), &[a]) => unary(a, |a| element(f, &[a])),
        (Formula::Element(f), &[a, b]) => binary(OP, a, b, |a, b| element(f, &[a, b])),
        (Formula::Element(f), &[a, b, c]) => ternary(OP, [a, b, c], |operands| element(f, &operands)),
        (Formula::Whole(f), _) => f(operands),
        _ => Err(Fault::operands(OP)),
    }
}

/// Fused multiply-add. The product of two numbers of at most 32 bits is a double.
fn fused(width: u8, [a, b, c]: [f64; 3]) -> Value {
    match width {
        64 => rounded(width, a.mul_add(b, c)),
        _ => Scaled::from(Wide::sum(a * b, c)).rounded(width),
    }
}

fn defined(width: u8, value: Option<f64>) -> Value {
    value.map_or(Value::Undefined, |value| rounded(width, value))
}

fn float_triple(operands: [&Value; 3], function: impl Fn(u8, [f64; 3]) -> Value) -> Result<Value, Fault> {
    ternary(OP, operands, |operands| match (operands.map(Value::as_f64), operands[0]) {
        ([Some(a), Some(b), Some(c)], &Value::Float { width, .. }) => Ok(function(width, [a, b, c])),
        _ => undefined_among(&operands),
    })
}

fn float_and_integer(function: fn(u8, f64, i64) -> Value, a: &Value, b: &Value) -> Result<Value, Fault> {
    let integers = match (a.elements(), b) {
        (Some(elements), Value::Int { .. }) => Cow::Owned(Value::composite(vec![b.clone(); elements.len()])),
        _ => Cow::Borrowed(b),
    };
    binary(OP, a, &integers, |a, b| match (a, a.as_f64(), b.as_i64()) {
        (&Value::Float { width, .. }, Some(a), Some(b)) => Ok(function(width, a, b)),
        _ => undefined_among(&[a, b]),
    })
}

fn element(function: fn(&[&Value]) -> Result<Value, Fault>, operands: &[&Value]) -> Result<Value, Fault> {
    if operands.iter().any(|operand| operand.is_undefined()) { Ok(Value::Undefined) } else { function(operands) }
}

/// The result for operands of the wrong kind: undefined if one of them is undefined, since that may have any type.
pub(super) fn undefined_among(operands: &[&Value]) -> Result<Value, Fault> {
    match operands.iter().any(|operand| operand.is_undefined()) {
        true => Ok(Value::Undefined),
        false => Err(Fault::operands(OP)),
    }
}
