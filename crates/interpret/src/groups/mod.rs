//! Group operations: the result of each participating lane (SPIR-V sections 3.3.21 and 3.3.24).
//!
//! A group is a work-group or a subgroup. Its lanes are numbered from zero, and some of them execute the operation together. Reading the
//! value of a lane that does not participate gives an undefined value. Operands that must be the same in all lanes are checked.
//!
//! ```text
//! number    0   1   2   3   4   5   6   7          those who take part: 0, 1, 3, 6
//! value     a   b   ·   d   ·   ·   g   ·          shuffle_xor 1: b, a, undefined, undefined
//! ```

pub(crate) mod async_copy;
mod ballot;
pub(crate) mod derivative;
mod reduce;

use reconverge_ir::Op;

use crate::Value;
use crate::code::image;
use crate::fault::{Fault, UndefinedBehaviour};
use crate::types::{TypeId, TypeTable};

/// A group operation that several lanes execute together.
pub(crate) struct GroupCall<'a> {
    pub(crate) op: Op,
    /// The type of the result.
    pub(crate) ty: TypeId,
    /// The words of the operands that are literals.
    pub(crate) literals: &'a [u32],
    pub(crate) types: &'a TypeTable,
    /// The size of the group along each axis; a subgroup has one axis.
    pub(crate) shape: [u32; 3],
    /// The size of a subgroup that is not truncated at the end of its work-group.
    pub(crate) subgroup_size: u32,
    pub(crate) members: Vec<Member>,
}

/// The positions of a member's operands, as in `view::Group`: the value, then the arguments.
pub(crate) const VALUE: usize = 0;
/// The first argument: a lane, a distance, a bit of a ballot, the size of a cluster.
const ARGUMENT: usize = 1;
/// The second one of a rotation: the size of a cluster.
const SECOND_ARGUMENT: usize = 2;

/// A participant of a group operation.
pub(crate) struct Member {
    /// Its number in the group.
    pub(crate) number: u32,
    /// Its operands, without the scope.
    pub(crate) operands: Vec<Value>,
}

/// Returns whether the first operand is a scope. The other ops are for subgroups.
pub(crate) fn has_scope(op: Op) -> bool {
    let is_without = matches!(
        op,
        Op::SubgroupBallotKHR
            | Op::SubgroupFirstInvocationKHR
            | Op::SubgroupAllKHR
            | Op::SubgroupAnyKHR
            | Op::SubgroupAllEqualKHR
            | Op::SubgroupReadInvocationKHR
    );
    !is_without && !is_of_quad(op)
}

/// Returns whether a part of the lanes of the group may execute the operation.
pub(crate) fn is_non_uniform(op: Op) -> bool {
    op >= Op::GroupNonUniformElect || is_of_quad(op)
}

/// Returns whether an op is a derivative or needs one.
fn is_of_quad(op: Op) -> bool {
    derivative::is_derivative(op) || image::is_implicit(op)
}

