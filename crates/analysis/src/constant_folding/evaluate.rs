//! The results of operations on scalars.
//!
//! Integers wrap. Operations that SPIR-V leaves undefined (division by zero, a shift by the width or more, a field outside the integer)
//! have no result here.
//!
//! Floats have a result if addition, subtraction, multiplication and division are exact, since devices differ in rounding, and if operands
//! and result are normal or zero, since devices differ in the treatment of subnormal numbers. Operations on NaN or infinity are not
//! computed either, because a device may not support them; comparisons and classifications follow IEEE 754. A zero has IEEE's sign for
//! rounding to nearest, which is also that for rounding towards zero.

use reconverge_ir::Op;

use super::scalar::{Number, Scalar, ScalarKind, mask, signed};

/// Above this the error of a product of 64 bits is not a subnormal number.
const SMALL: f64 = 1e-280;

/// The result of an operation for these operands; `None` if it is not known or not the same on every device. `result` is the type of the
/// result.
pub fn evaluate_scalars(op: Op, result: ScalarKind, operands: &[Scalar]) -> Option<Scalar> {
    match *operands {
        [value] => evaluate_one(op, result, value),
        [left, right] => evaluate_two(op, result, left, right),
        [condition, yes, no] if op == Op::Select => Some(if condition.as_bool()? { yes } else { no }),
        [base, offset, count] => extract_field(op, base, offset, count),
        [base, insert, offset, count] if op == Op::BitFieldInsert => insert_field(base, insert, offset, count),
        _ => None,
    }
}

fn evaluate_one(op: Op, result: ScalarKind, value: Scalar) -> Option<Scalar> {
    match (value.kind, result) {
        _ if op == Op::CopyObject => Some(value),
        (ScalarKind::Bool, ScalarKind::Bool) => (op == Op::LogicalNot).then(|| Scalar::bool(value.bits == 0)),
        (ScalarKind::Int(width), ScalarKind::Int(to)) => one_integer(op, to, width, value.bits),
        (ScalarKind::Int(width), ScalarKind::Float(to)) => integer_to_float(op, to, width, value.bits),
        (ScalarKind::Float(_), ScalarKind::Bool) => classify(op, value),
        (ScalarKind::Float(width), ScalarKind::Float(to)) => one_float(op, to, width, value),
        (ScalarKind::Float(width), ScalarKind::Int(to)) => match op {
            Op::Bitcast => (width == to).then(|| Scalar::new(result, value.bits)),
            _ => float_to_integer(op, to, value.as_float()?),
        },
        _ => None,
    }
}

fn one_integer(op: Op, to: u32, width: u32, bits: u64) -> Option<Scalar> {
    let new = |bits: u64| Some(Scalar::new(ScalarKind::Int(to), bits));
    match op {
        Op::Not if to == width => new(!bits),
        Op::SNegate if to == width => new(bits.wrapping_neg()),
        Op::Bitcast if to == width => new(bits),
        Op::BitReverse if to == width => new(bits.reverse_bits() >> (64 - width)),
        Op::BitCount => new(u64::from(bits.count_ones())),
        Op::UConvert => new(bits),
        Op::SConvert => new(signed(width, bits) as u64),
        Op::SatConvertSToU => new((signed(width, bits).max(0) as u64).min(mask(to))),
        Op::SatConvertUToS => new(bits.min(mask(to) >> 1)),
        _ => None,
    }
}

fn integer_to_float(op: Op, to: u32, width: u32, bits: u64) -> Option<Scalar> {
    let exact = |value: f64, integer: i128| (value as i128 == integer).then_some(value);
    let value = match op {
        Op::ConvertSToF => exact(signed(width, bits) as f64, i128::from(signed(width, bits))),
        Op::ConvertUToF => exact(bits as f64, i128::from(bits)),
        Op::Bitcast if to == width => return Some(Scalar::new(ScalarKind::Float(to), bits)),
        _ => None,
    };
    Scalar::float(to, value?)
}

/// Rounds towards zero, which is the same everywhere, if the result fits.
fn float_to_integer(op: Op, to: u32, value: f64) -> Option<Scalar> {
    let integer = value.trunc() as i128;
    let (least, greatest) = match op {
        Op::ConvertFToU => (0, i128::from(mask(to))),
        Op::ConvertFToS => (-i128::from(mask(to) >> 1) - 1, i128::from(mask(to) >> 1)),
        _ => return None,
    };
    (least..=greatest).contains(&integer).then(|| Scalar::new(ScalarKind::Int(to), integer as u64))
}

fn classify(op: Op, value: Scalar) -> Option<Scalar> {
    let number = match value.number()? {
        Number::Ordered(number) => Some(number),
        Number::Nan => None,
        Number::Subnormal => return None,
    };
    let holds = match op {
        Op::IsNan => number.is_none(),
        Op::IsInf => number.is_some_and(f64::is_infinite),
        Op::IsFinite => number.is_some_and(f64::is_finite),
        Op::IsNormal => number.is_some_and(|number| number.is_finite() && number != 0.0),
        Op::SignBitSet => number?.is_sign_negative(),
        _ => return None,
    };
    Some(Scalar::bool(holds))
}

