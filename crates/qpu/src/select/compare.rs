//! Comparisons as flags.
//!
//! ```text
//! a = b       sub.sf null, a, b        zero
//! a < b       unsigned:  sub.sf null, a, b      carry: the borrow
//!             signed:    max.sf null, b, a      carry: b > a, also where a − b overflows
//! 64 bits     sub.sf null, a₁, b₁;  sub.zs.sf null, a₀, b₀      the low words decide where the high ones are equal
//! float       fmax.sf null, b, a       carry: b > a
//! float a = b fmax.sf null, a, b;  fmax.cc.sf null, b, a        no carry: neither is greater (a difference may be a denormal, which is zero)
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, OpGroup, Signedness};

use crate::machine::{AddOp, BranchCondition, Condition, Destination, Inst as MachineInst, Operation};

use super::emit::{Emitter, Word};
use super::selector::{FlagLanes, Selector};
use super::value::{ScalarType, Words, one};
use super::values::Values;

/// A comparison in terms of equality and less.
#[derive(Clone, Copy, Debug)]
struct Predicate {
    /// True if it requests equality, else for less.
    is_equality: bool,
    is_swapped: bool,
    is_inverted: bool,
    is_signed: bool,
}

impl Predicate {
    fn of(op: Op) -> Option<Predicate> {
        let predicate = |is_equality, is_swapped, is_inverted, is_signed| {
            Some(Predicate { is_equality, is_swapped, is_inverted, is_signed })
        };
        match op {
            Op::IEqual | Op::FOrdEqual | Op::FUnordEqual | Op::LogicalEqual | Op::PtrEqual => {
                predicate(true, false, false, false)
            }
            Op::INotEqual
            | Op::FOrdNotEqual
            | Op::FUnordNotEqual
            | Op::LessOrGreater
            | Op::LogicalNotEqual
            | Op::PtrNotEqual => predicate(true, false, true, false),
            Op::ULessThan => predicate(false, false, false, false),
            Op::UGreaterThan => predicate(false, true, false, false),
            Op::UGreaterThanEqual => predicate(false, false, true, false),
            Op::ULessThanEqual => predicate(false, true, true, false),
            Op::SLessThan | Op::FOrdLessThan | Op::FUnordLessThan => predicate(false, false, false, true),
            Op::SGreaterThan | Op::FOrdGreaterThan | Op::FUnordGreaterThan => predicate(false, true, false, true),
            Op::SGreaterThanEqual | Op::FOrdGreaterThanEqual | Op::FUnordGreaterThanEqual => {
                predicate(false, false, true, true)
            }
            Op::SLessThanEqual | Op::FOrdLessThanEqual | Op::FUnordLessThanEqual => predicate(false, true, true, true),
            _ => None,
        }
    }
}

