//! Operations of a subgroup or quad.
//!
//! Operations that naga lacks are composed of others: the bits of a ballot are in a vector of four words.

use naga::{
    BinaryOperator, CollectiveOperation, Expression, GatherMode, Handle, Literal, MathFunction, ScalarKind, Statement,
    SubgroupOperation,
};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{GroupOperation, Scope};

use super::super::WriteCode;
use super::{Body, arithmetic};

impl Body<'_, '_> {
    pub(super) fn subgroup(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(group) = view::Group::of(self.source, inst) else { return self.unknown(inst) };
        if group.execution.is_some_and(|scope| self.word(scope) != Some(Scope::Subgroup as u32)) {
            return self.refuse(WriteCode::Op, inst, "an operation of another group than the subgroup");
        }
        let op = self.source.op(inst);
        if op == Op::GroupNonUniformElect {
            return self.elect(inst);
        }
        let Some(value) = group.value else { return self.unknown(inst) };
        let argument = group.arguments.first();
        match op {
            Op::GroupNonUniformBallot | Op::SubgroupBallotKHR => {
                let predicate = Some(self.value(value)?);
                let result = self.push_result(Expression::SubgroupBallotResult);
                self.statement(Statement::SubgroupBallot { result, predicate });
                let Some(kind) = self.module.kind_of(inst) else { return self.unknown(inst) };
                let handle = arithmetic::cast(self, result, ScalarKind::Uint, kind);
                self.define(inst, handle)
            }
            Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => self.all_equal(inst, value),
            Op::GroupNonUniformBallotFindLSB => self.first_bit(inst, value),
            Op::GroupNonUniformBallotBitCount => self.count_bits(inst, value, group.operation),
            Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => {
                self.gather(inst, value, GatherMode::BroadcastFirst)
            }
            _ => {
                if let Some(mode) = argument.and_then(|_| gather_mode(op)) {
                    let Some(argument) = argument else { return self.unknown(inst) };
                    let index = self.value_as(argument, ScalarKind::Uint)?;
                    return self.gather(inst, value, mode(index));
                }
                self.collective(inst, value, group)
            }
        }
    }

    fn gather(&mut self, inst: Inst, value: Inst, mode: GatherMode) -> Result<(), Diagnostic> {
        let argument = self.value(value)?;
        let ty = self.module.type_of(inst)?;
        let result = self.push_result(Expression::SubgroupOperationResult { ty });
        self.statement(Statement::SubgroupGather { mode, argument, result });
        self.define(inst, result)
    }

    fn collective(&mut self, inst: Inst, value: Inst, group: view::Group<'_>) -> Result<(), Diagnostic> {
        let Some((op, sign)) = collective_of(self.source.op(inst)) else { return self.unknown(inst) };
        let collective_op = match group.operation {
            None | Some(GroupOperation::Reduce) => CollectiveOperation::Reduce,
            Some(GroupOperation::InclusiveScan) => CollectiveOperation::InclusiveScan,
            Some(GroupOperation::ExclusiveScan) => CollectiveOperation::ExclusiveScan,
            Some(other) => return self.refuse(WriteCode::Op, inst, format!("an operation of a subgroup by {other:?}")),
        };
        let is_scanned = matches!(op, SubgroupOperation::Add | SubgroupOperation::Mul);
        if collective_op != CollectiveOperation::Reduce && !is_scanned {
            return self.refuse(WriteCode::Op, inst, "a scan other than of sums and products");
        }
        let argument = match sign {
            Some(sign) => self.value_as(value, sign)?,
            None => self.value(value)?,
        };
        let ty = self.module.type_of(inst)?;
        let kind = self.module.kind_of(inst);
        let ty = match (sign, kind) {
            (Some(sign), Some(kind)) if sign != kind => {
                return self.refuse(WriteCode::Type, inst, "a subgroup operation of another sign than its type");
            }
            _ => ty,
        };
        let result = self.push_result(Expression::SubgroupOperationResult { ty });
        self.statement(Statement::SubgroupCollectiveOperation { op, collective_op, argument, result });
        self.define(inst, result)
    }

    /// Computes whether this is the first active lane: no bit is counted before it.
    fn elect(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let ty = self.module.plain_type(naga::TypeInner::Scalar(naga::Scalar::U32));
        let argument = self.push(Expression::Literal(Literal::U32(1)));
        let left = self.push_result(Expression::SubgroupOperationResult { ty });
        let (op, collective_op) = (SubgroupOperation::Add, CollectiveOperation::ExclusiveScan);
        self.statement(Statement::SubgroupCollectiveOperation { op, collective_op, argument, result: left });
        let right = self.push(Expression::Literal(Literal::U32(0)));
        let handle = self.push(Expression::Binary { op: BinaryOperator::Equal, left, right });
        self.define(inst, handle)
    }

