//! Operations of a subgroup or quad: functions of the SIMD-group.
//!
//! | in the module | text |
//! |---|---|
//! | ballot | `uint4(as_type<uint2>(simd_vote::vote_t(simd_ballot(c))), 0u, 0u)` |
//! | counts of the bits of a ballot | `popcount` of its two words, those below a lane by a mask |
//! | scans of sums and products | `simd_prefix_inclusive_sum(x)` |
//! | other scans, clusters | a ladder of shuffles |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{BuiltIn, GroupOperation, Scope};

use super::super::function::{Body, Numbers};
use crate::syntax::{Binary, Effects, Expr, Literal, Scalar, ScalarKind, Type};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An operation of the subgroup.
    pub(in crate::lower) fn msl_subgroup(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(group) = view::Group::of(self.source, inst) else { return self.unknown(inst) };
        if group.execution.is_some_and(|scope| self.word(scope) != Some(Scope::Subgroup as u32)) {
            return self.refuse(WriteCode::Op, inst, "an operation of another group than the subgroup");
        }
        if !self.cx.target.msl().has(2, 1) {
            return self.refuse(WriteCode::Op, inst, "an operation of the subgroup before MSL 2.1");
        }
        let value = self.group_value(inst, group)?;
        self.define(inst, value)
    }

    fn group_value(&mut self, inst: Inst, group: view::Group<'_>) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let ty = self.cx.type_of(inst)?;
        if op == Op::GroupNonUniformElect {
            return Ok(self.convergent("simd_is_first", &[], ty));
        }
        let Some(value) = group.value else { return self.unknown(inst) };
        match op {
            Op::GroupNonUniformAll | Op::SubgroupAllKHR => self.voted("simd_all", value, ty),
            Op::GroupNonUniformAny | Op::SubgroupAnyKHR => self.voted("simd_any", value, ty),
            Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => self.all_equal(inst, value, ty),
            Op::GroupNonUniformBallot
            | Op::SubgroupBallotKHR
            | Op::GroupNonUniformInverseBallot
            | Op::GroupNonUniformBallotBitExtract
            | Op::GroupNonUniformBallotBitCount
            | Op::GroupNonUniformBallotFindLSB
            | Op::GroupNonUniformBallotFindMSB => self.ballot_of(inst, group, value),
            _ => match lane_function(op) {
                Some(name) => self.of_lane(inst, group, (name, value), ty),
                None => self.reduced(inst, group, value),
            },
        }
    }

    fn convergent(&mut self, name: &'static str, arguments: &[Expr], ty: Type) -> Expr {
        self.call_with(name, arguments, ty, Effects::CONVERGENT)
    }

    fn voted(&mut self, name: &'static str, value: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        let value = self.value(value)?;
        Ok(self.convergent(name, &[value], ty))
    }

    /// The value of every lane is that of the first one.
    fn all_equal(&mut self, inst: Inst, value: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        let value = self.value(value)?;
        let numbers = self.shuffled(inst, value)?;
        let name = self.repeated(numbers);
        let (read, own) = (self.local(name), self.type_of(numbers));
        let first = self.convergent("simd_broadcast_first", &[read], own);
        let read = self.local(name);
        let size = self.numbers_of(read).size;
        let conditions = self.cx.text.types.numbers(Scalar::BOOL, size);
        let is_same = self.binary(Binary::Equal, read, first, conditions);
        let is_same = if size > 1 { self.call("all", &[is_same], ty) } else { is_same };
        let is_same = self.name_value(is_same);
        let read = self.local(is_same);
        Ok(self.convergent("simd_all", &[read], ty))
    }

    /// A value as numbers that lanes can exchange: conditions become integers.
    fn shuffled(&mut self, inst: Inst, value: Expr) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers_of(value);
        if numbers.scalar.kind == ScalarKind::Bool {
            return Ok(self.numbers_to(value, Scalar::UINT, numbers.size));
        }
        if numbers.scalar.width == 64 {
            let message = format!("{} of 64 bits in MSL", self.source.op(inst).name());
            return self.refuse(WriteCode::Op, inst, message);
        }
        Ok(value)
    }

    /// A value of another lane.
    fn of_lane(
        &mut self,
        inst: Inst,
        group: view::Group<'_>,
        (name, value): (&'static str, Inst),
        ty: Type,
    ) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let value = self.value(value)?;
        let value = self.shuffled(inst, value)?;
        let own = self.type_of(value);
        let mut arguments = vec![value];
        match (op, group.arguments.first()) {
            (Op::GroupNonUniformQuadSwap, Some(direction)) => {
                // To the lane beside, below, and at the other corner.
                let Some(mask @ 0..=2) = self.word(direction) else { return self.unknown(inst) };
                let mask = self.cx.word(mask + 1);
                arguments.push(self.short(mask));
            }
            (Op::GroupNonUniformRotateKHR, Some(_)) if group.arguments.at(1).is_some() => {
                return self.refuse(WriteCode::Op, inst, "a rotation in clusters in MSL");
            }
            (_, Some(lane)) => {
                let lane = self.value_as(lane, ScalarKind::Uint)?;
                arguments.push(self.short(lane));
            }
            _ => {}
        }
        let moved = self.convergent(name, &arguments, own);
        if own == ty {
            return Ok(moved);
        }
        let size = self.numbers_of(moved).size;
        Ok(self.numbers_to(moved, Scalar::BOOL, size))
    }

    /// The number of a lane, of 16 bits.
    fn short(&mut self, lane: Expr) -> Expr {
        let short = Scalar { kind: ScalarKind::Uint, width: 16 };
        if let Some(Literal::Uint(number)) = self.cx.text.expressions.literal(lane) {
            let ty = self.cx.text.types.numbers(short, 1);
            return self.cx.literal(Literal::Uint(number), ty);
        }
        self.numbers_to(lane, short, 1)
    }

    /// Ballots and questions about them.
    fn ballot_of(&mut self, inst: Inst, group: view::Group<'_>, value: Inst) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        if !self.cx.target.msl().has(2, 2) {
            return self.refuse(WriteCode::Op, inst, format!("{} before MSL 2.2", op.name()));
        }
        if matches!(op, Op::GroupNonUniformBallot | Op::SubgroupBallotKHR) {
            let value = self.value(value)?;
            let words = self.ballot_words(value);
            return self.as_result(inst, words);
        }
        let mask = self.value_as(value, ScalarKind::Uint)?;
        let words = self.first_components(mask, 2);
        let long = self.cx.text.types.numbers(Scalar { kind: ScalarKind::Uint, width: 64 }, 1);
        let bits = self.call("as_type", &[words], long);
        match (op, group.operation) {
            (Op::GroupNonUniformInverseBallot, _) => {
                let lane = self.msl_lane(inst)?;
                self.bit_at(inst, bits, lane)
            }
            (Op::GroupNonUniformBallotBitExtract, _) => {
                let Some(index) = group.arguments.first() else { return self.unknown(inst) };
                let index = self.value_as(index, ScalarKind::Uint)?;
                self.bit_at(inst, bits, index)
            }
            (Op::GroupNonUniformBallotFindLSB, _) => self.word_of(inst, "ctz", bits),
            (Op::GroupNonUniformBallotFindMSB, _) => {
                let zeros = self.word_of(inst, "clz", bits)?;
                let zeros = self.cast(zeros, ScalarKind::Uint);
                let (last, ty) = (self.cx.word(63), self.type_of(zeros));
                let position = self.binary(Binary::Subtract, last, zeros, ty);
                self.as_result(inst, position)
            }
            (_, Some(GroupOperation::Reduce)) => self.word_of(inst, "popcount", bits),
            (_, Some(operation @ (GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan))) => {
                // The bits below the lane, and for an inclusive scan its own.
                let lane = self.msl_lane(inst)?;
                let first = if operation == GroupOperation::InclusiveScan { 2 } else { 1 };
                let (start, one) =
                    (self.cx.literal(Literal::Uint(first), long), self.cx.literal(Literal::Uint(1), long));
                let shifted = self.binary(Binary::ShiftLeft, start, lane, long);
                let below = self.binary(Binary::Subtract, shifted, one, long);
                let bits = self.binary(Binary::BitAnd, bits, below, long);
                self.word_of(inst, "popcount", bits)
            }
            _ => self.unknown(inst),
        }
    }

    /// The ballot of a condition: four words, of which two are used.
    fn ballot_words(&mut self, condition: Expr) -> Expr {
        let long = self.cx.text.types.numbers(Scalar { kind: ScalarKind::Uint, width: 64 }, 1);
        let [pair, four] = [2, 4].map(|size| self.type_of_numbers(Numbers { scalar: Scalar::UINT, size }));
        let ballot = self.convergent("simd_ballot", &[condition], long);
        let vote = self.call("simd_vote::vote_t", &[ballot], long);
        let words = self.call("as_type", &[vote], pair);
        let zeros = [self.cx.word(0), self.cx.word(0)];
        self.construct([words, zeros[0], zeros[1]], four)
    }

    /// A function of 64 bits whose result is a word.
    fn word_of(&mut self, inst: Inst, name: &'static str, bits: Expr) -> Result<Expr, Diagnostic> {
        let long = self.type_of(bits);
        let count = self.call(name, &[bits], long);
        let word = self.numbers_to(count, Scalar::UINT, 1);
        self.as_result(inst, word)
    }

    fn bit_at(&mut self, inst: Inst, bits: Expr, lane: Expr) -> Result<Expr, Diagnostic> {
        let (long, ty) = (self.type_of(bits), self.cx.type_of(inst)?);
        let shifted = self.binary(Binary::ShiftRight, bits, lane, long);
        let (one, zero) = (self.cx.literal(Literal::Uint(1), long), self.cx.literal(Literal::Uint(0), long));
        let bit = self.binary(Binary::BitAnd, shifted, one, long);
        Ok(self.binary(Binary::NotEqual, bit, zero, ty))
    }

    /// The number of the lane in its subgroup.
    fn msl_lane(&mut self, inst: Inst) -> Result<Expr, Diagnostic> {
        let global = self.cx.input_built_in(BuiltIn::SubgroupLocalInvocationId, inst)?;
        Ok(self.cx.global(global))
    }

    /// Reductions and scans, also over clusters.
    fn reduced(&mut self, inst: Inst, group: view::Group<'_>, value: Inst) -> Result<Expr, Diagnostic> {
        let Some((noun, kind)) = reduction_of(self.source.op(inst)) else { return self.unknown(inst) };
        let numbers = self.numbers(value)?;
        let value = match kind {
            Some(kind) => self.value_as(value, kind)?,
            None => self.value(value)?,
        };
        if numbers.scalar.kind == ScalarKind::Bool && numbers.size > 1 {
            return self.refuse(WriteCode::Op, inst, "a reduction of vectors of conditions in MSL");
        }
        let value = self.shuffled(inst, value)?;
        let own = self.type_of(value);
        let is_prefix_known = matches!(noun, "sum" | "product");
        let quads = group.arguments.first().is_some_and(|size| self.word(size) == Some(4));
        let prefix = match group.operation {
            Some(GroupOperation::Reduce) => "simd_",
            Some(GroupOperation::InclusiveScan) if is_prefix_known => "simd_prefix_inclusive_",
            Some(GroupOperation::ExclusiveScan) if is_prefix_known => "simd_prefix_exclusive_",
            Some(GroupOperation::ClusteredReduce) if quads => "quad_",
            other => {
                let other = other.map_or_else(String::new, |other| format!("{other:?}"));
                let message = format!("{} by {other} in MSL", self.source.op(inst).name());
                return self.refuse(WriteCode::Op, inst, message);
            }
        };
        let Some(name) = REDUCTIONS.iter().find(|known| known.strip_prefix(prefix) == Some(noun)) else {
            return self.unknown(inst);
        };
        let reduced = self.convergent(name, &[value], own);
        if numbers.scalar.kind == ScalarKind::Bool {
            return Ok(self.numbers_to(reduced, Scalar::BOOL, numbers.size));
        }
        self.as_result(inst, reduced)
    }
}

