//! Operations of a subgroup or quad: the functions `Wave…` and `Quad…` of shader model 6.0.
//!
//! An inclusive scan is the exclusive one with the lane's own value. A scan of conditions counts lanes. What has no function (scans of minimums
//! and maximums, of bits before 6.5, of parts of the subgroup) is a loop over the lanes: `scans.rs`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{GroupOperation, Scope};

use super::super::function::{Body, Numbers};
use super::scans::Part;
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
            Op::GroupNonUniformRotateKHR => {
                let (value, distance) = (self.value(value)?, self.value_as(argument, ScalarKind::Uint)?);
                let lane = self.rotated_lane(distance, group.arguments.at(1))?;
                return Ok(Some(self.wave_call("WaveReadLaneAt", &[value, lane], ty)));
            }
            _ => return Ok(None),
        };
        let (value, mut lane) = (self.value(value)?, self.value_as(argument, ScalarKind::Uint)?);
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        if let Some(operator) = operator {
            let own = self.lane();
            lane = self.binary(operator, own, lane, word);
        }
        Ok(Some(self.wave_call("WaveReadLaneAt", &[value, lane], ty)))
    }

    /// The lane some lanes further, of the subgroup or of a cluster.
    ///
    /// ```text
    /// (own + distance) % WaveGetLaneCount()      own / size * size + (own + distance) % size
    /// ```
    fn rotated_lane(&mut self, distance: Expr, cluster: Option<Inst>) -> Result<Expr, Diagnostic> {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let own = self.lane();
        let own = self.repeated(own);
        let read = self.local(own);
        let sum = self.binary(Binary::Add, read, distance, word);
        let Some(size) = cluster else {
            let count = self.call("WaveGetLaneCount", &[], word);
            return Ok(self.binary(Binary::Remainder, sum, count, word));
        };
        let size = self.value_as(size, ScalarKind::Uint)?;
        let size = self.repeated(size);
        let (read, divisor) = (self.local(own), self.local(size));
        let number = self.binary(Binary::Divide, read, divisor, word);
        let factor = self.local(size);
        let first = self.binary(Binary::Multiply, number, factor, word);
        let divisor = self.local(size);
        let place = self.binary(Binary::Remainder, sum, divisor, word);
        Ok(self.binary(Binary::Add, first, place, word))
    }

    /// Reductions and scans.
    fn wave_reduction(&mut self, inst: Inst, group: view::Group<'_>, value: Inst) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let is_whole = group.operation.is_some_and(|operation| WHOLE.contains(&operation));
        if let (Some(logic), true) = (Logic::of(op), is_whole) {
            return self.logical_reduction(inst, (logic, group.operation), value);
        }
        let sign = reduction_of(op).and_then(|reduction| reduction.sign);
        let value = match sign {
            Some(sign) => self.value_as(value, sign)?,
            None => self.value(value)?,
        };
        if !is_whole {
            let (Some(size), Some(GroupOperation::ClusteredReduce)) = (group.arguments.first(), group.operation) else {
                let other = group.operation.map_or_else(String::new, |other| format!("{other:?}"));
                return self.refuse(WriteCode::Op, inst, format!("an operation of a subgroup by {other} in HLSL"));
            };
            let size = self.value_as(size, ScalarKind::Uint)?;
            let result = self.over_lanes(inst, value, Part::Cluster(size))?;
            return self.as_result(inst, result);
        }
        let Some(reduction) = reduction_of(op) else { return self.unknown(inst) };
        let own = self.type_of(value);
        if group.operation == Some(GroupOperation::Reduce) {
            let result = self.wave_reduced(reduction.reduce, value);
            return self.as_result(inst, result);
        }
        let is_inclusive = group.operation == Some(GroupOperation::InclusiveScan);
        let result = match (self.scan_name(reduction), reduction.operator) {
            (Some((name, is_masked)), Some(operator)) => {
                let name_of_value = self.repeated(value);
                let mut arguments = vec![self.local(name_of_value)];
                if is_masked {
                    arguments.push(self.active_lanes());
                }
                let scan = self.wave_call(name, &arguments, own);
                match is_inclusive {
                    true => {
                        let read = self.local(name_of_value);
                        self.binary(operator, scan, read, own)
                    }
                    false => scan,
                }
            }
            _ => self.over_lanes(inst, value, if is_inclusive { Part::UpToOwn } else { Part::Before })?,
        };
        self.as_result(inst, result)
    }

    /// A reduction of the subgroup. The functions of bits take no integers of 16 bits.
    fn wave_reduced(&mut self, name: &'static str, value: Expr) -> Expr {
        let (own, numbers) = (self.type_of(value), self.numbers_of(value));
        if numbers.scalar.width != 16 || !name.starts_with("WaveActiveBit") {
            return self.wave_call(name, &[value], own);
        }
        let words = self.numbers_to(value, Scalar::UINT, numbers.size);
        let ty = self.type_of(words);
        let reduced = self.wave_call(name, &[words], ty);
        self.numbers_to(reduced, numbers.scalar, numbers.size)
    }

    /// The function of an exclusive scan, and whether it takes the lanes, if this shader model has one.
    fn scan_name(&self, reduction: Reduction) -> Option<(&'static str, bool)> {
        let masked = reduction.masked_scan.filter(|_| self.cx.target.hlsl().has(6, 5));
        reduction.scan.map(|name| (name, false)).or(masked.map(|name| (name, true)))
    }

    /// The lanes that execute this.
    pub(super) fn active_lanes(&mut self) -> Expr {
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let words = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 4 });
        let holds = self.cx.literal(Literal::Bool(true), boolean);
        self.wave_call("WaveActiveBallot", &[holds], words)
    }

    /// Reductions and scans of conditions.
    ///
    /// ```text
    /// and: WavePrefixCountBits(!x) == 0      or: WavePrefixCountBits(x) != 0      exclusive or: (WavePrefixCountBits(x) & 1) != 0
    /// ```
    fn logical_reduction(
        &mut self,
        inst: Inst,
        (logic, operation): (Logic, Option<GroupOperation>),
        value: Inst,
    ) -> Result<Expr, Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let value = self.value(value)?;
        self.by_component([value], Scalar::BOOL, ty, |body, [value], one| {
            let is_inclusive = operation == Some(GroupOperation::InclusiveScan);
            let is_scan = is_inclusive || operation == Some(GroupOperation::ExclusiveScan);
            let name = match (logic, is_scan) {
                (Logic::And, false) => return Ok(body.wave_call("WaveActiveAllTrue", &[value], one)),
                (Logic::Or, false) => return Ok(body.wave_call("WaveActiveAnyTrue", &[value], one)),
                (Logic::ExclusiveOr, false) => "WaveActiveCountBits",
                (_, true) => "WavePrefixCountBits",
            };
            let own = body.repeated(value);
            let mut counted = body.local(own);
            if logic == Logic::And {
                counted = body.logical_not(counted);
            }
            let word = body.cx.text.types.numbers(Scalar::UINT, 1);
            let mut count = body.wave_call(name, &[counted], word);
            if logic == Logic::ExclusiveOr {
                let bit = body.cx.word(1);
                count = body.binary(Binary::BitAnd, count, bit, word);
            }
            let (zero, operator) =
                (body.cx.word(0), if logic == Logic::And { Binary::Equal } else { Binary::NotEqual });
            let before = body.binary(operator, count, zero, one);
            if !is_inclusive {
                return Ok(before);
            }
            let own = body.local(own);
            Ok(match logic {
                // All lanes count, also those whose own value decides.
                Logic::And => body.binary(Binary::And, before, own, one),
                Logic::Or => body.binary(Binary::Or, before, own, one),
                Logic::ExclusiveOr => body.binary(Binary::NotEqual, before, own, one),
            })
        })
    }
}

/// The operations over all lanes of the subgroup.
const WHOLE: [GroupOperation; 3] =
    [GroupOperation::Reduce, GroupOperation::InclusiveScan, GroupOperation::ExclusiveScan];

/// A combination of conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    And,
    Or,
    ExclusiveOr,
}

impl Logic {
    fn of(op: Op) -> Option<Logic> {
        match op {
            Op::GroupNonUniformLogicalAnd => Some(Logic::And),
            Op::GroupNonUniformLogicalOr => Some(Logic::Or),
            Op::GroupNonUniformLogicalXor => Some(Logic::ExclusiveOr),
            _ => None,
        }
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
