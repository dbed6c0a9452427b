//! Ballots: vectors of four words with a bit for each lane.
//!
//! A ballot stays, and its words are taken right after it. Instructions that read ballots are computed from the first 64 bits and the
//! number of the lane: packs have at most 64 lanes.
//!
//! ```text
//! %w = word 0 | word 1 << 32        %lane = load SubgroupLocalInvocationId        %size = load SubgroupSize
//! group_non_uniform_inverse_ballot        %w >> %lane & 1
//! group_non_uniform_ballot_bit_extract    %w >> %index & 1
//! group_non_uniform_ballot_bit_count      bit_count (%w & lanes)      lanes: below %size, below %lane, or below it and its own
//! group_non_uniform_ballot_find_lsb       bit_count (lowest − 1)      lowest = %w & −%w
//! group_non_uniform_ballot_find_msb       bit_count (smeared) − 1     smeared: all bits from the highest one down
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Op, decoration, view};
use spirv::{BuiltIn, GroupOperation, StorageClass};

use super::parts::Parts;
use crate::error::unsupported;

/// Returns whether an operation gives or takes ballots.
pub(super) fn is_of_ballots(op: Op) -> bool {
    matches!(
        op,
        Op::GroupNonUniformBallot
            | Op::SubgroupBallotKHR
            | Op::GroupNonUniformInverseBallot
            | Op::GroupNonUniformBallotBitExtract
            | Op::GroupNonUniformBallotBitCount
            | Op::GroupNonUniformBallotFindLSB
            | Op::GroupNonUniformBallotFindMSB
    )
}

/// Expands an operation of ballots.
pub(super) fn split(parts: &mut Parts<'_>, inst: Inst) -> Result<(), Diagnostic> {
    let op = parts.module.op(inst);
    if matches!(op, Op::GroupNonUniformBallot | Op::SubgroupBallotKHR) {
        let word = parts.unsigned(32);
        let words: [Inst; 4] = parts.extract(inst, word);
        parts.set(inst, words);
        return Ok(());
    }
    let refused = || unsupported(inst, op.name());
    let group = view::Group::of(parts.module, inst).ok_or_else(refused)?;
    let (value, argument, operation) = (group.value.ok_or_else(refused)?, group.arguments.first(), group.operation);
    let words = parts.of(value, inst)?;
    let bits = parts.long_of(inst, words[0], words[1]);
    let result = match op {
        Op::GroupNonUniformInverseBallot => {
            let lane = parts.input(inst, BuiltIn::SubgroupLocalInvocationId);
            parts.bit_at(inst, bits, lane)
        }
        Op::GroupNonUniformBallotBitExtract => parts.bit_at(inst, bits, argument.ok_or_else(refused)?),
        Op::GroupNonUniformBallotBitCount => {
            let lanes = parts.lanes_of(inst, operation);
            let counted = parts.long(inst, Op::BitwiseAnd, bits, lanes);
            parts.count(inst, counted)
        }
        Op::GroupNonUniformBallotFindLSB => {
            let zero = parts.long_constant(0);
            let negative = parts.long(inst, Op::ISub, zero, bits);
            let lowest = parts.long(inst, Op::BitwiseAnd, bits, negative);
            let one = parts.long_constant(1);
            let below = parts.long(inst, Op::ISub, lowest, one);
            parts.count(inst, below)
        }
        _ => {
            let lanes = parts.lanes_of(inst, None);
            let mut smeared = parts.long(inst, Op::BitwiseAnd, bits, lanes);
            for distance in [1, 2, 4, 8, 16, 32] {
                let distance = parts.long_constant(distance);
                let shifted = parts.long(inst, Op::ShiftRightLogical, smeared, distance);
                smeared = parts.long(inst, Op::BitwiseOr, smeared, shifted);
            }
            let count = parts.count(inst, smeared);
            let ty = parts.ty(inst);
            let one = parts.integer(ty, 1);
            parts.help(inst, Op::ISub, Some(ty), &[count, one])
        }
    };
    parts.finish(inst, [result]);
    Ok(())
}

