//! Group operations, and which of them return the same value to all lanes.
//!
//! An operation over a subgroup returns the same value to all lanes of the subgroup that execute it together, if it is a vote, a ballot, a
//! broadcast or a reduction. At the scope of a workgroup that implies nothing, unless the result depends only on the operand: the maximum
//! of a uniform value is that value, whichever lanes take part; their sum is not.

use reconverge_ir::{Op, view};
use spirv::GroupOperation;

use super::Instruction;
use crate::uniformity::cause::Source;
use crate::uniformity::level::Level;
use crate::uniformity::origin::Origin;
use crate::uniformity::variation::Scope;

/// The dependence of an operation's result on its operand.
enum Rule {
    /// The same for all lanes of the operation's group; if the group is smaller than the scope, unknown.
    Common,
    /// The same for all lanes of the group; if the group is smaller than the scope, the same if the operand is.
    CommonOrSame,
    /// The same if this operand is; if the group is smaller than the scope, if the operand is.
    CommonIf(u32),
    /// The same if the operand is.
    Same,
    /// A function of the operand that does not depend on lanes.
    Function,
    /// Different for each lane.
    Own,
}

impl<L: Fn(u32) -> Level> Instruction<'_, L> {
    /// The level of an operation across lanes.
    pub(super) fn group(&self) -> (Level, Origin) {
        let own = (Level::Divergent, Origin::Source(Source::Group));
        let Some(group) = view::Group::of(self.rules.module, self.inst) else { return own };
        let own_scope = match group.execution {
            Some(scope) => self.rules.module.constant_word(scope).and_then(spirv::Scope::from_u32),
            None => Some(spirv::Scope::Subgroup),
        };
        let is_wide = match self.rules.setting.scope {
            Scope::Subgroup => matches!(own_scope, Some(spirv::Scope::Subgroup | spirv::Scope::Workgroup)),
            Scope::Workgroup => own_scope == Some(spirv::Scope::Workgroup),
            Scope::Draw => false,
        };
        let value = u32::from(group.execution.is_some());
        match rule(self.op, group.operation) {
            Rule::Common | Rule::CommonOrSame if is_wide => (Level::UNIFORM, Origin::Nothing),
            Rule::CommonIf(operand) if is_wide && !(self.level)(operand).differs() => (Level::UNIFORM, Origin::Nothing),
            Rule::CommonIf(_) | Rule::Same if !(self.level)(value).differs() => (Level::UNIFORM, Origin::Nothing),
            Rule::CommonIf(operand) if is_wide => (Level::Divergent, Origin::Operand(operand)),
            Rule::CommonOrSame | Rule::CommonIf(_) | Rule::Same | Rule::Function => match self.strict() {
                // An affine value that is shifted among lanes is no longer affine, nor is any other function of it.
                (level, origin) if level.differs() => (Level::Divergent, origin),
                uniform => uniform,
            },
            Rule::Common | Rule::Own => own,
        }
    }
}

fn rule(op: Op, operation: Option<GroupOperation>) -> Rule {
    match op {
        Op::GroupNonUniformBallot | Op::SubgroupBallotKHR => Rule::Common,
        Op::GroupAll
        | Op::GroupAny
        | Op::GroupNonUniformAll
        | Op::GroupNonUniformAny
        | Op::GroupNonUniformAllEqual
        | Op::GroupNonUniformBroadcastFirst
        | Op::SubgroupFirstInvocationKHR
        | Op::SubgroupAllKHR
        | Op::SubgroupAnyKHR
        | Op::SubgroupAllEqualKHR => Rule::CommonOrSame,
        Op::GroupBroadcast | Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle => Rule::CommonIf(2),
        Op::SubgroupReadInvocationKHR => Rule::CommonIf(1),
        Op::GroupNonUniformShuffleXor
        | Op::GroupNonUniformShuffleUp
        | Op::GroupNonUniformShuffleDown
        | Op::GroupNonUniformRotateKHR
        | Op::GroupNonUniformQuadBroadcast
        | Op::GroupNonUniformQuadSwap => Rule::Same,
        Op::GroupNonUniformBallotBitExtract | Op::GroupNonUniformBallotFindLSB | Op::GroupNonUniformBallotFindMSB => {
            Rule::Function
        }
        Op::GroupNonUniformBallotBitCount if operation == Some(GroupOperation::Reduce) => Rule::Function,
        _ if operation == Some(GroupOperation::Reduce) => match gives_back(op) {
            Some(true) => Rule::CommonOrSame,
            Some(false) => Rule::Common,
            None => Rule::Own,
        },
        _ => Rule::Own,
    }
}

/// Returns whether a reduction returns a value that all lanes have; `None` for an op that is no reduction.
fn gives_back(op: Op) -> Option<bool> {
    Some(match op {
        Op::GroupFMin
        | Op::GroupUMin
        | Op::GroupSMin
        | Op::GroupFMax
        | Op::GroupUMax
        | Op::GroupSMax
        | Op::GroupNonUniformSMin
        | Op::GroupNonUniformUMin
        | Op::GroupNonUniformFMin
        | Op::GroupNonUniformSMax
        | Op::GroupNonUniformUMax
        | Op::GroupNonUniformFMax
        | Op::GroupNonUniformBitwiseAnd
        | Op::GroupNonUniformBitwiseOr
        | Op::GroupNonUniformLogicalAnd
        | Op::GroupNonUniformLogicalOr => true,
        Op::GroupIAdd
        | Op::GroupFAdd
        | Op::GroupNonUniformIAdd
        | Op::GroupNonUniformFAdd
        | Op::GroupNonUniformIMul
        | Op::GroupNonUniformFMul
        | Op::GroupNonUniformBitwiseXor
        | Op::GroupNonUniformLogicalXor => false,
        _ => return None,
    })
}