fn one_float(op: Op, to: u32, width: u32, value: Scalar) -> Option<Scalar> {
    match op {
        Op::Bitcast if to == width => Some(value),
        Op::FNegate if to == width => match value.number()? {
            Number::Ordered(_) => Some(Scalar::new(value.kind, value.bits ^ 1 << (width - 1))),
            Number::Nan | Number::Subnormal => None,
        },
        Op::FConvert => Scalar::float(to, value.as_float()?),
        Op::QuantizeToF16 if to == width => {
            let value = value.as_float()?;
            Scalar::float(16, value).and(Scalar::float(to, value))
        }
        _ => None,
    }
}

fn evaluate_two(op: Op, result: ScalarKind, left: Scalar, right: Scalar) -> Option<Scalar> {
    match (left.kind, right.kind) {
        (ScalarKind::Bool, ScalarKind::Bool) => {
            let (left, right) = (left.bits == 1, right.bits == 1);
            match op {
                Op::LogicalAnd => Some(Scalar::bool(left && right)),
                Op::LogicalOr => Some(Scalar::bool(left || right)),
                Op::LogicalEqual => Some(Scalar::bool(left == right)),
                Op::LogicalNotEqual => Some(Scalar::bool(left != right)),
                _ => None,
            }
        }
        (ScalarKind::Int(width), ScalarKind::Int(by)) if is_shift(op) => {
            shift(op, width, left.bits, right.bits & mask(by))
        }
        (ScalarKind::Int(width), ScalarKind::Int(other)) if width == other => match result {
            ScalarKind::Bool => compare_integers(op, width, left.bits, right.bits),
            ScalarKind::Int(to) if to == width => integers(op, width, left.bits, right.bits),
            _ => None,
        },
        (ScalarKind::Float(width), ScalarKind::Float(other)) if width == other => match result {
            ScalarKind::Bool => compare_floats(op, left.number()?, right.number()?),
            _ => floats(op, width, left.as_float()?, right.as_float()?),
        },
        _ => None,
    }
}

fn is_shift(op: Op) -> bool {
    matches!(op, Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic)
}

fn shift(op: Op, width: u32, a: u64, by: u64) -> Option<Scalar> {
    let by = (by < u64::from(width)).then_some(by as u32)?;
    let bits = match op {
        Op::ShiftLeftLogical => a << by,
        Op::ShiftRightLogical => a >> by,
        _ => (signed(width, a) >> by) as u64,
    };
    Some(Scalar::new(ScalarKind::Int(width), bits))
}

fn integers(op: Op, width: u32, a: u64, b: u64) -> Option<Scalar> {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let least = signed(width, 1 << (width - 1));
    let divides = sb != 0 && !(sa == least && sb == -1);
    let bits = match op {
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b)?,
        Op::UMod => a.checked_rem(b)?,
        Op::SDiv if divides => (sa / sb) as u64,
        Op::SRem if divides => (sa % sb) as u64,
        Op::SMod if divides => {
            let remainder = sa % sb;
            (if remainder != 0 && (remainder < 0) != (sb < 0) { remainder + sb } else { remainder }) as u64
        }
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        _ => return None,
    };
    Some(Scalar::new(ScalarKind::Int(width), bits))
}

fn compare_integers(op: Op, width: u32, a: u64, b: u64) -> Option<Scalar> {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let holds = match op {
        Op::IEqual => a == b,
        Op::INotEqual => a != b,
        Op::ULessThan => a < b,
        Op::ULessThanEqual => a <= b,
        Op::UGreaterThan => a > b,
        Op::UGreaterThanEqual => a >= b,
        Op::SLessThan => sa < sb,
        Op::SLessThanEqual => sa <= sb,
        Op::SGreaterThan => sa > sb,
        Op::SGreaterThanEqual => sa >= sb,
        _ => return None,
    };
    Some(Scalar::bool(holds))
}

/// The low and the high half of a result of two words. For a carry or borrow, the high half is the one bit.
pub(super) fn wide(op: Op, left: Scalar, right: Scalar) -> Option<[Scalar; 2]> {
    let (ScalarKind::Int(width), ScalarKind::Int(other)) = (left.kind, right.kind) else { return None };
    let (a, b) = (left.bits, right.bits);
    let (low, high) = match op {
        _ if width != other => return None,
        Op::IAddCarry => (a.wrapping_add(b), ((u128::from(a) + u128::from(b)) >> width) as u64),
        Op::ISubBorrow => (a.wrapping_sub(b), u64::from(a < b)),
        Op::UMulExtended => (a.wrapping_mul(b), ((u128::from(a) * u128::from(b)) >> width) as u64),
        Op::SMulExtended => {
            let product = i128::from(signed(width, a)) * i128::from(signed(width, b));
            (product as u64, (product >> width) as u64)
        }
        _ => return None,
    };
    Some([low, high].map(|bits| Scalar::new(left.kind, bits)))
}