impl GroupCall<'_> {
    /// One result for each member.
    pub(crate) fn evaluate(&self) -> Result<Vec<Value>, Fault> {
        match self.op {
            Op::GroupNonUniformElect => Ok(self.each(|index| Value::Bool(index == 0))),
            Op::GroupAll | Op::GroupNonUniformAll | Op::SubgroupAllKHR => self.vote(|votes| !votes.contains(&false)),
            Op::GroupAny | Op::GroupNonUniformAny | Op::SubgroupAnyKHR => self.vote(|votes| votes.contains(&true)),
            Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => self.all_equal(),
            Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => {
                let first = self.value(0)?.clone();
                Ok(self.each(|_| first.clone()))
            }
            Op::GroupBroadcast
            | Op::GroupNonUniformBroadcast
            | Op::GroupNonUniformQuadBroadcast
            | Op::SubgroupReadInvocationKHR => {
                self.check_uniform(ARGUMENT)?;
                self.fetch()
            }
            Op::GroupNonUniformRotateKHR => {
                self.check_uniform(ARGUMENT)?;
                self.fetch()
            }
            Op::GroupNonUniformShuffle
            | Op::GroupNonUniformShuffleXor
            | Op::GroupNonUniformShuffleUp
            | Op::GroupNonUniformShuffleDown
            | Op::GroupNonUniformQuadSwap => self.fetch(),
            Op::GroupNonUniformBallot
            | Op::SubgroupBallotKHR
            | Op::GroupNonUniformInverseBallot
            | Op::GroupNonUniformBallotBitExtract
            | Op::GroupNonUniformBallotBitCount
            | Op::GroupNonUniformBallotFindLSB
            | Op::GroupNonUniformBallotFindMSB => ballot::evaluate(self),
            op if derivative::is_derivative(op) => derivative::evaluate(self),
            op if is_reduction(op) => reduce::evaluate(self),
            op => Err(Fault::op(op)),
        }
    }

    /// The number of lanes of the group.
    pub(crate) fn size(&self) -> u32 {
        self.shape.iter().product()
    }

    /// One value for each member, by its position among them.
    pub(crate) fn each(&self, value: impl Fn(usize) -> Value) -> Vec<Value> {
        (0..self.members.len()).map(value).collect()
    }

    /// The value of the member at a position.
    pub(crate) fn value(&self, member: usize) -> Result<&Value, Fault> {
        self.operand(member, VALUE)
    }

    /// Operand number `index` of the member at a position.
    pub(crate) fn operand(&self, member: usize, index: usize) -> Result<&Value, Fault> {
        self.members[member].operands.get(index).ok_or_else(|| Fault::malformed("an operand is missing"))
    }

    /// Reports undefined behaviour if members have different operands.
    fn check_all_uniform(&self) -> Result<(), Fault> {
        match self.members.iter().all(|member| member.operands == self.members[0].operands) {
            true => Ok(()),
            false => Err(UndefinedBehaviour::NotUniform.into()),
        }
    }

    /// Reports undefined behaviour if members have different operands number `index`.
    fn check_uniform(&self, index: usize) -> Result<(), Fault> {
        let first = self.operand(0, index)?;
        for member in 1..self.members.len() {
            if self.operand(member, index)? != first {
                return Err(UndefinedBehaviour::NotUniform.into());
            }
        }
        Ok(())
    }

    /// The combination of the booleans of all members, for all; undefined if one is.
    fn vote(&self, decide: impl Fn(&[bool]) -> bool) -> Result<Vec<Value>, Fault> {
        let mut votes = Vec::with_capacity(self.members.len());
        for member in 0..self.members.len() {
            match self.value(member)? {
                Value::Bool(vote) => votes.push(*vote),
                Value::Undefined => return Ok(self.each(|_| Value::Undefined)),
                _ => return Err(Fault::operands(self.op)),
            }
        }
        let result = decide(&votes);
        Ok(self.each(|_| Value::Bool(result)))
    }

    fn all_equal(&self) -> Result<Vec<Value>, Fault> {
        let first = self.value(0)?;
        let mut result = Some(true);
        for member in 0..self.members.len() {
            match (result, are_equal(first, self.value(member)?)) {
                (Some(so_far), Some(equal)) => result = Some(so_far && equal),
                _ => result = None,
            }
        }
        Ok(self.each(|_| result.map_or(Value::Undefined, Value::Bool)))
    }

    /// For each member the value of the lane that it reads from.
    fn fetch(&self) -> Result<Vec<Value>, Fault> {
        let mut results = Vec::with_capacity(self.members.len());
        for index in 0..self.members.len() {
            let source = self.source(index)?.and_then(|number| u32::try_from(number).ok());
            let found = source.and_then(|number| self.members.binary_search_by_key(&number, |other| other.number).ok());
            results.push(match found {
                Some(found) => self.value(found)?.clone(),
                None => Value::Undefined,
            });
        }
        Ok(results)
    }

    /// The number of the lane that a member reads from; `None` if there is no such lane.
    fn source(&self, index: usize) -> Result<Option<u64>, Fault> {
        let own = u64::from(self.members[index].number);
        let asked = match self.operand(index, ARGUMENT)? {
            Value::Int { bits, .. } => *bits,
            Value::Undefined => return Ok(None),
            Value::Composite(position) if self.op == Op::GroupBroadcast => return Ok(self.linear(position)),
            _ => return Err(Fault::operands(self.op)),
        };
        Ok(match self.op {
            Op::GroupNonUniformShuffleXor => Some(own ^ asked),
            Op::GroupNonUniformShuffleUp => own.checked_sub(asked),
            Op::GroupNonUniformShuffleDown => own.checked_add(asked),
            Op::GroupNonUniformQuadBroadcast => (asked < 4).then_some(own & !3 | asked),
            Op::GroupNonUniformQuadSwap => (asked < 3).then_some(own ^ (asked + 1)),
            Op::GroupNonUniformRotateKHR => {
                let size = self.cluster(index, SECOND_ARGUMENT)?.unwrap_or(u64::from(self.subgroup_size));
                (size <= u64::from(self.subgroup_size))
                    .then_some(own - own % size + (own % size).wrapping_add(asked) % size)
            }
            _ => Some(asked),
        })
    }

    /// The size of a cluster, if an operand gives it.
    fn cluster(&self, member: usize, operand: usize) -> Result<Option<u64>, Fault> {
        match self.members[member].operands.get(operand) {
            None => Ok(None),
            Some(Value::Int { bits, .. }) if !bits.is_power_of_two() => {
                Err(Fault::malformed("a cluster size that is not a power of two"))
            }
            Some(Value::Int { bits, .. }) => Ok(Some(*bits)),
            Some(_) => Err(Fault::malformed("a cluster size that is not an integer")),
        }
    }

    /// The number of a lane by its position along each axis.
    fn linear(&self, position: &[Value]) -> Option<u64> {
        let mut number = 0;
        for (axis, value) in position.iter().enumerate().rev() {
            let (at, size) = (value.as_u64()?, u64::from(*self.shape.get(axis)?));
            if at >= size {
                return None;
            }
            number = number * size + at;
        }
        Some(number)
    }
}

fn is_reduction(op: Op) -> bool {
    (Op::GroupIAdd..=Op::GroupSMax).contains(&op)
        || (Op::GroupNonUniformIAdd..=Op::GroupNonUniformLogicalXor).contains(&op)
}

/// Compares two values, floats as numbers; `None` if the result is undefined.
fn are_equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Undefined, _) | (_, Value::Undefined) => None,
        (Value::Float { .. }, Value::Float { .. }) => Some(a.as_f64() == b.as_f64()),
        (Value::Composite(a), Value::Composite(b)) => {
            a.iter().zip(b.iter()).try_fold(true, |so_far, (a, b)| Some(are_equal(a, b)? && so_far))
        }
        _ => Some(a == b),
    }
}