/// The function that gives a value of another lane.
fn lane_function(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::GroupNonUniformBroadcast => "simd_broadcast",
        Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => "simd_broadcast_first",
        Op::GroupNonUniformShuffle | Op::SubgroupReadInvocationKHR => "simd_shuffle",
        Op::GroupNonUniformShuffleXor => "simd_shuffle_xor",
        Op::GroupNonUniformShuffleUp => "simd_shuffle_up",
        Op::GroupNonUniformShuffleDown => "simd_shuffle_down",
        Op::GroupNonUniformQuadBroadcast => "quad_broadcast",
        Op::GroupNonUniformQuadSwap => "quad_shuffle_xor",
        Op::GroupNonUniformRotateKHR => "simd_shuffle_rotate_down",
        _ => return None,
    })
}

/// The last part of the function's name, and the signedness of its integers.
fn reduction_of(op: Op) -> Option<(&'static str, Option<ScalarKind>)> {
    let (signed, unsigned) = (Some(ScalarKind::Int), Some(ScalarKind::Uint));
    Some(match op {
        Op::GroupNonUniformIAdd => ("sum", unsigned),
        Op::GroupNonUniformFAdd => ("sum", None),
        Op::GroupNonUniformIMul => ("product", unsigned),
        Op::GroupNonUniformFMul => ("product", None),
        Op::GroupNonUniformSMin => ("min", signed),
        Op::GroupNonUniformUMin => ("min", unsigned),
        Op::GroupNonUniformFMin => ("min", None),
        Op::GroupNonUniformSMax => ("max", signed),
        Op::GroupNonUniformUMax => ("max", unsigned),
        Op::GroupNonUniformFMax => ("max", None),
        Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformLogicalAnd => ("and", None),
        Op::GroupNonUniformBitwiseOr | Op::GroupNonUniformLogicalOr => ("or", None),
        Op::GroupNonUniformBitwiseXor | Op::GroupNonUniformLogicalXor => ("xor", None),
        _ => return None,
    })
}

/// The functions that reduce and scan.
const REDUCTIONS: [&str; 18] = [
    "quad_and",
    "quad_max",
    "quad_min",
    "quad_or",
    "quad_product",
    "quad_sum",
    "quad_xor",
    "simd_and",
    "simd_max",
    "simd_min",
    "simd_or",
    "simd_prefix_exclusive_product",
    "simd_prefix_exclusive_sum",
    "simd_prefix_inclusive_product",
    "simd_prefix_inclusive_sum",
    "simd_product",
    "simd_sum",
    "simd_xor",
];
