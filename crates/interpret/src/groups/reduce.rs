//! Reductions and scans across a group, in the order of the lanes' numbers.
//!
//! ```text
//! values            a      b      c      d
//! reduce            abcd   abcd   abcd   abcd
//! inclusive scan    a      ab     abc    abcd
//! exclusive scan    1      a      ab     abc
//! clusters of two   ab     ab     cd     cd
//! ```
//!
//! A cluster larger than the subgroup gives an undefined result.

use reconverge_ir::Op;
use spirv::GroupOperation;

use crate::Value;
use crate::compute::lift::{binary, float_pair, int_pair};
use crate::compute::{self, Operation};
use crate::fault::Fault;
use crate::groups::{ARGUMENT, GroupCall};
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::value::{mask, sign_extended};

/// One result for each member.
pub(crate) fn evaluate(call: &GroupCall<'_>) -> Result<Vec<Value>, Fault> {
    let operation = call.literals.first().copied().ok_or_else(|| Fault::operands(call.op))?;
    let named = GroupOperation::from_u32(operation);
    let cluster = if named == Some(GroupOperation::ClusteredReduce) { call.cluster(0, ARGUMENT)? } else { None };
    if cluster.is_some_and(|size| size > u64::from(call.subgroup_size)) {
        return Ok(call.each(|_| Value::Undefined));
    }
    let size = cluster.unwrap_or(u64::from(call.size()));
    let mut results = Vec::with_capacity(call.members.len());
    let mut rest = 0;
    while rest < call.members.len() {
        let cluster = u64::from(call.members[rest].number) / size;
        let end = call.members.partition_point(|member| u64::from(member.number) / size <= cluster);
        combine_cluster(call, rest..end, operation, &mut results)?;
        rest = end;
    }
    Ok(results)
}

fn combine_cluster(
    call: &GroupCall<'_>,
    members: std::ops::Range<usize>,
    operation: u32,
    results: &mut Vec<Value>,
) -> Result<(), Fault> {
    use GroupOperation::{ClusteredReduce, ExclusiveScan, InclusiveScan, Reduce};
    let first = results.len();
    let named = GroupOperation::from_u32(operation);
    let mut so_far: Option<Value> = None;
    for member in members.clone() {
        let value = call.value(member)?;
        let next = match &so_far {
            Some(so_far) => combine(call, so_far, value)?,
            None => value.clone(),
        };
        let before = so_far.replace(next.clone());
        results.push(match (named, before) {
            (Some(Reduce | ClusteredReduce | InclusiveScan), _) => next,
            (Some(ExclusiveScan), Some(before)) => before,
            (Some(ExclusiveScan), None) => identity(call.types, call.ty, call.op)?,
            _ => return Err(Fault::unsupported(format!("group operation {operation} of {}", call.op.name()))),
        });
    }
    if let (Some(Reduce | ClusteredReduce), Some(all)) = (named, so_far) {
        results[first..].fill(all);
    }
    Ok(())
}

fn combine(call: &GroupCall<'_>, a: &Value, b: &Value) -> Result<Value, Fault> {
    use Op::*;
    let op = call.op;
    let signed = |value: u64, width: u8| sign_extended(width, value);
    let plain = match op {
        GroupIAdd | GroupNonUniformIAdd => IAdd,
        GroupFAdd | GroupNonUniformFAdd => FAdd,
        GroupNonUniformIMul => IMul,
        GroupNonUniformFMul => FMul,
        GroupNonUniformBitwiseAnd => BitwiseAnd,
        GroupNonUniformBitwiseOr => BitwiseOr,
        GroupNonUniformBitwiseXor => BitwiseXor,
        GroupNonUniformLogicalAnd => LogicalAnd,
        GroupNonUniformLogicalOr => LogicalOr,
        GroupNonUniformLogicalXor => LogicalNotEqual,
        GroupFMin | GroupNonUniformFMin => {
            return binary(op, a, b, float_pair(op, |width, a, b| Value::float(width, a.min(b))));
        }
        GroupFMax | GroupNonUniformFMax => {
            return binary(op, a, b, float_pair(op, |width, a, b| Value::float(width, a.max(b))));
        }
        _ => {
            let choose = |width: u8, a: u64, b: u64| match op {
                GroupUMin | GroupNonUniformUMin => a.min(b),
                GroupUMax | GroupNonUniformUMax => a.max(b),
                GroupSMin | GroupNonUniformSMin if signed(b, width) < signed(a, width) => b,
                GroupSMax | GroupNonUniformSMax if signed(b, width) > signed(a, width) => b,
                _ => a,
            };
            return binary(op, a, b, int_pair(op, |width, a, b| Ok(Value::int(width, choose(width, a, b)))));
        }
    };
    compute::evaluate(&Operation { op: plain, ty: call.ty, literals: &[], types: call.types }, &[a, b])
}

/// The initial value of an exclusive scan.
fn identity(types: &TypeTable, ty: TypeId, op: Op) -> Result<Value, Fault> {
    let (element, count) = match types.kind(ty) {
        Some(TypeKind::Sequence { element, count, .. }) => (*element, Some(*count as usize)),
        _ => (ty, None),
    };
    let scalar = match types.kind(element) {
        Some(TypeKind::Bool) => Value::Bool(op == Op::GroupNonUniformLogicalAnd),
        Some(&TypeKind::Int(width)) => Value::int(width, integer_identity(op, width)),
        Some(&TypeKind::Float(width)) => Value::float(width, float_identity(op)),
        _ => return Err(Fault::operands(op)),
    };
    Ok(match count {
        Some(count) => Value::composite(vec![scalar; count]),
        None => scalar,
    })
}

fn integer_identity(op: Op, width: u8) -> u64 {
    let greatest = mask(width) >> 1;
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
