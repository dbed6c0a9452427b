//! Fast paths for the most frequent operations: integers of one width, pointer offsets, scalar loads.
//!
//! If these functions cannot complete an operation, the general path is used, which has the same semantics. The fast paths write results
//! directly to registers, without passing them through several calls by value.

use reconverge_ir::Op;

use crate::Value;
use crate::code::instruction::{Chain, Instruction};
use crate::fault::Fault;
use crate::lanes::access::address;
use crate::lanes::frame::Lane;
use crate::memory::Memory;
use crate::memory::check_alignment;
use crate::types::TypeKind;
use crate::value::{mask, sign_extended};

/// Computes an instruction on integers. Returns whether it did.
#[inline]
pub(crate) fn compute(lane: &mut Lane<'_>, instruction: &Instruction, op: Op) -> bool {
    match *lane.operands(instruction.operands) {
        [a, b] => match (lane.peek(a), lane.peek(b)) {
            (Some(&Value::Int { width, bits: a }), Some(&Value::Int { width: other, bits: b })) if width == other => {
                if let Some(bits) = arithmetic(op, width, a, b) {
                    lane.write(instruction.result, Value::Int { width, bits: bits & mask(width) });
                    return true;
                }
                if let Some(result) = comparison(op, width, a, b) {
                    lane.write(instruction.result, Value::Bool(result));
                    return true;
                }
                false
            }
            _ => false,
        },
        [a] if instruction.literals.len() == 0 => match (op, lane.peek(a), lane.program.types.kind(instruction.ty)) {
            (Op::UConvert, Some(&Value::Int { bits, .. }), Some(&TypeKind::Int(to))) => {
                lane.write(instruction.result, Value::Int { width: to, bits: bits & mask(to) });
                true
            }
            (Op::SConvert, Some(&Value::Int { width, bits }), Some(&TypeKind::Int(to))) => {
                let bits = sign_extended(width, bits).cast_unsigned() & mask(to);
                lane.write(instruction.result, Value::Int { width: to, bits });
                true
            }
            (Op::CopyObject, Some(&Value::Pointer(pointer)), _) => {
                lane.write(instruction.result, Value::Pointer(pointer));
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// The bits of a result that cannot fail, before truncation.
fn arithmetic(op: Op, width: u8, a: u64, b: u64) -> Option<u64> {
    Some(match op {
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        Op::ShiftLeftLogical if b < u64::from(width) => a << b,
        Op::ShiftRightLogical if b < u64::from(width) => a >> b,
        Op::ShiftRightArithmetic if b < u64::from(width) => (sign_extended(width, a) >> b).cast_unsigned(),
        Op::UDiv if b != 0 => a / b,
        Op::UMod if b != 0 => a % b,
        _ => return None,
    })
}

fn comparison(op: Op, width: u8, a: u64, b: u64) -> Option<bool> {
    let (signed_a, signed_b) = (sign_extended(width, a), sign_extended(width, b));
    Some(match op {
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
        _ => return None,
    })
}

/// Follows an access chain with at most one dynamic index, which is in bounds. Returns whether it did.
#[inline]
pub(crate) fn follow(lane: &mut Lane<'_>, instruction: &Instruction, chain: &Chain) -> bool {
    let operands = lane.operands(instruction.operands);
    let Some((&base, indices)) = operands.split_first() else { return false };
    let Some(&Value::Pointer(pointer)) = lane.peek(base) else { return false };
    let bytes = match (&chain.steps[..], indices) {
        ([], _) => 0,
        ([step], [index]) => {
            let Some(&Value::Int { width, bits }) = lane.peek(*index) else { return false };
            let index = sign_extended(width, bits);
            match index.checked_mul(step.stride) {
                Some(bytes) if step.limit.is_none_or(|limit| index.cast_unsigned() < limit) => bytes,
                _ => return false,
            }
        }
        _ => return false,
    };
    lane.write(instruction.result, Value::Pointer(pointer.advanced(chain.offset).advanced(bytes)));
    true
}

/// Loads a defined integer or float, without race detection. Returns whether it did.
#[inline]
pub(crate) fn load(
    memory: &Memory,
    lane: &mut Lane<'_>,
    instruction: &Instruction,
    alignment: u32,
) -> Result<bool, Fault> {
    let types = &lane.program.types;
    let (Some(TypeKind::Int(_) | TypeKind::Float(_)), None) = (types.kind(instruction.ty), &memory.watch) else {
        return Ok(false);
    };
    let pointer = address(lane, lane.first(instruction.operands)?)?;
    check_alignment(pointer, alignment)?;
    let Some(bits) = memory.load_word(pointer, types.extent(instruction.ty))? else { return Ok(false) };
    match types.kind(instruction.ty) {
        Some(&TypeKind::Int(width)) => lane.write(instruction.result, Value::Int { width, bits }),
        Some(&TypeKind::Float(width)) => lane.write(instruction.result, Value::Float { width, bits }),
        _ => unreachable!("the kind was looked at"),
    }
    Ok(true)
}
