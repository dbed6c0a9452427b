//! Operations of a subgroup or quad: the functions `Wave…` and `Quad…` of shader model 6.0.
//!
//! An inclusive scan is the exclusive one with the lane's own value. Scans of bits need shader model 6.5; those of minimums and maximums, and clusters, have no function.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{GroupOperation, Scope};

use super::super::function::{Body, Numbers};
use crate::syntax::{Binary, Effects, Expr, Literal, Scalar, ScalarKind, Type};
use crate::write::WriteCode;

/// A reduction.
#[derive(Clone, Copy)]
struct Reduction {
    reduce: &'static str,
    /// The exclusive scan.
    scan: Option<&'static str>,
    /// The exclusive scan over the lanes of a mask.
    masked_scan: Option<&'static str>,
    operator: Option<Binary>,
    sign: Option<ScalarKind>,
}

impl Body<'_, '_> {
    /// An operation of the subgroup.
    pub(in crate::lower) fn hlsl_subgroup(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(group) = view::Group::of(self.source, inst) else { return self.unknown(inst) };
        if group.execution.is_some_and(|scope| self.word(scope) != Some(Scope::Subgroup as u32)) {
            return self.refuse(WriteCode::Op, inst, "an operation of another group than the subgroup");
        }
        if !self.cx.target.hlsl().has(6, 0) {
            return self.refuse(WriteCode::Op, inst, "an operation of the subgroup in this shader model; 6.0 has it");
        }
        let value = self.wave_value(inst, group)?;
        self.define(inst, value)
    }

    pub(super) fn wave_call(&mut self, name: &'static str, arguments: &[Expr], ty: Type) -> Expr {
        self.call_with(name, arguments, ty, Effects::CONVERGENT)
    }

    pub(in crate::lower) fn lane(&mut self) -> Expr {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        self.call("WaveGetLaneIndex", &[], word)
    }

    fn wave_value(&mut self, inst: Inst, group: view::Group<'_>) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let ty = self.cx.type_of(inst)?;
        if op == Op::GroupNonUniformElect {
            return Ok(self.wave_call("WaveIsFirstLane", &[], ty));
        }
        let Some(value) = group.value else { return self.unknown(inst) };
        let name = match op {
            Op::GroupNonUniformAll | Op::SubgroupAllKHR => Some("WaveActiveAllTrue"),
            Op::GroupNonUniformAny | Op::SubgroupAnyKHR => Some("WaveActiveAnyTrue"),
            Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => Some("WaveReadLaneFirst"),
            _ => None,
        };
        if let Some(name) = name {
            let value = self.value(value)?;
            return Ok(self.wave_call(name, &[value], ty));
        }
        if matches!(op, Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR) {
            let value = self.value(value)?;
            let size = self.numbers_of(value).size;
            let several = self.type_of_numbers(Numbers { scalar: Scalar::BOOL, size });
            let equal = self.wave_call("WaveActiveAllEqual", &[value], several);
            return Ok(if size == 1 { equal } else { self.call("all", &[equal], ty) });
        }
        if let Some(found) = self.value_of_lane(inst, group, value, ty)? {
            return Ok(found);
        }
        if let Some(found) = self.ballot_value(inst, group, value)? {
            return Ok(found);
        }
        self.wave_reduction(inst, group, value)
    }

    /// The value of another lane.
    fn value_of_lane(
        &mut self,
        inst: Inst,
        group: view::Group<'_>,
        value: Inst,
        ty: Type,
    ) -> Result<Option<Expr>, Diagnostic> {
        let Some(argument) = group.arguments.first() else { return Ok(None) };
        let op = self.source.op(inst);
        let operator = match op {
            Op::GroupNonUniformQuadSwap => {
                let names = ["QuadReadAcrossX", "QuadReadAcrossY", "QuadReadAcrossDiagonal"];
                let name = self.word(argument).and_then(|direction| names.get(direction as usize));
                let Some(name) = name else { return self.unknown(inst) };
                let value = self.value(value)?;
                return Ok(Some(self.wave_call(name, &[value], ty)));
            }
            Op::GroupNonUniformQuadBroadcast => {
                let (value, lane) = (self.value(value)?, self.value_as(argument, ScalarKind::Uint)?);
                return Ok(Some(self.wave_call("QuadReadLaneAt", &[value, lane], ty)));
            }
            Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle | Op::SubgroupReadInvocationKHR => None,
            Op::GroupNonUniformShuffleXor => Some(Binary::BitXor),
            Op::GroupNonUniformShuffleUp => Some(Binary::Subtract),
            Op::GroupNonUniformShuffleDown => Some(Binary::Add),
            Op::GroupNonUniformRotateKHR if group.arguments.at(1).is_none() => Some(Binary::Remainder),
            _ => return Ok(None),
        };
        let (value, mut lane) = (self.value(value)?, self.value_as(argument, ScalarKind::Uint)?);
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        if let Some(operator) = operator {
            let own = self.lane();
            lane = match operator {
                Binary::Remainder => {
                    let sum = self.binary(Binary::Add, own, lane, word);
                    let count = self.call("WaveGetLaneCount", &[], word);
                    self.binary(Binary::Remainder, sum, count, word)
                }
                _ => self.binary(operator, own, lane, word),
            };
        }
        Ok(Some(self.wave_call("WaveReadLaneAt", &[value, lane], ty)))
    }