impl Selector<'_> {
    /// Writes a comparison as flags, and gives the condition of those for which it holds. Of active lanes there is none if it
    /// takes more than one instruction that sets flags.
    pub(crate) fn compare_flags(&mut self, inst: Inst, lanes: FlagLanes) -> Result<Option<Condition>, Diagnostic> {
        let op = self.values.module.op(inst);
        let Some(predicate) = Predicate::of(op) else { return Ok(None) };
        let (left, right) = (self.values.module.operand(inst, 0), self.values.module.operand(inst, 1));
        let ty = self.values.scalar_type(left)?;
        let (mut a, mut b) = (self.compared(left)?, self.compared(right)?);
        if predicate.is_swapped {
            std::mem::swap(&mut a, &mut b);
        }
        let is_narrow_signed = predicate.is_signed && matches!(ty, ScalarType::Int(8 | 16));
        if is_narrow_signed && let ScalarType::Int(bits) = ty {
            for words in [&mut a, &mut b] {
                words[0] = self.emit.sign_extended(words[0], bits);
            }
        }
        if a.len() == 2 && a[1] == Word::Constant(0) && b[1] == Word::Constant(0) {
            return Ok(self.emit.compare_words(op, Predicate { is_signed: false, ..predicate }, [a[0], b[0]], lanes));
        }
        match (a.len(), lanes) {
            (2, FlagLanes::Active) => Ok(None),
            (2, FlagLanes::All) => Ok(Some(self.emit.compare_wide(predicate, &a, &b))),
            _ => Ok(self.emit.compare_words(op, predicate, [a[0], b[0]], lanes)),
        }
    }

    /// The words of an operand of a comparison. Halves are compared as floats.
    fn compared(&mut self, operand: Inst) -> Result<Words, Diagnostic> {
        let words = self.value(operand)?;
        Ok(match self.values.scalar_type(operand)? {
            ScalarType::Float(16) => one(self.emit.half_to_float(words[0])),
            _ => words,
        })
    }

    /// Sets the flags by a boolean, and gives the condition of the lanes for which it is true.
    pub(crate) fn condition(&mut self, inst: Inst) -> Result<Condition, Diagnostic> {
        if self.values.is_deferred(inst)
            && let Some(condition) = self.compare_flags(inst, FlagLanes::All)?
        {
            return Ok(condition);
        }
        let word = self.word(inst)?;
        self.emit.test(word);
        Ok(Condition::ZeroClear)
    }

    /// A branch that all active lanes take or not: to a label if a boolean has a value.
    pub(crate) fn branch_together(
        &mut self,
        inst: Inst,
        wanted: bool,
        target: super::emit::Label,
    ) -> Result<(), Diagnostic> {
        if self.emit.is_whole {
            let condition = self.condition(inst)?;
            let condition = if wanted { condition } else { condition.inverted() };
            self.emit.branch(BranchCondition::Any(condition), target);
            return Ok(());
        }
        let condition = self.masked_condition(inst, wanted)?;
        let condition = match condition {
            Condition::ZeroClear | Condition::NegativeClear | Condition::CarryClear => BranchCondition::All(condition),
            _ => BranchCondition::Any(condition),
        };
        self.emit.branch(condition, target);
        Ok(())
    }

    /// Sets the flags of active lanes by a boolean, and gives the condition of those that have the value. If it is one of a flag that is set, it
    /// holds for active lanes only; else it holds for all inactive ones.
    pub(crate) fn masked_condition(&mut self, inst: Inst, wanted: bool) -> Result<Condition, Diagnostic> {
        if self.values.is_deferred(inst)
            && let Some(condition) = self.compare_flags(inst, FlagLanes::Active)?
        {
            return Ok(if wanted { condition } else { condition.inverted() });
        }
        let word = self.word(inst)?;
        let execute = Word::Register(self.emit.execute);
        if wanted {
            let word = Word::Register(self.emit.in_register(word));
            self.emit.test_active();
            let source = self.emit.source(word);
            let inst = MachineInst::unary(Operation::Add(AddOp::Not), Destination::Null, source).setting_flags();
            self.emit.push(inst.when(Condition::ZeroSet));
        } else {
            self.emit.flags(AddOp::Or, execute, word);
        }
        Ok(Condition::ZeroSet)
    }

    /// The lanes that have a value of a boolean and are active, as a condition that holds for no inactive lane: one of a flag that is set.
    pub(crate) fn exact_condition(&mut self, inst: Inst, wanted: bool) -> Result<Condition, Diagnostic> {
        if self.values.is_deferred(inst) {
            if let Some(condition) = self.exact_comparison(inst, wanted)? {
                return Ok(condition);
            }
            let condition = self.condition(inst)?;
            let word = self.emit.boolean(condition);
            self.values.set(inst, one(word));
        }
        self.masked_condition(inst, wanted)
    }

    /// A comparison, or its opposite, whose flag is set where it holds. The flags are those of `execute` before, and change for active lanes only.
    ///
    /// ```text
    /// a < b         as in `compare_flags`
    /// a ≥ k         k − 1 < a                            k constant
    /// a = b         xor.zs.sf null, a, b                 zero
    /// a ≠ b         xor t, a, b;  sub.zs.sf null, 0, t   carry: 0 < t
    /// a & 2ⁱ ≠ 0    shl.zs.sf null, a, 31 − i            negative
    /// ```
    fn exact_comparison(&mut self, inst: Inst, wanted: bool) -> Result<Option<Condition>, Diagnostic> {
        let op = self.values.module.op(inst);
        let Some(mut predicate) = Predicate::of(op) else { return Ok(None) };
        predicate.is_inverted ^= !wanted;
        let (left, right) = (self.values.module.operand(inst, 0), self.values.module.operand(inst, 1));
        let ty = self.values.scalar_type(left)?;
        let (a, b) = (self.compared(left)?, self.compared(right)?);
        let is_zero_extended = a.len() == 2 && a[1] == Word::Constant(0) && b[1] == Word::Constant(0);
        if a.len() == 2 && !is_zero_extended {
            return Ok(None);
        }
        predicate.is_signed &= !is_zero_extended;
        let is_float = op.group() == OpGroup::FloatComparison;
        let (mut a, mut b) = if predicate.is_swapped { (b[0], a[0]) } else { (a[0], b[0]) };
        if predicate.is_signed
            && let ScalarType::Int(bits @ (8 | 16)) = ty
        {
            (a, b) = (self.emit.sign_extended(a, bits), self.emit.sign_extended(b, bits));
        }
        if !predicate.is_inverted {
            return Ok(self.emit.compare_words(op, predicate, [a, b], FlagLanes::Active));
        }
        if predicate.is_equality {
            if is_float {
                return Ok(None);
            }
            let bit = self.tested_bit(left, b);
            let (machine, x, y, holds) = match bit {
                Some((word, amount)) => (AddOp::Shl, word, Word::Constant(amount), Condition::NegativeSet),
                None => (AddOp::Sub, Word::Constant(0), self.emit.xor(a, b), Condition::CarrySet),
            };
            self.emit.masked_flags(machine, x, y);
            return Ok(Some(holds));
        }
        // a ≥ k is k − 1 < a.
        let least = if predicate.is_signed { i32::MIN.cast_unsigned() } else { 0 };
        match b {
            Word::Constant(limit) if !is_float && limit != least => {
                let predicate = Predicate { is_inverted: false, ..predicate };
                Ok(self.emit.compare_words(
                    op,
                    predicate,
                    [Word::Constant(limit.wrapping_sub(1)), a],
                    FlagLanes::Active,
                ))
            }
            _ => Ok(None),
        }
    }

    /// If a number is one bit of a word and is compared with zero: the word, and the shift that brings the bit to the sign.
    fn tested_bit(&mut self, number: Inst, other: Word) -> Option<(Word, u32)> {
        if self.values.module.op(number) != Op::BitwiseAnd || other != Word::Constant(0) {
            return None;
        }
        let mask = self.values.module.operand(number, 1);
        let bits = self.values.module.constant_bits(mask).filter(|_| self.values.module.op(mask) == Op::Constant)?;
        let bit = u32::try_from(bits).ok().filter(|bits| bits.is_power_of_two())?;
        let word = self.word(self.values.module.operand(number, 0)).ok()?;
        let amount = 31 - bit.trailing_zeros();
        // The shift takes its amount modulo 32: from 16 on it is a negative small immediate.
        Some((word, if amount > 15 { amount.wrapping_sub(32) } else { amount }))
    }
}