    /// Computes whether all lanes have the value of the first one.
    fn all_equal(&mut self, inst: Inst, value: Inst) -> Result<(), Diagnostic> {
        let left = self.value(value)?;
        let ty = self.module.type_of(value)?;
        let right = self.push_result(Expression::SubgroupOperationResult { ty });
        self.statement(Statement::SubgroupGather { mode: GatherMode::BroadcastFirst, argument: left, result: right });
        let mut equal = self.push(Expression::Binary { op: BinaryOperator::Equal, left, right });
        if self.module.size_of(value)?.is_some() {
            equal = self.push(Expression::Relational { fun: naga::RelationalFunction::All, argument: equal });
        }
        let ty = self.module.type_of(inst)?;
        let result = self.push_result(Expression::SubgroupOperationResult { ty });
        let (op, collective_op) = (SubgroupOperation::All, CollectiveOperation::Reduce);
        self.statement(Statement::SubgroupCollectiveOperation { op, collective_op, argument: equal, result });
        self.define(inst, result)
    }

    /// The position of the lowest bit of a ballot: that of the first word with a bit.
    fn first_bit(&mut self, inst: Inst, ballot: Inst) -> Result<(), Diagnostic> {
        let base = self.value_as(ballot, ScalarKind::Uint)?;
        let mut place: Option<Handle<Expression>> = None;
        for index in (0..4).rev() {
            let word = self.push(Expression::AccessIndex { base, index });
            let bit =
                Expression::Math { fun: MathFunction::FirstTrailingBit, arg: word, arg1: None, arg2: None, arg3: None };
            let bit = self.push(bit);
            let before = self.push(Expression::Literal(Literal::U32(32 * index)));
            let accept = self.push(Expression::Binary { op: BinaryOperator::Add, left: bit, right: before });
            place = Some(match place {
                Some(reject) => {
                    let zero = self.push(Expression::Literal(Literal::U32(0)));
                    let condition =
                        self.push(Expression::Binary { op: BinaryOperator::NotEqual, left: word, right: zero });
                    self.push(Expression::Select { condition, accept, reject })
                }
                None => accept,
            });
        }
        let (Some(place), Some(kind)) = (place, self.module.kind_of(inst)) else { return self.unknown(inst) };
        let handle = arithmetic::cast(self, place, ScalarKind::Uint, kind);
        self.define(inst, handle)
    }

    /// The number of bits of a ballot.
    fn count_bits(&mut self, inst: Inst, ballot: Inst, operation: Option<GroupOperation>) -> Result<(), Diagnostic> {
        if operation != Some(GroupOperation::Reduce) {
            return self.refuse(WriteCode::Op, inst, "the count of the bits of a ballot below a lane");
        }
        let arg = self.value_as(ballot, ScalarKind::Uint)?;
        let counts =
            self.push(Expression::Math { fun: MathFunction::CountOneBits, arg, arg1: None, arg2: None, arg3: None });
        let mut sum: Option<Handle<Expression>> = None;
        for index in 0..4 {
            let count = self.push(Expression::AccessIndex { base: counts, index });
            sum = Some(match sum {
                Some(left) => self.push(Expression::Binary { op: BinaryOperator::Add, left, right: count }),
                None => count,
            });
        }
        let (Some(sum), Some(kind)) = (sum, self.module.kind_of(inst)) else { return self.unknown(inst) };
        let handle = arithmetic::cast(self, sum, ScalarKind::Uint, kind);
        self.define(inst, handle)
    }
}

fn gather_mode(op: Op) -> Option<fn(Handle<Expression>) -> GatherMode> {
    Some(match op {
        Op::GroupNonUniformBroadcast => GatherMode::Broadcast,
        Op::GroupNonUniformShuffle | Op::SubgroupReadInvocationKHR => GatherMode::Shuffle,
        Op::GroupNonUniformShuffleXor => GatherMode::ShuffleXor,
        Op::GroupNonUniformShuffleUp => GatherMode::ShuffleUp,
        Op::GroupNonUniformShuffleDown => GatherMode::ShuffleDown,
        Op::GroupNonUniformQuadBroadcast => GatherMode::QuadBroadcast,
        _ => return None,
    })
}

/// The operation of naga, and the signedness of its integers.
fn collective_of(op: Op) -> Option<(SubgroupOperation, Option<ScalarKind>)> {
    let (signed, unsigned) = (Some(ScalarKind::Sint), Some(ScalarKind::Uint));
    Some(match op {
        Op::GroupNonUniformAll | Op::SubgroupAllKHR => (SubgroupOperation::All, None),
        Op::GroupNonUniformAny | Op::SubgroupAnyKHR => (SubgroupOperation::Any, None),
        Op::GroupNonUniformIAdd | Op::GroupNonUniformFAdd => (SubgroupOperation::Add, None),
        Op::GroupNonUniformIMul | Op::GroupNonUniformFMul => (SubgroupOperation::Mul, None),
        Op::GroupNonUniformSMin => (SubgroupOperation::Min, signed),
        Op::GroupNonUniformUMin => (SubgroupOperation::Min, unsigned),
        Op::GroupNonUniformFMin => (SubgroupOperation::Min, None),
        Op::GroupNonUniformSMax => (SubgroupOperation::Max, signed),
        Op::GroupNonUniformUMax => (SubgroupOperation::Max, unsigned),
        Op::GroupNonUniformFMax => (SubgroupOperation::Max, None),
        Op::GroupNonUniformBitwiseAnd => (SubgroupOperation::And, None),
        Op::GroupNonUniformBitwiseOr => (SubgroupOperation::Or, None),
        Op::GroupNonUniformBitwiseXor => (SubgroupOperation::Xor, None),
        _ => return None,
    })
}
