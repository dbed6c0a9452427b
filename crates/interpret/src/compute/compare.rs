//! Comparisons, boolean logic and select (SPIR-V section 3.3.15).
//!
//! An undefined operand makes the result undefined, even if the other operand would determine it: passes must not rely on either.

use reconverge_ir::Op;

use crate::Value;
use crate::compute::lift::{binary, float_one, float_pair, int_pair, ternary, unary};
use crate::fault::Fault;
use crate::value::sign_extended;

/// Evaluates an op of the logical class.
pub(crate) fn evaluate(op: Op, operands: &[&Value]) -> Result<Value, Fault> {
    use Op::{LogicalAnd, LogicalEqual, LogicalNotEqual, LogicalOr};
    match (op, operands) {
        (Op::Any | Op::All, [vector]) => quantified(op, vector),
        (Op::IsNan | Op::IsInf | Op::IsFinite | Op::IsNormal, [a]) => classified(op, a),
        (Op::SignBitSet, [a]) => unary(a, has_sign),
        (Op::LogicalNot, [a]) => unary(a, bool_one(op, |a| !a)),
        (LogicalEqual | LogicalNotEqual | LogicalOr | LogicalAnd, [a, b]) => {
            binary(op, a, b, bool_pair(op, |a, b| logical(op, a, b)))
        }
        (Op::Select, [condition, a, b]) => select(condition, a, b),
        (_, [a, b]) if (Op::IEqual..=Op::SLessThanEqual).contains(&op) => {
            binary(op, a, b, int_pair(op, |width, a, b| Ok(Value::Bool(integers(op, width, a, b)))))
        }
        (_, [a, b]) if is_float_comparison(op) => {
            binary(op, a, b, float_pair(op, |_, a, b| Value::Bool(floats(op, a, b))))
        }
        _ => Err(Fault::operands(op)),
    }
}

fn is_float_comparison(op: Op) -> bool {
    (Op::LessOrGreater..=Op::Unordered).contains(&op) || (Op::FOrdEqual..=Op::FUnordGreaterThanEqual).contains(&op)
}

/// SPIR-V defines this for vectors of booleans. OpenCL compilers also emit it for integers, where the highest bit is tested.
fn quantified(op: Op, vector: &Value) -> Result<Value, Fault> {
    let elements = vector.elements().unwrap_or(std::slice::from_ref(vector));
    if elements.iter().any(Value::is_undefined) {
        return Ok(Value::Undefined);
    }
    let truth = |element: &Value| match element {
        Value::Int { width, bits } => Some(sign_extended(*width, *bits) < 0),
        element => element.as_bool(),
    };
    let bools: Option<Vec<bool>> = elements.iter().map(truth).collect();
    let bools = bools.ok_or_else(|| Fault::operands(op))?;
    Ok(Value::Bool(if op == Op::Any { bools.contains(&true) } else { !bools.contains(&false) }))
}

fn classified(op: Op, a: &Value) -> Result<Value, Fault> {
    let classify = |width: u8, a: f64| match op {
        Op::IsNan => a.is_nan(),
        Op::IsInf => a.is_infinite(),
        Op::IsFinite => a.is_finite(),
        _ => a.is_finite() && a.abs() >= least_normal(width),
    };
    unary(a, float_one(op, |width, a| Value::Bool(classify(width, a))))
}

/// Also for NaN.
fn has_sign(a: &Value) -> Result<Value, Fault> {
    match a {
        Value::Float { width, bits } => Ok(Value::Bool(bits >> (width - 1) == 1)),
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(Op::SignBitSet)),
    }
}

fn least_normal(width: u8) -> f64 {
    match width {
        16 => 2f64.powi(-14),
        32 => f64::from(f32::MIN_POSITIVE),
        _ => f64::MIN_POSITIVE,
    }
}

fn bool_one(op: Op, operation: impl Fn(bool) -> bool) -> impl Fn(&Value) -> Result<Value, Fault> {
    move |a| match a {
        Value::Bool(a) => Ok(Value::Bool(operation(*a))),
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(op)),
    }
}

fn bool_pair(op: Op, operation: impl Fn(bool, bool) -> bool) -> impl Fn(&Value, &Value) -> Result<Value, Fault> {
    move |a, b| match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(operation(*a, *b))),
        (Value::Undefined | Value::Bool(_), Value::Undefined | Value::Bool(_)) => Ok(Value::Undefined),
        _ => Err(Fault::operands(op)),
    }
}

fn logical(op: Op, a: bool, b: bool) -> bool {
    match op {
        Op::LogicalEqual => a == b,
        Op::LogicalNotEqual => a != b,
        Op::LogicalOr => a || b,
        _ => a && b,
    }
}

/// A scalar condition selects between values of any type, a vector of conditions element by element.
fn select(condition: &Value, a: &Value, b: &Value) -> Result<Value, Fault> {
    let choose = |[condition, a, b]: [&Value; 3]| match condition {
        Value::Bool(condition) => Ok(if *condition { a.clone() } else { b.clone() }),
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(Op::Select)),
    };
    match condition {
        Value::Composite(_) => ternary(Op::Select, [condition, a, b], choose),
        _ => choose([condition, a, b]),
    }
}

fn integers(op: Op, width: u8, a: u64, b: u64) -> bool {
    let (signed_a, signed_b) = (sign_extended(width, a), sign_extended(width, b));
    match op {
        Op::IEqual => a == b,
        Op::INotEqual => a != b,
        Op::UGreaterThan => a > b,
        Op::SGreaterThan => signed_a > signed_b,
        Op::UGreaterThanEqual => a >= b,
        Op::SGreaterThanEqual => signed_a >= signed_b,
        Op::ULessThan => a < b,
        Op::SLessThan => signed_a < signed_b,
        Op::ULessThanEqual => a <= b,
        Op::SLessThanEqual => signed_a <= signed_b,
        _ => unreachable!("the caller gives comparisons of integers"),
    }
}

/// For NaN, an ordered comparison is false and an unordered one true.
fn floats(op: Op, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match op {
        Op::LessOrGreater => !unordered && a != b,
        Op::Ordered => !unordered,
        Op::Unordered => unordered,
        Op::FOrdEqual => a == b,
        Op::FUnordEqual => unordered || a == b,
        Op::FOrdNotEqual => !unordered && a != b,
        Op::FUnordNotEqual => unordered || a != b,
        Op::FOrdLessThan => a < b,
        Op::FUnordLessThan => unordered || a < b,
        Op::FOrdGreaterThan => a > b,
        Op::FUnordGreaterThan => unordered || a > b,
        Op::FOrdLessThanEqual => a <= b,
        Op::FUnordLessThanEqual => unordered || a <= b,
        Op::FOrdGreaterThanEqual => a >= b,
        Op::FUnordGreaterThanEqual => unordered || a >= b,
        _ => unreachable!("the caller gives comparisons of floats"),
    }
}