impl Values<'_> {
    /// Returns whether an instruction compares two values in a way that flags can tell.
    pub(crate) fn is_comparison(&self, inst: Inst) -> bool {
        let group = self.module.op(inst).group();
        let is_numeric = matches!(group, OpGroup::IntegerComparison | OpGroup::FloatComparison);
        is_numeric && Predicate::of(self.module.op(inst)).is_some()
    }
}

impl Emitter {
    fn compare_words(
        &mut self,
        op: Op,
        predicate: Predicate,
        [a, b]: [Word; 2],
        lanes: FlagLanes,
    ) -> Option<Condition> {
        let is_float = op.group() == OpGroup::FloatComparison;
        if is_float && predicate.is_equality {
            if lanes == FlagLanes::Active {
                return None;
            }
            let holds = self.float_equality(a, b);
            return Some(if predicate.is_inverted { holds.inverted() } else { holds });
        }
        let (machine, left, right, holds) = match (predicate.is_equality, is_float, predicate.is_signed) {
            (true, ..) => (AddOp::Xor, a, b, Condition::ZeroSet),
            (false, true, _) => (AddOp::FMax, b, a, Condition::CarrySet),
            (false, false, true) if b == Word::Constant(0) => (AddOp::Or, a, a, Condition::NegativeSet),
            (false, false, true) => (AddOp::Max, b, a, Condition::CarrySet),
            (false, false, false) => (AddOp::Sub, a, b, Condition::CarrySet),
        };
        let [left, right] = self.sources(left, right);
        if lanes == FlagLanes::Active {
            self.test_active();
        }
        let mut inst = MachineInst::binary(Operation::Add(machine), Destination::Null, left, right).setting_flags();
        if lanes == FlagLanes::Active {
            inst = inst.when(Condition::ZeroSet);
        }
        self.push(inst);
        Some(if predicate.is_inverted { holds.inverted() } else { holds })
    }

    fn compare_wide(&mut self, predicate: Predicate, a: &Words, b: &Words) -> Condition {
        if predicate.is_equality {
            let parts = [0, 1].map(|place| self.xor(a[place], b[place]));
            self.flags(AddOp::Or, parts[0], parts[1]);
            return if predicate.is_inverted { Condition::ZeroClear } else { Condition::ZeroSet };
        }
        let signedness = if predicate.is_signed { Signedness::Signed } else { Signedness::Unsigned };
        let less = self.wide_less(a, b, signedness);
        if predicate.is_inverted { less.inverted() } else { less }
    }

    /// Sets the flags of active lanes, whose flag zero is set before.
    fn masked_flags(&mut self, op: AddOp, left: Word, right: Word) {
        let [left, right] = self.sources(left, right);
        self.test_active();
        let inst = MachineInst::binary(Operation::Add(op), Destination::Null, left, right).setting_flags();
        self.push(inst.when(Condition::ZeroSet));
    }
}
