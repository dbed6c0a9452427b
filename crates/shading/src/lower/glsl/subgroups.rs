//! Operations of a subgroup or quad: the functions of `GL_KHR_shader_subgroup`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{GroupOperation, Scope};

use super::super::function::{Body, Numbers};
use crate::syntax::{Effects, Expr, Scalar, ScalarKind, Type};
use crate::write::WriteCode;

/// The signedness of the values of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Any,
    Signed,
    Unsigned,
}

impl Body<'_, '_> {
    /// An operation of the subgroup.
    pub(in crate::lower) fn glsl_subgroup(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(group) = view::Group::of(self.source, inst) else { return self.unknown(inst) };
        if group.execution.is_some_and(|scope| self.word(scope) != Some(Scope::Subgroup as u32)) {
            return self.refuse(WriteCode::Op, inst, "an operation of another group than the subgroup");
        }
        if let Some(value) = group.value {
            let scalar = self.numbers(value)?.scalar;
            let extension = match (scalar.kind, scalar.width) {
                (ScalarKind::Float, 16) => Some("GL_EXT_shader_subgroup_extended_types_float16"),
                (ScalarKind::Int | ScalarKind::Uint, 8) => Some("GL_EXT_shader_subgroup_extended_types_int8"),
                (ScalarKind::Int | ScalarKind::Uint, 16) => Some("GL_EXT_shader_subgroup_extended_types_int16"),
                (ScalarKind::Int | ScalarKind::Uint, 64) => Some("GL_EXT_shader_subgroup_extended_types_int64"),
                _ => None,
            };
            if let Some(extension) = extension {
                self.cx.require(extension, inst);
            }
        }
        let value = self.subgroup_value(inst, group)?;
        self.define(inst, value)
    }

    fn subgroup_value(&mut self, inst: Inst, group: view::Group<'_>) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let ty = self.cx.type_of(inst)?;
        let argument = group.arguments.first();
        if op == Op::GroupNonUniformElect {
            self.cx.require("GL_KHR_shader_subgroup_basic", inst);
            return Ok(self.subgroup_call("subgroupElect", &[], ty));
        }
        let Some(value) = group.value else { return self.unknown(inst) };
        if let Some((name, extension)) = lane_function(op) {
            self.cx.require(extension, inst);
            let value = self.value(value)?;
            let mut arguments = vec![value];
            if op == Op::GroupNonUniformQuadSwap {
                let names = ["subgroupQuadSwapHorizontal", "subgroupQuadSwapVertical", "subgroupQuadSwapDiagonal"];
                let direction = argument.and_then(|direction| self.word(direction));
                return match direction.and_then(|direction| names.get(direction as usize)) {
                    Some(name) => Ok(self.subgroup_call(name, &arguments, ty)),
                    None => self.unknown(inst),
                };
            }
            if let Some(argument) = argument {
                arguments.push(self.value_as(argument, ScalarKind::Uint)?);
            }
            if op == Op::GroupNonUniformRotateKHR
                && let Some(cluster) = group.arguments.at(1)
            {
                arguments.push(self.value_as(cluster, ScalarKind::Uint)?);
                return Ok(self.subgroup_call("subgroupClusteredRotate", &arguments, ty));
            }
            return Ok(self.subgroup_call(name, &arguments, ty));
        }
        if let Some(value) = self.ballot(inst, group, value, ty)? {
            return Ok(value);
        }
        self.reduction(inst, group, value)
    }

    fn subgroup_call(&mut self, name: &'static str, arguments: &[Expr], ty: Type) -> Expr {
        self.call_with(name, arguments, ty, Effects::CONVERGENT)
    }

    /// Ballots and questions about them.
    fn ballot(
        &mut self,
        inst: Inst,
        group: view::Group<'_>,
        value: Inst,
        ty: Type,
    ) -> Result<Option<Expr>, Diagnostic> {
        let op = self.source.op(inst);
        let words = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 4 });
        let word = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 1 });
        let (name, own) = match (op, group.operation) {
            (Op::GroupNonUniformBallot | Op::SubgroupBallotKHR, _) => ("subgroupBallot", words),
            (Op::GroupNonUniformInverseBallot, _) => ("subgroupInverseBallot", ty),
            (Op::GroupNonUniformBallotBitExtract, _) => ("subgroupBallotBitExtract", ty),
            (Op::GroupNonUniformBallotFindLSB, _) => ("subgroupBallotFindLSB", word),
            (Op::GroupNonUniformBallotFindMSB, _) => ("subgroupBallotFindMSB", word),
            (Op::GroupNonUniformBallotBitCount, Some(GroupOperation::Reduce)) => ("subgroupBallotBitCount", word),
            (Op::GroupNonUniformBallotBitCount, Some(GroupOperation::InclusiveScan)) => {
                ("subgroupBallotInclusiveBitCount", word)
            }
            (Op::GroupNonUniformBallotBitCount, Some(GroupOperation::ExclusiveScan)) => {
                ("subgroupBallotExclusiveBitCount", word)
            }
            _ => return Ok(None),
        };
        self.cx.require("GL_KHR_shader_subgroup_ballot", inst);
        let mut arguments = vec![self.value_as(value, ScalarKind::Uint)?];
        if let Some(index) = group.arguments.first() {
            arguments.push(self.value_as(index, ScalarKind::Uint)?);
        }
        let found = self.subgroup_call(name, &arguments, own);
        if own == ty { Ok(Some(found)) } else { self.as_result(inst, found).map(Some) }
    }

    /// Reductions and scans, also over clusters.
    fn reduction(&mut self, inst: Inst, group: view::Group<'_>, value: Inst) -> Result<Expr, Diagnostic> {
        let Some((name, sign)) = reduction_of(self.source.op(inst)) else { return self.unknown(inst) };
        let prefix = match group.operation {
            Some(GroupOperation::Reduce) => "subgroup",
            Some(GroupOperation::InclusiveScan) => "subgroupInclusive",
            Some(GroupOperation::ExclusiveScan) => "subgroupExclusive",
            Some(GroupOperation::ClusteredReduce) => "subgroupClustered",
            other => {
                let other = other.map_or_else(String::new, |other| format!("{other:?}"));
                return self.refuse(WriteCode::Op, inst, format!("an operation of a subgroup by {other}"));
            }
        };
        let is_clustered = group.operation == Some(GroupOperation::ClusteredReduce);
        self.cx.require(
            if is_clustered { "GL_KHR_shader_subgroup_clustered" } else { "GL_KHR_shader_subgroup_arithmetic" },
            inst,
        );
        let value = match sign {
            Sign::Any => self.value(value)?,
            Sign::Signed => self.value_as(value, ScalarKind::Int)?,
            Sign::Unsigned => self.value_as(value, ScalarKind::Uint)?,
        };
        let own = self.type_of(value);
        let mut arguments = vec![value];
        if is_clustered && let Some(size) = group.arguments.first() {
            arguments.push(self.value_as(size, ScalarKind::Uint)?);
        }
        let Some(name) = REDUCTIONS.iter().find(|known| known.strip_prefix(prefix) == Some(name)) else {
            return self.unknown(inst);
        };
        let reduced = self.subgroup_call(name, &arguments, own);
        self.as_result(inst, reduced)
    }
}