fn compare_floats(op: Op, a: Number, b: Number) -> Option<Scalar> {
    let ordered = match (a, b) {
        (Number::Subnormal, _) | (_, Number::Subnormal) => return None,
        (Number::Ordered(a), Number::Ordered(b)) => Some((a, b)),
        _ => None,
    };
    let holds = |holds: fn(f64, f64) -> bool| ordered.map(|(a, b)| holds(a, b));
    let (ordered_result, otherwise) = match op {
        Op::Ordered => (holds(|_, _| true), false),
        Op::Unordered => (holds(|_, _| false), true),
        Op::LessOrGreater | Op::FOrdNotEqual => (holds(|a, b| a != b), false),
        Op::FUnordNotEqual => (holds(|a, b| a != b), true),
        Op::FOrdEqual => (holds(|a, b| a == b), false),
        Op::FUnordEqual => (holds(|a, b| a == b), true),
        Op::FOrdLessThan => (holds(|a, b| a < b), false),
        Op::FUnordLessThan => (holds(|a, b| a < b), true),
        Op::FOrdLessThanEqual => (holds(|a, b| a <= b), false),
        Op::FUnordLessThanEqual => (holds(|a, b| a <= b), true),
        Op::FOrdGreaterThan => (holds(|a, b| a > b), false),
        Op::FUnordGreaterThan => (holds(|a, b| a > b), true),
        Op::FOrdGreaterThanEqual => (holds(|a, b| a >= b), false),
        Op::FUnordGreaterThanEqual => (holds(|a, b| a >= b), true),
        _ => return None,
    };
    Some(Scalar::bool(ordered_result.unwrap_or(otherwise)))
}

fn floats(op: Op, width: u32, a: f64, b: f64) -> Option<Scalar> {
    let exact = match op {
        Op::FAdd => exact_sum(a, b),
        Op::FSub => exact_sum(a, -b),
        Op::FMul => exact_product(a, b),
        Op::FDiv => exact_quotient(a, b),
        _ => None,
    };
    Scalar::float(width, exact?)
}

/// The sum, if it is exact: the error of a floating sum is computed exactly (Knuth 1969, section 4.2.2).
fn exact_sum(a: f64, b: f64) -> Option<f64> {
    let sum = a + b;
    let part = sum - a;
    ((a - (sum - part)) + (b - part) == 0.0).then_some(sum)
}

/// The product, if it is exact, and if it is not so small that the error itself would be inexact.
fn exact_product(a: f64, b: f64) -> Option<f64> {
    let product = a * b;
    let is_exact = product.abs() > SMALL && a.mul_add(b, -product) == 0.0;
    (is_exact || a == 0.0 || b == 0.0).then_some(product)
}

/// The quotient, if the divisor times it is the dividend.
fn exact_quotient(a: f64, b: f64) -> Option<f64> {
    let quotient = a / b;
    let is_exact = a.abs() > SMALL && quotient.is_normal() && quotient.mul_add(b, -a) == 0.0;
    (b != 0.0 && (is_exact || a == 0.0)).then_some(quotient)
}

/// The number of low bits of a field, and its offset, if it is inside the integer.
fn field(width: u32, offset: Scalar, count: Scalar) -> Option<(u32, u32)> {
    let (ScalarKind::Int(_), ScalarKind::Int(_)) = (offset.kind, count.kind) else { return None };
    let end = offset.bits.checked_add(count.bits)?;
    (end <= u64::from(width)).then_some((offset.bits as u32, count.bits as u32))
}

fn extract_field(op: Op, base: Scalar, offset: Scalar, count: Scalar) -> Option<Scalar> {
    let ScalarKind::Int(width) = base.kind else { return None };
    let (offset, count) = field(width, offset, count)?;
    if count == 0 {
        return matches!(op, Op::BitFieldSExtract | Op::BitFieldUExtract).then(|| Scalar::new(base.kind, 0));
    }
    let bits = base.bits >> offset & mask(count);
    match op {
        Op::BitFieldUExtract => Some(Scalar::new(base.kind, bits)),
        Op::BitFieldSExtract => Some(Scalar::new(base.kind, signed(count, bits) as u64)),
        _ => None,
    }
}

fn insert_field(base: Scalar, insert: Scalar, offset: Scalar, count: Scalar) -> Option<Scalar> {
    let ScalarKind::Int(width) = base.kind else { return None };
    let (offset, count) = field(width, offset, count)?;
    if insert.kind != base.kind {
        return None;
    }
    if count == 0 {
        return Some(base);
    }
    let bits = mask(count);
    Some(Scalar::new(base.kind, base.bits & !(bits << offset) | (insert.bits & bits) << offset))
}