impl Parts<'_> {
    /// A built-in input of 32 bits, loaded before `of`.
    fn input(&mut self, of: Inst, built_in: BuiltIn) -> Inst {
        let word = self.unsigned(32);
        let is_it = |&global: &Inst| {
            self.module.op(global) == Op::Variable
                && self.module.decorated(global).find() == Some(decoration::BuiltIn(built_in))
        };
        let known = self.module.globals().find(is_it);
        let variable = known.unwrap_or_else(|| {
            let mut build = Builder::new(self.module);
            let variable = build.global_variable(StorageClass::Input, word);
            build.add_decoration(variable, decoration::BuiltIn(built_in));
            let entries = self.module.globals().filter(|&global| self.module.op(global) == Op::EntryPoint);
            for entry in entries.collect::<Vec<_>>() {
                let operands: Vec<Inst> = self.module.operands(entry).chain([variable]).collect();
                self.module.edit().set_operands(entry, &operands);
            }
            variable
        });
        self.help(of, Op::Load, Some(word), &[variable])
    }

    /// The lanes that a count is of, as bits.
    fn lanes_of(&mut self, of: Inst, operation: Option<GroupOperation>) -> Inst {
        let (one, all) = (self.long_constant(1), self.long_constant(u64::MAX));
        match operation {
            Some(GroupOperation::ExclusiveScan | GroupOperation::InclusiveScan) => {
                let lane = self.input(of, BuiltIn::SubgroupLocalInvocationId);
                let shifted = self.shifted(of, Op::ShiftLeftLogical, all, lane);
                let is_inclusive = operation == Some(GroupOperation::InclusiveScan);
                let above = if is_inclusive { self.long(of, Op::ShiftLeftLogical, shifted, one) } else { shifted };
                self.long(of, Op::BitwiseXor, above, all)
            }
            _ => {
                // A subgroup has at least one lane: all bits, as many places down as there are lanes less than 64.
                let size = self.input(of, BuiltIn::SubgroupSize);
                let word = self.unsigned(32);
                let most = self.integer(word, 64);
                let distance = self.help(of, Op::ISub, Some(word), &[most, size]);
                self.shifted(of, Op::ShiftRightLogical, all, distance)
            }
        }
    }

    fn long_constant(&mut self, value: u64) -> Inst {
        let ty = self.unsigned(64);
        self.integer(ty, value)
    }

    fn long(&mut self, of: Inst, op: Op, left: Inst, right: Inst) -> Inst {
        let ty = self.unsigned(64);
        self.help(of, op, Some(ty), &[left, right])
    }

    fn shifted(&mut self, of: Inst, op: Op, value: Inst, distance: Inst) -> Inst {
        let ty = self.unsigned(64);
        let distance = match self.module.ty(distance) == Some(ty) {
            true => distance,
            false => self.help(of, Op::UConvert, Some(ty), &[distance]),
        };
        self.help(of, op, Some(ty), &[value, distance])
    }

    fn long_of(&mut self, of: Inst, low: Inst, high: Inst) -> Inst {
        let ty = self.unsigned(64);
        let [low, high] = [low, high].map(|word| self.help(of, Op::UConvert, Some(ty), &[word]));
        let distance = self.long_constant(32);
        let high = self.long(of, Op::ShiftLeftLogical, high, distance);
        self.long(of, Op::BitwiseOr, low, high)
    }

    fn bit_at(&mut self, of: Inst, bits: Inst, lane: Inst) -> Inst {
        let moved = self.shifted(of, Op::ShiftRightLogical, bits, lane);
        let (one, zero) = (self.long_constant(1), self.long_constant(0));
        let bit = self.long(of, Op::BitwiseAnd, moved, one);
        let ty = self.ty(of);
        self.help(of, Op::INotEqual, Some(ty), &[bit, zero])
    }

    /// Counts the bits that are set, in the type of the result of `of`. It counts the halves one after the other, because Vulkan counts 32
    /// bits alone.
    fn count(&mut self, of: Inst, bits: Inst) -> Inst {
        let (ty, word) = (self.ty(of), self.unsigned(32));
        let distance = self.long_constant(32);
        let high = self.long(of, Op::ShiftRightLogical, bits, distance);
        let [low, high] = [bits, high].map(|half| {
            let half = self.help(of, Op::UConvert, Some(word), &[half]);
            self.help(of, Op::BitCount, Some(word), &[half])
        });
        let sum = self.help(of, Op::IAdd, Some(word), &[low, high]);
        match self.module.width(ty) {
            Some(32) => sum,
            _ => self.help(of, Op::UConvert, Some(ty), &[sum]),
        }
    }
}