/// The function on a value of another lane or of all lanes, and its extension.
fn lane_function(op: Op) -> Option<(&'static str, &'static str)> {
    const VOTE: &str = "GL_KHR_shader_subgroup_vote";
    const BALLOT: &str = "GL_KHR_shader_subgroup_ballot";
    const SHUFFLE: &str = "GL_KHR_shader_subgroup_shuffle";
    const RELATIVE: &str = "GL_KHR_shader_subgroup_shuffle_relative";
    const QUAD: &str = "GL_KHR_shader_subgroup_quad";
    const ROTATE: &str = "GL_KHR_shader_subgroup_rotate";
    Some(match op {
        Op::GroupNonUniformAll | Op::SubgroupAllKHR => ("subgroupAll", VOTE),
        Op::GroupNonUniformAny | Op::SubgroupAnyKHR => ("subgroupAny", VOTE),
        Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => ("subgroupAllEqual", VOTE),
        Op::GroupNonUniformBroadcast => ("subgroupBroadcast", BALLOT),
        Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => ("subgroupBroadcastFirst", BALLOT),
        Op::GroupNonUniformShuffle | Op::SubgroupReadInvocationKHR => ("subgroupShuffle", SHUFFLE),
        Op::GroupNonUniformShuffleXor => ("subgroupShuffleXor", SHUFFLE),
        Op::GroupNonUniformShuffleUp => ("subgroupShuffleUp", RELATIVE),
        Op::GroupNonUniformShuffleDown => ("subgroupShuffleDown", RELATIVE),
        Op::GroupNonUniformQuadBroadcast => ("subgroupQuadBroadcast", QUAD),
        Op::GroupNonUniformQuadSwap => ("subgroupQuadSwapHorizontal", QUAD),
        Op::GroupNonUniformRotateKHR => ("subgroupRotate", ROTATE),
        _ => return None,
    })
}

/// The last part of the function's name, and the signedness of its integers.
fn reduction_of(op: Op) -> Option<(&'static str, Sign)> {
    Some(match op {
        Op::GroupNonUniformIAdd | Op::GroupNonUniformFAdd => ("Add", Sign::Any),
        Op::GroupNonUniformIMul | Op::GroupNonUniformFMul => ("Mul", Sign::Any),
        Op::GroupNonUniformSMin => ("Min", Sign::Signed),
        Op::GroupNonUniformUMin => ("Min", Sign::Unsigned),
        Op::GroupNonUniformFMin => ("Min", Sign::Any),
        Op::GroupNonUniformSMax => ("Max", Sign::Signed),
        Op::GroupNonUniformUMax => ("Max", Sign::Unsigned),
        Op::GroupNonUniformFMax => ("Max", Sign::Any),
        Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformLogicalAnd => ("And", Sign::Any),
        Op::GroupNonUniformBitwiseOr | Op::GroupNonUniformLogicalOr => ("Or", Sign::Any),
        Op::GroupNonUniformBitwiseXor | Op::GroupNonUniformLogicalXor => ("Xor", Sign::Any),
        _ => return None,
    })
}

/// The functions that reduce and scan (GL_KHR_shader_subgroup).
const REDUCTIONS: [&str; 28] = [
    "subgroupAdd",
    "subgroupAnd",
    "subgroupMax",
    "subgroupMin",
    "subgroupMul",
    "subgroupOr",
    "subgroupXor",
    "subgroupClusteredAdd",
    "subgroupClusteredAnd",
    "subgroupClusteredMax",
    "subgroupClusteredMin",
    "subgroupClusteredMul",
    "subgroupClusteredOr",
    "subgroupClusteredXor",
    "subgroupExclusiveAdd",
    "subgroupExclusiveAnd",
    "subgroupExclusiveMax",
    "subgroupExclusiveMin",
    "subgroupExclusiveMul",
    "subgroupExclusiveOr",
    "subgroupExclusiveXor",
    "subgroupInclusiveAdd",
    "subgroupInclusiveAnd",
    "subgroupInclusiveMax",
    "subgroupInclusiveMin",
    "subgroupInclusiveMul",
    "subgroupInclusiveOr",
    "subgroupInclusiveXor",
];
