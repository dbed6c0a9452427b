//! Applies scalar operations to each element of a vector.
//!
//! An undefined vector counts as a vector of undefined elements. Each operation defines its result for an undefined element; most return an
//! undefined one ([`int_pair`] and similar functions).

use reconverge_ir::Op;

use crate::Value;
use crate::fault::Fault;

/// `operation` of a scalar or of each element.
pub(crate) fn unary(a: &Value, operation: impl Fn(&Value) -> Result<Value, Fault>) -> Result<Value, Fault> {
    match a {
        Value::Composite(elements) => collect(elements.iter().map(operation)),
        scalar => operation(scalar),
    }
}

/// `operation` of two scalars or of each pair of elements.
pub(crate) fn binary(
    op: Op,
    a: &Value,
    b: &Value,
    operation: impl Fn(&Value, &Value) -> Result<Value, Fault>,
) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Composite(a), Value::Composite(b)) if a.len() == b.len() => {
            collect(a.iter().zip(b.iter()).map(|(a, b)| operation(a, b)))
        }
        (Value::Composite(a), Value::Undefined) => collect(a.iter().map(|a| operation(a, b))),
        (Value::Undefined, Value::Composite(b)) => collect(b.iter().map(|b| operation(a, b))),
        (Value::Composite(_), _) | (_, Value::Composite(_)) => Err(Fault::operands(op)),
        _ => operation(a, b),
    }
}

/// `operation` of three scalars or of each triple of elements.
pub(crate) fn ternary(
    op: Op,
    operands: [&Value; 3],
    operation: impl Fn([&Value; 3]) -> Result<Value, Fault>,
) -> Result<Value, Fault> {
    let lengths = operands.iter().filter_map(|operand| operand.elements().map(<[Value]>::len));
    let Some(length) = lengths.max() else { return operation(operands) };
    let element = |index: usize| {
        let pick = |operand: &'_ Value| match operand {
            Value::Composite(elements) => elements.get(index).cloned().ok_or_else(|| Fault::operands(op)),
            Value::Undefined => Ok(Value::Undefined),
            _ => Err(Fault::operands(op)),
        };
        let [a, b, c] = operands;
        operation([&pick(a)?, &pick(b)?, &pick(c)?])
    };
    collect((0..length).map(element))
}

fn collect(elements: impl Iterator<Item = Result<Value, Fault>>) -> Result<Value, Fault> {
    elements.collect::<Result<Vec<Value>, Fault>>().map(Value::composite)
}

/// Two integers of one width: `operation` gets the width and the bits.
pub(crate) fn int_pair(
    op: Op,
    operation: impl Fn(u8, u64, u64) -> Result<Value, Fault>,
) -> impl Fn(&Value, &Value) -> Result<Value, Fault> {
    move |a, b| match (a, b) {
        (Value::Int { width, bits: a }, Value::Int { width: other, bits: b }) if width == other => {
            operation(*width, *a, *b)
        }
        (Value::Undefined, Value::Int { .. } | Value::Undefined) | (Value::Int { .. }, Value::Undefined) => {
            Ok(Value::Undefined)
        }
        _ => Err(Fault::operands(op)),
    }
}

/// One integer: `operation` gets the width and the bits.
pub(crate) fn int_one(op: Op, operation: impl Fn(u8, u64) -> Value) -> impl Fn(&Value) -> Result<Value, Fault> {
    move |a| match a {
        Value::Int { width, bits } => Ok(operation(*width, *bits)),
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(op)),
    }
}

/// One floating-point number, as a double: `operation` gets the width too.
pub(crate) fn float_one(op: Op, operation: impl Fn(u8, f64) -> Value) -> impl Fn(&Value) -> Result<Value, Fault> {
    move |a| match a {
        Value::Float { width, .. } => Ok(operation(*width, a.as_f64().unwrap_or(f64::NAN))),
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(op)),
    }
}

/// Two floating-point numbers of one width, as doubles.
pub(crate) fn float_pair(
    op: Op,
    operation: impl Fn(u8, f64, f64) -> Value,
) -> impl Fn(&Value, &Value) -> Result<Value, Fault> {
    move |a, b| match (a, b) {
        (Value::Float { width, .. }, Value::Float { width: other, .. }) if width == other => {
            Ok(operation(*width, a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN)))
        }
        (Value::Undefined, Value::Float { .. } | Value::Undefined) | (Value::Float { .. }, Value::Undefined) => {
            Ok(Value::Undefined)
        }
        _ => Err(Fault::operands(op)),
    }
}
