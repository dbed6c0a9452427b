//! Operations across a group that has one lane: what each gives when nobody else takes part.

use reconverge_ir::Op;

use crate::Value;
use crate::code::Instruction;
use crate::frame::Lane;
use crate::outcome::Fault;
use crate::types::Kind;

/// The group operation of a scan that leaves the own lane out (SPIR-V section 3.2.28).
const EXCLUSIVE_SCAN: u32 = 2;

/// The result of a group operation in a group of one lane.
pub(crate) fn evaluate(lane: &Lane<'_>, instruction: &Instruction, op: Op) -> Result<Value, Fault> {
    let operand = |index| lane.operand(instruction.operands, index);
    let is_exclusive = lane.frame.code.literals[instruction.literals.range()].first() == Some(&EXCLUSIVE_SCAN);
    Ok(match op {
        Op::GroupNonUniformElect | Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => Value::Bool(true),
        Op::GroupAll | Op::GroupAny | Op::GroupNonUniformAll | Op::GroupNonUniformAny => operand(1)?.clone(),
        Op::GroupNonUniformBroadcastFirst | Op::GroupNonUniformRotateKHR => operand(1)?.clone(),
        Op::SubgroupAllKHR | Op::SubgroupAnyKHR | Op::SubgroupFirstInvocationKHR => operand(0)?.clone(),
        Op::GroupBroadcast
        | Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformShuffle
        | Op::GroupNonUniformShuffleXor
        | Op::GroupNonUniformShuffleUp
        | Op::GroupNonUniformShuffleDown
        | Op::GroupNonUniformQuadBroadcast => of_lane(operand(2)?, operand(1)?),
        Op::SubgroupReadInvocationKHR => of_lane(operand(1)?, operand(0)?),
        Op::GroupNonUniformQuadSwap => Value::Undefined,
        Op::GroupNonUniformBallot => ballot(operand(1)?),
        Op::SubgroupBallotKHR => ballot(operand(0)?),
        Op::GroupNonUniformInverseBallot => bit(operand(1)?).map_or(Value::Undefined, Value::Bool),
        Op::GroupNonUniformBallotBitExtract => match operand(2)? {
            Value::Int { bits: 0, .. } => bit(operand(1)?).map_or(Value::Undefined, Value::Bool),
            _ => Value::Undefined,
        },
        Op::GroupNonUniformBallotBitCount => match (bit(operand(1)?), is_exclusive) {
            (Some(bit), false) => Value::u32(u32::from(bit)),
            (Some(_), true) => Value::u32(0),
            (None, _) => Value::Undefined,
        },
        Op::GroupNonUniformBallotFindLSB | Op::GroupNonUniformBallotFindMSB => match bit(operand(1)?) {
            Some(true) => Value::u32(0),
            _ => Value::Undefined,
        },
        _ if !is_reduction(op) => return Err(Fault::op(op)),
        _ if is_exclusive => identity(lane, instruction, op)?,
        _ => operand(1)?.clone(),
    })
}

/// The value, if the lane asked for is the one that there is.
fn of_lane(index: &Value, value: &Value) -> Value {
    let zero = |index: &Value| matches!(index, Value::Int { bits: 0, .. });
    let is_own = match index {
        Value::Composite(indices) => indices.iter().all(zero),
        index => zero(index),
    };
    if is_own { value.clone() } else { Value::Undefined }
}

fn ballot(vote: &Value) -> Value {
    match vote {
        Value::Bool(vote) => {
            Value::composite(vec![Value::u32(u32::from(*vote)), Value::u32(0), Value::u32(0), Value::u32(0)])
        }
        _ => Value::Undefined,
    }
}

/// The vote of the one lane in a ballot.
fn bit(ballot: &Value) -> Option<bool> {
    match ballot.elements()?.first()? {
        Value::Int { bits, .. } => Some(bits & 1 == 1),
        _ => None,
    }
}

fn is_reduction(op: Op) -> bool {
    (Op::GroupIAdd..=Op::GroupSMax).contains(&op)
        || (Op::GroupNonUniformIAdd..=Op::GroupNonUniformLogicalXor).contains(&op)
}

/// What an exclusive scan begins with.
fn identity(lane: &Lane<'_>, instruction: &Instruction, op: Op) -> Result<Value, Fault> {
    let types = &lane.program.types;
    let (element, count) = match types.kind(instruction.ty) {
        Some(Kind::Sequence { element, count, .. }) => (*element, Some(*count as usize)),
        _ => (instruction.ty, None),
    };
    let scalar = match types.kind(element) {
        Some(Kind::Bool) => Value::Bool(op == Op::GroupNonUniformLogicalAnd),
        Some(&Kind::Int(width)) => Value::int(width, integer_identity(op, width)),
        Some(&Kind::Float(width)) => Value::float(width, float_identity(op)),
        _ => return Err(Fault::operands(op)),
    };
    Ok(match count {
        Some(count) => Value::composite(vec![scalar; count]),
        None => scalar,
    })
}

fn integer_identity(op: Op, width: u8) -> u64 {
    let greatest = crate::value::mask(width) >> 1;
    match op {
        Op::GroupNonUniformIMul => 1,
        Op::GroupUMin | Op::GroupNonUniformUMin | Op::GroupNonUniformBitwiseAnd => u64::MAX,
        Op::GroupSMin | Op::GroupNonUniformSMin => greatest,
        Op::GroupSMax | Op::GroupNonUniformSMax => !greatest,
        _ => 0,
    }
}

fn float_identity(op: Op) -> f64 {
    match op {
        Op::GroupNonUniformFMul => 1.0,
        Op::GroupFMin | Op::GroupNonUniformFMin => f64::INFINITY,
        Op::GroupFMax | Op::GroupNonUniformFMax => f64::NEG_INFINITY,
        _ => 0.0,
    }
}
