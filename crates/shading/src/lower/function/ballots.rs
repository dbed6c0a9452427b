//! Ballots in HLSL and WGSL: the bits of the lanes in four words, and questions about them.
//!
//! ```text
//! uint4 lanes = WaveActiveBallot(condition);      countbits(lanes & below)      lanes[i / 32u] >> (i % 32u) & 1u           HLSL
//! let lanes = subgroupBallot(condition);          countOneBits(lanes & below)   (lanes[i / 32u] >> (i % 32u)) & 1u         WGSL
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{BuiltIn, GroupOperation};

use super::super::Target;
use super::{Body, Numbers};
use crate::syntax::{Binary, Effects, Expr, LocalId, Scalar, ScalarKind, Shape, Unary};
use crate::write::WriteCode;

/// The functions of a language.
#[derive(Clone, Copy)]
struct Names {
    ballot: &'static str,
    count: &'static str,
    /// The position of the lowest bit.
    first: &'static str,
    /// The position of the highest bit.
    last: &'static str,
}

const OF_HLSL: Names =
    Names { ballot: "WaveActiveBallot", count: "countbits", first: "firstbitlow", last: "firstbithigh" };

const OF_WGSL: Names =
    Names { ballot: "subgroupBallot", count: "countOneBits", first: "firstTrailingBit", last: "firstLeadingBit" };

const WORDS: Numbers = Numbers { scalar: Scalar::UINT, size: 4 };

impl Body<'_, '_> {
    fn ballot_names(&self) -> Names {
        if self.cx.target == Target::Wgsl { OF_WGSL } else { OF_HLSL }
    }

    /// The number of the lane in its subgroup.
    fn lane_number(&mut self, place: Inst) -> Result<Expr, Diagnostic> {
        match self.cx.target {
            Target::Hlsl(hlsl) if !hlsl.has(6, 0) => {
                self.refuse(WriteCode::Op, place, "lanes of the subgroup in this shader model; 6.0 has them")
            }
            Target::Hlsl(_) => Ok(self.lane()),
            _ => self.wgsl_lane(place),
        }
    }

    /// Ballots and questions about them.
    pub(in crate::lower) fn ballot_value(
        &mut self,
        inst: Inst,
        group: view::Group<'_>,
        value: Inst,
    ) -> Result<Option<Expr>, Diagnostic> {
        let words = self.type_of_numbers(WORDS);
        let op = self.source.op(inst);
        let found = match op {
            Op::GroupNonUniformBallot | Op::SubgroupBallotKHR => {
                let (condition, names) = (self.value(value)?, self.ballot_names());
                self.call_with(names.ballot, &[condition], words, Effects::CONVERGENT)
            }
            Op::GroupNonUniformInverseBallot => {
                let (mask, lane) = (self.value_as(value, ScalarKind::Uint)?, self.lane_number(inst)?);
                self.bit_of_lane(mask, lane, inst)?
            }
            Op::GroupNonUniformBallotBitExtract => {
                let Some(lane) = group.arguments.first() else { return self.unknown(inst) };
                let (mask, lane) = (self.value_as(value, ScalarKind::Uint)?, self.value_as(lane, ScalarKind::Uint)?);
                self.bit_of_lane(mask, lane, inst)?
            }
            Op::GroupNonUniformBallotBitCount => {
                let mask = self.value_as(value, ScalarKind::Uint)?;
                let mask = match group.operation {
                    Some(GroupOperation::Reduce) => mask,
                    Some(GroupOperation::InclusiveScan) => self.lanes_in(mask, BuiltIn::SubgroupLeMask, inst)?,
                    Some(GroupOperation::ExclusiveScan) => self.lanes_in(mask, BuiltIn::SubgroupLtMask, inst)?,
                    _ => return self.unknown(inst),
                };
                self.count_of_lanes(mask)
            }
            Op::GroupNonUniformBallotFindLSB | Op::GroupNonUniformBallotFindMSB => {
                let mask = self.value_as(value, ScalarKind::Uint)?;
                self.lane_with_bit(mask, op)
            }
            _ => return Ok(None),
        };
        self.as_result(inst, found).map(Some)
    }

    /// Returns whether four words have the bit of a lane.
    pub(in crate::lower) fn bit_of_lane(&mut self, mask: Expr, lane: Expr, inst: Inst) -> Result<Expr, Diagnostic> {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let (mask, lane) = (self.repeated(mask), self.repeated(lane));
        let (number, bits) = (self.local(lane), self.cx.word(32));
        let index = self.binary(Binary::Divide, number, bits, word);
        let whole = self.local(mask);
        let found = self.element(whole, index, inst)?;
        let (number, bits) = (self.local(lane), self.cx.word(32));
        let place = self.binary(Binary::Remainder, number, bits, word);
        let shifted = self.binary(Binary::ShiftRight, found, place, word);
        let one = self.cx.word(1);
        let bit = self.binary(Binary::BitAnd, shifted, one, word);
        let zero = self.cx.word(0);
        Ok(self.binary(Binary::NotEqual, bit, zero, boolean))
    }

