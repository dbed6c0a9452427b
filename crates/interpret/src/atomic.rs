//! Atomic operations (SPIR-V section 3.3.18): a load, an operation and a store that nothing comes between.
//!
//! Lanes run one after the other, so the memory semantics, which are about their order, do nothing here.

use reconverge_ir::Op;

use crate::Value;
use crate::access::address;
use crate::code::Instruction;
use crate::compute::{self, Operation};
use crate::frame::Lane;
use crate::lift::{float_pair, int_pair};
use crate::memory::Memory;
use crate::outcome::Fault;
use crate::value::sign_extended;

/// Executes an atomic operation. The operands are the pointer, the scope, the semantics, and then values.
pub(crate) fn execute(
    memory: &mut Memory,
    lane: &Lane<'_>,
    instruction: &Instruction,
    op: Op,
) -> Result<Option<Value>, Fault> {
    let types = &lane.program.types;
    let pointer = address(lane, lane.operand(instruction.operands, 0)?)?;
    let operand = |index| lane.operand(instruction.operands, index);
    if op == Op::AtomicStore {
        memory.store(types, instruction.ty, pointer, operand(3)?)?;
        return Ok(None);
    }
    if op == Op::AtomicFlagClear {
        memory.store(types, instruction.ty, pointer, &types.null(instruction.ty)?)?;
        return Ok(None);
    }
    let old = memory.load(types, instruction.ty, pointer)?;
    let (new, result) = match op {
        Op::AtomicLoad => return Ok(Some(old)),
        Op::AtomicExchange => (operand(3)?.clone(), old),
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => (exchanged(&old, operand(4)?, operand(5)?), old),
        Op::AtomicFlagTestAndSet => match old {
            Value::Int { width, bits } => (Value::int(width, 1), Value::Bool(bits != 0)),
            _ => (Value::Undefined, Value::Undefined),
        },
        Op::AtomicIIncrement | Op::AtomicIDecrement => {
            let step = if op == Op::AtomicIIncrement { 1 } else { u64::MAX };
            let new = int_pair(op, |width, a, _| Ok(Value::int(width, a.wrapping_add(step))))(&old, &old)?;
            (new, old)
        }
        _ => (combined(lane, instruction, op, (&old, operand(3)?))?, old),
    };
    memory.store(types, instruction.ty, pointer, &new)?;
    Ok(Some(result))
}

fn exchanged(old: &Value, new: &Value, expected: &Value) -> Value {
    if old.is_undefined() || expected.is_undefined() {
        return Value::Undefined;
    }
    if old == expected { new.clone() } else { old.clone() }
}

fn combined(
    lane: &Lane<'_>,
    instruction: &Instruction,
    op: Op,
    (old, value): (&Value, &Value),
) -> Result<Value, Fault> {
    let signed_less = |width, a, b| sign_extended(width, a) < sign_extended(width, b);
    let plain = match op {
        Op::AtomicIAdd => Op::IAdd,
        Op::AtomicISub => Op::ISub,
        Op::AtomicAnd => Op::BitwiseAnd,
        Op::AtomicOr => Op::BitwiseOr,
        Op::AtomicXor => Op::BitwiseXor,
        Op::AtomicFAddEXT => Op::FAdd,
        Op::AtomicFMinEXT => return float_pair(op, |width, a, b| Value::float(width, a.min(b)))(old, value),
        Op::AtomicFMaxEXT => return float_pair(op, |width, a, b| Value::float(width, a.max(b)))(old, value),
        Op::AtomicUMin => return int_pair(op, |width, a, b| Ok(Value::int(width, a.min(b))))(old, value),
        Op::AtomicUMax => return int_pair(op, |width, a, b| Ok(Value::int(width, a.max(b))))(old, value),
        Op::AtomicSMin => {
            let least = |width, a, b| Ok(Value::int(width, if signed_less(width, b, a) { b } else { a }));
            return int_pair(op, least)(old, value);
        }
        Op::AtomicSMax => {
            let greatest = |width, a, b| Ok(Value::int(width, if signed_less(width, a, b) { b } else { a }));
            return int_pair(op, greatest)(old, value);
        }
        _ => return Err(Fault::op(op)),
    };
    let operation = Operation { op: plain, ty: instruction.ty, literals: &[], types: &lane.program.types };
    compute::evaluate(&operation, &[old, value])
}
