//! Shifts and bit operations (SPIR-V section 3.3.14).
//!
//! A shift by the width or more, and a bit field that is not inside, have an undefined result. The result of a bit count may have another
//! width than the operand.

use reconverge_ir::Op;

use crate::Value;
use crate::compute::Operation;
use crate::compute::lift::{binary, int_one, int_pair, unary};
use crate::fault::Fault;
use crate::types::TypeKind;
use crate::value::{mask, sign_extended};

/// Evaluates an op of the bit class.
pub(crate) fn evaluate(operation: &Operation<'_>, operands: &[&Value]) -> Result<Value, Fault> {
    let op = operation.op;
    match (op, operands) {
        (Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic, [a, b]) => {
            binary(op, a, b, |value, amount| shift(op, value, amount))
        }
        (Op::BitwiseOr, [a, b]) => binary(op, a, b, int_pair(op, |width, a, b| Ok(Value::int(width, a | b)))),
        (Op::BitwiseXor, [a, b]) => binary(op, a, b, int_pair(op, |width, a, b| Ok(Value::int(width, a ^ b)))),
        (Op::BitwiseAnd, [a, b]) => binary(op, a, b, int_pair(op, |width, a, b| Ok(Value::int(width, a & b)))),
        (Op::Not, [a]) => unary(a, int_one(op, |width, a| Value::int(width, !a))),
        (Op::BitReverse, [a]) => unary(a, int_one(op, |width, a| Value::int(width, a.reverse_bits() >> (64 - width)))),
        (Op::BitCount, [a]) => {
            let width = integer_width(operation).ok_or_else(|| Fault::operands(op))?;
            unary(a, int_one(op, |_, a| Value::int(width, u64::from(a.count_ones()))))
        }
        (Op::BitFieldInsert, [base, insert, offset, count]) => insert_field(base, insert, [offset, count]),
        (Op::BitFieldSExtract | Op::BitFieldUExtract, [base, offset, count]) => {
            extract_field(op, base, [offset, count])
        }
        _ => Err(Fault::op(op)),
    }
}

/// The width of the integers of the result.
fn integer_width(operation: &Operation<'_>) -> Option<u8> {
    let kind = operation.types.kind(operation.ty)?;
    match if let TypeKind::Sequence { element, .. } = kind { operation.types.kind(*element)? } else { kind } {
        TypeKind::Int(width) => Some(*width),
        _ => None,
    }
}

/// The amount may have another width than the value.
fn shift(op: Op, value: &Value, amount: &Value) -> Result<Value, Fault> {
    match (value, amount) {
        (Value::Int { width, .. }, Value::Int { bits: amount, .. }) if *amount >= u64::from(*width) => {
            Ok(Value::Undefined)
        }
        (&Value::Int { width, bits }, Value::Int { bits: amount, .. }) => Ok(Value::int(
            width,
            match op {
                Op::ShiftLeftLogical => bits << amount,
                Op::ShiftRightLogical => bits >> amount,
                _ => (sign_extended(width, bits) >> amount).cast_unsigned(),
            },
        )),
        (Value::Undefined, Value::Int { .. } | Value::Undefined) | (Value::Int { .. }, Value::Undefined) => {
            Ok(Value::Undefined)
        }
        _ => Err(Fault::operands(op)),
    }
}

fn insert_field(base: &Value, insert: &Value, field: [&Value; 2]) -> Result<Value, Fault> {
    let op = Op::BitFieldInsert;
    let Some(field) = Field::new(op, field)? else { return Ok(Value::Undefined) };
    let insert_one = |width: u8, base: u64, insert: u64| {
        let Some(bits) = field.bits(width) else { return Ok(Value::Undefined) };
        Ok(Value::int(width, base & !(bits << field.offset) | (insert & bits) << field.offset))
    };
    // An empty field may begin right after the last bit, where a shift by the offset would be invalid.
    binary(
        op,
        base,
        insert,
        int_pair(op, |width, base, insert| match field.count {
            0 if field.bits(width).is_some() => Ok(Value::int(width, base)),
            _ => insert_one(width, base, insert),
        }),
    )
}

fn extract_field(op: Op, base: &Value, field: [&Value; 2]) -> Result<Value, Fault> {
    let Some(field) = Field::new(op, field)? else { return Ok(Value::Undefined) };
    let extract_one = |width: u8, base: u64| match field.bits(width) {
        None => Value::Undefined,
        Some(0) => Value::int(width, 0),
        Some(bits) if op == Op::BitFieldUExtract => Value::int(width, base >> field.offset & bits),
        Some(bits) => Value::int(width, sign_extended(field.count as u8, base >> field.offset & bits).cast_unsigned()),
    };
    unary(base, int_one(op, extract_one))
}

/// A field of an integer.
#[derive(Clone, Copy)]
struct Field {
    offset: u64,
    count: u64,
}

impl Field {
    /// `None` if the offset or count is undefined.
    fn new(op: Op, [offset, count]: [&Value; 2]) -> Result<Option<Field>, Fault> {
        match (offset, count) {
            (&Value::Int { bits: offset, .. }, &Value::Int { bits: count, .. }) => Ok(Some(Field { offset, count })),
            (Value::Int { .. } | Value::Undefined, Value::Int { .. } | Value::Undefined) => Ok(None),
            _ => Err(Fault::operands(op)),
        }
    }

    /// A mask of the low bits of a field, if the field is inside an integer of that width.
    fn bits(self, width: u8) -> Option<u64> {
        let inside = self.offset.checked_add(self.count).is_some_and(|end| end <= u64::from(width));
        inside.then(|| if self.count == 0 { 0 } else { mask(self.count as u8) })
    }
}