    /// Reductions and scans.
    fn wave_reduction(&mut self, inst: Inst, group: view::Group<'_>, value: Inst) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        if let Some(found) = self.logical_reduction(inst, group, value)? {
            return Ok(found);
        }
        let Some(reduction) = reduction_of(op) else { return self.unknown(inst) };
        let value = match reduction.sign {
            Some(sign) => self.value_as(value, sign)?,
            None => self.value(value)?,
        };
        let own = self.type_of(value);
        let result = match group.operation {
            Some(GroupOperation::Reduce) => self.wave_call(reduction.reduce, &[value], own),
            Some(operation @ (GroupOperation::ExclusiveScan | GroupOperation::InclusiveScan)) => {
                let name = self.repeated(value);
                let argument = self.local(name);
                let scan = self.wave_scan(inst, reduction, argument)?;
                match (operation, reduction.operator) {
                    (GroupOperation::InclusiveScan, Some(operator)) => {
                        let read = self.local(name);
                        self.binary(operator, scan, read, own)
                    }
                    _ => scan,
                }
            }
            other => {
                let other = other.map_or_else(String::new, |other| format!("{other:?}"));
                return self.refuse(WriteCode::Op, inst, format!("an operation of a subgroup by {other} in HLSL"));
            }
        };
        self.as_result(inst, result)
    }

    fn wave_scan(&mut self, inst: Inst, reduction: Reduction, value: Expr) -> Result<Expr, Diagnostic> {
        let own = self.type_of(value);
        match (reduction.scan, reduction.masked_scan) {
            (Some(name), _) => Ok(self.wave_call(name, &[value], own)),
            (None, Some(name)) => {
                self.cx.check_version((6, 5), &format!("`{name}`"), inst)?;
                let lanes = self.active_lanes();
                Ok(self.wave_call(name, &[value, lanes], own))
            }
            (None, None) => {
                let message = format!("a scan by {} in HLSL", self.source.op(inst).name());
                self.refuse(WriteCode::Op, inst, message)
            }
        }
    }

    /// The lanes that execute this.
    fn active_lanes(&mut self) -> Expr {
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let words = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 4 });
        let holds = self.cx.literal(Literal::Bool(true), boolean);
        self.wave_call("WaveActiveBallot", &[holds], words)
    }

    /// Reductions of conditions.
    fn logical_reduction(
        &mut self,
        inst: Inst,
        group: view::Group<'_>,
        value: Inst,
    ) -> Result<Option<Expr>, Diagnostic> {
        let op = self.source.op(inst);
        let is_logical =
            matches!(op, Op::GroupNonUniformLogicalAnd | Op::GroupNonUniformLogicalOr | Op::GroupNonUniformLogicalXor);
        if !is_logical {
            return Ok(None);
        }
        let ty = self.cx.type_of(inst)?;
        if group.operation != Some(GroupOperation::Reduce) || self.numbers(value)?.size != 1 {
            return self.refuse(WriteCode::Op, inst, format!("a scan by {} in HLSL", op.name()));
        }
        let value = self.value(value)?;
        Ok(Some(match op {
            Op::GroupNonUniformLogicalAnd => self.wave_call("WaveActiveAllTrue", &[value], ty),
            Op::GroupNonUniformLogicalOr => self.wave_call("WaveActiveAnyTrue", &[value], ty),
            _ => {
                let word = self.cx.text.types.numbers(Scalar::UINT, 1);
                let count = self.wave_call("WaveActiveCountBits", &[value], word);
                let one = self.cx.word(1);
                let parity = self.binary(Binary::BitAnd, count, one, word);
                let zero = self.cx.word(0);
                self.binary(Binary::NotEqual, parity, zero, ty)
            }
        }))
    }
}

/// The functions of a reduction.
fn reduction_of(op: Op) -> Option<Reduction> {
    let plain = |reduce, scan, operator| Reduction { reduce, scan, masked_scan: None, operator, sign: None };
    let ordered = |reduce, sign| Reduction { sign, ..plain(reduce, None, None) };
    let bits = |reduce, masked_scan, operator| Reduction {
        masked_scan,
        sign: Some(ScalarKind::Uint),
        ..plain(reduce, None, Some(operator))
    };
    let (signed, unsigned) = (Some(ScalarKind::Int), Some(ScalarKind::Uint));
    Some(match op {
        Op::GroupNonUniformIAdd | Op::GroupNonUniformFAdd => {
            plain("WaveActiveSum", Some("WavePrefixSum"), Some(Binary::Add))
        }
        Op::GroupNonUniformIMul | Op::GroupNonUniformFMul => {
            plain("WaveActiveProduct", Some("WavePrefixProduct"), Some(Binary::Multiply))
        }
        Op::GroupNonUniformSMin => ordered("WaveActiveMin", signed),
        Op::GroupNonUniformUMin => ordered("WaveActiveMin", unsigned),
        Op::GroupNonUniformFMin => ordered("WaveActiveMin", None),
        Op::GroupNonUniformSMax => ordered("WaveActiveMax", signed),
        Op::GroupNonUniformUMax => ordered("WaveActiveMax", unsigned),
        Op::GroupNonUniformFMax => ordered("WaveActiveMax", None),
        Op::GroupNonUniformBitwiseAnd => bits("WaveActiveBitAnd", Some("WaveMultiPrefixBitAnd"), Binary::BitAnd),
        Op::GroupNonUniformBitwiseOr => bits("WaveActiveBitOr", Some("WaveMultiPrefixBitOr"), Binary::BitOr),
        Op::GroupNonUniformBitwiseXor => bits("WaveActiveBitXor", Some("WaveMultiPrefixBitXor"), Binary::BitXor),
        _ => return None,
    })
}