    fn lanes_in(&mut self, mask: Expr, which: BuiltIn, inst: Inst) -> Result<Expr, Diagnostic> {
        let words = self.type_of_numbers(WORDS);
        let lanes = self.lane_mask(which, inst)?;
        Ok(self.binary(Binary::BitAnd, mask, lanes, words))
    }

    fn count_of_lanes(&mut self, mask: Expr) -> Expr {
        let (word, words) = (self.cx.text.types.numbers(Scalar::UINT, 1), self.type_of_numbers(WORDS));
        let names = self.ballot_names();
        let counts = self.call(names.count, &[mask], words);
        let counts = self.repeated(counts);
        let whole = self.local(counts);
        let mut sum = self.swizzle(whole, &[0]);
        for component in 1..4 {
            let whole = self.local(counts);
            let part = self.swizzle(whole, &[component]);
            sum = self.binary(Binary::Add, sum, part, word);
        }
        sum
    }

    /// The first or last lane with a bit.
    fn lane_with_bit(&mut self, mask: Expr, op: Op) -> Expr {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let is_first = op == Op::GroupNonUniformBallotFindLSB;
        let names = self.ballot_names();
        let function = if is_first { names.first } else { names.last };
        let mask = self.repeated(mask);
        let position = |body: &mut Self, component: u8| {
            let whole = body.local(mask);
            let part = body.swizzle(whole, &[component]);
            let bit = body.call(function, &[part], word);
            match component {
                0 => bit,
                _ => {
                    let before = body.cx.word(32 * u32::from(component));
                    body.binary(Binary::Add, bit, before, word)
                }
            }
        };
        let order: [u8; 4] = if is_first { [3, 2, 1, 0] } else { [0, 1, 2, 3] };
        let mut found = position(self, order[0]);
        for component in &order[1..] {
            let accept = position(self, *component);
            let whole = self.local(mask);
            let (part, zero) = (self.swizzle(whole, &[*component]), self.cx.word(0));
            let condition = self.binary(Binary::NotEqual, part, zero, boolean);
            found = self.pure(Shape::Choice { condition, accept, reject: found }, word);
        }
        found
    }

    /// The lanes before this one, behind it, or itself, as four words.
    pub(in crate::lower) fn lane_mask(&mut self, which: BuiltIn, place: Inst) -> Result<Expr, Diagnostic> {
        let words = self.type_of_numbers(WORDS);
        let lane = self.lane_number(place)?;
        let lane = self.repeated(lane);
        let parts: Vec<Expr> = (0..4).map(|number| self.lane_word(which, lane, number)).collect();
        let mask = self.construct(parts, words);
        Ok(match which {
            BuiltIn::SubgroupGeMask | BuiltIn::SubgroupGtMask => self.unary(Unary::Complement, mask),
            _ => mask,
        })
    }

    /// A word of the mask: of the lane itself, of those before it, or of both. Those behind are the others.
    ///
    /// ```text
    /// lane >= 64 ? ~0 : lane < 32 ? 0 : (1 << (lane - 32)) - 1
    /// ```
    fn lane_word(&mut self, which: BuiltIn, lane: LocalId, number: u32) -> Expr {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let (first, end) = (number * 32, number * 32 + 32);
        let (one, own) = (self.cx.word(1), self.local(lane));
        let own = match first {
            0 => own,
            _ => {
                let first = self.cx.word(first);
                self.binary(Binary::Subtract, own, first, word)
            }
        };
        let bit = self.binary(Binary::ShiftLeft, one, own, word);
        let bits = match which {
            BuiltIn::SubgroupEqMask => bit,
            BuiltIn::SubgroupLtMask | BuiltIn::SubgroupGeMask => {
                let one = self.cx.word(1);
                self.binary(Binary::Subtract, bit, one, word)
            }
            // The bit and all below: twice the bit, less one. The last bit twice is nothing.
            _ => {
                let one = self.cx.word(1);
                let twice = self.binary(Binary::ShiftLeft, bit, one, word);
                let one = self.cx.word(1);
                self.binary(Binary::Subtract, twice, one, word)
            }
        };
        let (behind, last) = (self.local(lane), self.cx.word(end));
        let is_behind = self.binary(Binary::GreaterEqual, behind, last, boolean);
        let all = self.cx.word(if which == BuiltIn::SubgroupEqMask { 0 } else { u32::MAX });
        let inner = match first {
            0 => bits,
            _ => {
                let (before, start) = (self.local(lane), self.cx.word(first));
                let is_before = self.binary(Binary::Less, before, start, boolean);
                let none = self.cx.word(0);
                self.pure(Shape::Choice { condition: is_before, accept: none, reject: bits }, word)
            }
        };
        self.pure(Shape::Choice { condition: is_behind, accept: all, reject: inner }, word)
    }
}
