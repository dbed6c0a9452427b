//! Arithmetic of integers and floating-point numbers (SPIR-V section 3.3.13).
//!
//! Integers wrap. A division without a result is reported at once, since the op may trap. Sums, differences, products and quotients of
//! floats are those of IEEE 754, rounded to nearest even; for 16 and 32 bits they are computed in 64 bits and rounded again, which gives
//! the same results (see `half.rs`). NaN results have fixed bits, so that equal runs give equal bits.

use reconverge_ir::Op;

use crate::compute::Operation;
use crate::compute::lift::{binary, float_pair, int_one, int_pair, unary};
use crate::fault::{Fault, UndefinedBehaviour};
use crate::value::sign_extended;
use crate::{Value, compute::integer_dot, compute::matrix};

/// Evaluates an op of the arithmetic class.
pub(crate) fn evaluate(operation: &Operation<'_>, operands: &[&Value]) -> Result<Value, Fault> {
    use Op::{FAdd, FDiv, FMod, FMul, FNegate, FRem, FSub, SNegate};
    let op = operation.op;
    match (op, operands) {
        (SNegate, [a]) => unary(a, int_one(op, |width, a| Value::int(width, a.wrapping_neg()))),
        (FNegate, [a]) => unary(a, negate),
        (FAdd | FSub | FMul | FDiv | FRem | FMod, [a, b]) => {
            binary(op, a, b, float_pair(op, |width, a, b| float(op, width, a, b)))
        }
        (Op::IAdd | Op::ISub | Op::IMul, [a, b]) => {
            binary(op, a, b, int_pair(op, |width, a, b| Ok(wrapping(op, width, a, b))))
        }
        (Op::UDiv | Op::SDiv | Op::UMod | Op::SRem | Op::SMod, [a, b]) => binary(op, a, b, |a, b| divide(op, a, b)),
        (Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended, [a, b]) => {
            let half = |high: usize| {
                binary(op, a, b, int_pair(op, move |width, a, b| Ok(extended(op, width, a, b)[high].clone())))
            };
            Ok(Value::composite(vec![half(0)?, half(1)?]))
        }
        (Op::SDot | Op::UDot | Op::SUDot | Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat, _) => {
            integer_dot::evaluate(operation, operands)
        }
        _ => matrix::evaluate(op, operands),
    }
}

fn negate(a: &Value) -> Result<Value, Fault> {
    match a {
        Value::Float { width, bits } => Ok(Value::Float { width: *width, bits: bits ^ 1 << (width - 1) }),
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(Op::FNegate)),
    }
}

/// The float of that width nearest to `value`; NaN has fixed bits.
pub(crate) fn rounded(width: u8, value: f64) -> Value {
    Value::float(width, if value.is_nan() { f64::NAN } else { value })
}

/// Floating-point arithmetic on two scalars of one width.
pub(crate) fn float(op: Op, width: u8, a: f64, b: f64) -> Value {
    rounded(
        width,
        match op {
            Op::FAdd => a + b,
            Op::FSub => a - b,
            Op::FMul => a * b,
            Op::FDiv => a / b,
            Op::FRem => a % b,
            Op::FMod => floored_remainder(a, b),
            _ => unreachable!("the caller lists the ops"),
        },
    )
}

/// The remainder with the sign of the divisor.
fn floored_remainder(a: f64, b: f64) -> f64 {
    let remainder = a % b;
    if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) { remainder + b } else { remainder.copysign(b) }
}

fn wrapping(op: Op, width: u8, a: u64, b: u64) -> Value {
    let bits = match op {
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        _ => a.wrapping_mul(b),
    };
    Value::int(width, bits)
}

fn divide(op: Op, a: &Value, b: &Value) -> Result<Value, Fault> {
    if matches!((a, b), (Value::Int { .. } | Value::Undefined, Value::Undefined)) {
        return Err(UndefinedBehaviour::UndefinedDivisor.into());
    }
    if matches!((a, b), (Value::Undefined, Value::Int { bits: 0, .. })) {
        return Err(UndefinedBehaviour::DivisionByZero.into());
    }
    int_pair(op, |width, a, b| quotient(op, width, a, b))(a, b)
}

fn quotient(op: Op, width: u8, a: u64, b: u64) -> Result<Value, Fault> {
    if b == 0 {
        return Err(UndefinedBehaviour::DivisionByZero.into());
    }
    let (signed_a, signed_b) = (sign_extended(width, a), sign_extended(width, b));
    let least = i64::MIN >> (64 - width);
    if !matches!(op, Op::UDiv | Op::UMod) && signed_a == least && signed_b == -1 {
        return Err(UndefinedBehaviour::DivisionOverflow.into());
    }
    let bits = match op {
        Op::UDiv => a / b,
        Op::UMod => a % b,
        Op::SDiv => (signed_a / signed_b).cast_unsigned(),
        Op::SRem => (signed_a % signed_b).cast_unsigned(),
        _ => floored_modulo(signed_a, signed_b).cast_unsigned(),
    };
    Ok(Value::int(width, bits))
}

/// The remainder with the sign of the divisor.
fn floored_modulo(a: i64, b: i64) -> i64 {
    let remainder = a % b;
    if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
}

/// Both halves of a two-word result: low, and carry, borrow or high.
fn extended(op: Op, width: u8, a: u64, b: u64) -> [Value; 2] {
    let (low, high) = match op {
        Op::IAddCarry => {
            let sum = u128::from(a) + u128::from(b);
            (sum as u64, (sum >> width) as u64)
        }
        Op::ISubBorrow => (a.wrapping_sub(b), u64::from(a < b)),
        Op::UMulExtended => {
            let product = u128::from(a) * u128::from(b);
            (product as u64, (product >> width) as u64)
        }
        _ => {
            let product = i128::from(sign_extended(width, a)) * i128::from(sign_extended(width, b));
            (product as u64, (product >> width) as u64)
        }
    };
    [Value::int(width, low), Value::int(width, high)]
}
