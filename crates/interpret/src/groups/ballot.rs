//! Ballots: the votes of a group as bits of a vector of four words, lane 0 lowest.

use reconverge_ir::Op;
use spirv::GroupOperation;

use crate::Value;
use crate::fault::Fault;
use crate::groups::{ARGUMENT, GroupCall, VALUE};

/// One result for each member.
pub(crate) fn evaluate(call: &GroupCall<'_>) -> Result<Vec<Value>, Fault> {
    if matches!(call.op, Op::GroupNonUniformBallot | Op::SubgroupBallotKHR) {
        return cast(call);
    }
    if call.op == Op::GroupNonUniformInverseBallot {
        call.check_uniform(VALUE)?;
    }
    (0..call.members.len()).map(|member| of_member(call, member)).collect()
}

fn cast(call: &GroupCall<'_>) -> Result<Vec<Value>, Fault> {
    let mut bits = 0u128;
    for (index, member) in call.members.iter().enumerate() {
        match call.value(index)? {
            Value::Bool(vote) => bits |= u128::from(*vote).checked_shl(member.number).unwrap_or(0),
            Value::Undefined => return Ok(call.each(|_| Value::Undefined)),
            _ => return Err(Fault::operands(call.op)),
        }
    }
    let ballot = vector(bits);
    Ok(call.each(|_| ballot.clone()))
}

/// Four words with these bits.
pub(crate) fn vector(bits: u128) -> Value {
    Value::composite((0..4).map(|word| Value::u32((bits >> (32 * word)) as u32)).collect())
}

/// The result of a member for the ballot in its first operand.
fn of_member(call: &GroupCall<'_>, member: usize) -> Result<Value, Fault> {
    let own = call.members[member].number;
    let Some(ballot) = bits(call.value(member)?) else { return Ok(Value::Undefined) };
    let below = |count: u32| 1u128.checked_shl(count).map_or(u128::MAX, |bit| bit - 1);
    let counted = ballot & below(call.size());
    let number = |bits: u32| call.types.integer(call.ty, u64::from(bits)).ok_or_else(|| Fault::operands(call.op));
    match call.op {
        Op::GroupNonUniformInverseBallot => Ok(Value::Bool(ballot.checked_shr(own).unwrap_or(0) & 1 == 1)),
        Op::GroupNonUniformBallotBitExtract => Ok(match call.operand(member, ARGUMENT)? {
            Value::Int { bits: index, .. } if *index < u64::from(call.subgroup_size) => {
                Value::Bool(ballot.checked_shr(*index as u32).unwrap_or(0) & 1 == 1)
            }
            _ => Value::Undefined,
        }),
        Op::GroupNonUniformBallotBitCount => {
            let counted = match call.literals.first().and_then(|&operation| GroupOperation::from_u32(operation)) {
                Some(GroupOperation::InclusiveScan) => counted & below(own + 1),
                Some(GroupOperation::ExclusiveScan) => counted & below(own),
                _ => counted,
            };
            number(counted.count_ones())
        }
        _ if counted == 0 => Ok(Value::Undefined),
        Op::GroupNonUniformBallotFindLSB => number(counted.trailing_zeros()),
        _ => number(u128::BITS - 1 - counted.leading_zeros()),
    }
}

fn bits(ballot: &Value) -> Option<u128> {
    let words = ballot.elements()?;
    words.iter().rev().try_fold(0u128, |bits, word| Some(bits << 32 | u128::from(word.as_u32()?)))
}
