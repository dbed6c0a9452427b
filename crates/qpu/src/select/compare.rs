//! Comparisons as flags.
//!
//! ```text
//! a = b       sub.sf null, a, b        zero
//! a < b       unsigned:  sub.sf null, a, b      carry: the borrow
//!             signed:    max.sf null, b, a      carry: b > a, also where a − b overflows
//! 64 bits     sub.sf null, a₁, b₁;  sub.zs.sf null, a₀, b₀      the low words decide where the high ones are equal
//! float       fmax.sf null, b, a       carry: b > a
//! ```

use reconverge_ir::{Inst, Op, OpGroup};

use crate::machine::{AddOp, BranchCondition, Condition, Destination, Inst as MachineInst, Operation};

use super::emit::Word;
use super::selector::Selector;
use super::value::{ScalarType, Words};
use crate::SelectError;

/// A comparison in terms of equality and less.
#[derive(Clone, Copy, Debug)]
struct Predicate {
    /// Whether it asks for equality, else for less.
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
    /// Whether an instruction compares two values in a way that flags can tell.
    pub(crate) fn is_comparison(&self, inst: Inst) -> bool {
        let group = self.module.op(inst).group();
        let is_numeric = matches!(group, OpGroup::IntegerComparison | OpGroup::FloatComparison);
        is_numeric && Predicate::of(self.module.op(inst)).is_some()
    }

    /// Writes a comparison as flags, and gives the condition of those for which it holds. With `is_masked` the flags are those of `execute`
    /// before, and change for active lanes only; there is none if it takes more than one instruction.
    pub(crate) fn compare_flags(&mut self, inst: Inst, is_masked: bool) -> Result<Option<Condition>, SelectError> {
        let op = self.module.op(inst);
        let Some(predicate) = Predicate::of(op) else { return Ok(None) };
        let (left, right) = (self.module.operand(inst, 0), self.module.operand(inst, 1));
        let ty = self.scalar_type(left)?;
        let (mut a, mut b) = (self.value(left)?, self.value(right)?);
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
            return Ok(self.compare_words(op, Predicate { is_signed: false, ..predicate }, a[0], b[0], is_masked));
        }
        match (a.len(), is_masked) {
            (2, true) => Ok(None),
            (2, false) => Ok(Some(self.compare_wide(predicate, &a, &b))),
            _ => Ok(self.compare_words(op, predicate, a[0], b[0], is_masked)),
        }
    }

    fn compare_words(&mut self, op: Op, predicate: Predicate, a: Word, b: Word, is_masked: bool) -> Option<Condition> {
        let is_float = op.group() == OpGroup::FloatComparison;
        let (machine, left, right, holds) = match (predicate.is_equality, is_float, predicate.is_signed) {
            (true, false, _) => (AddOp::Xor, a, b, Condition::ZeroSet),
            (true, true, _) => (AddOp::FSub, a, b, Condition::ZeroSet),
            (false, true, _) => (AddOp::FMax, b, a, Condition::CarrySet),
            (false, false, true) if b == Word::Constant(0) => (AddOp::Or, a, a, Condition::NegativeSet),
            (false, false, true) => (AddOp::Max, b, a, Condition::CarrySet),
            (false, false, false) => (AddOp::Sub, a, b, Condition::CarrySet),
        };
        let [left, right] = self.emit.sources(left, right);
        if is_masked {
            self.emit.test_active();
        }
        let mut inst = MachineInst::binary(Operation::Add(machine), Destination::Null, left, right).setting_flags();
        if is_masked {
            inst = inst.when(Condition::ZeroSet);
        }
        self.emit.push(inst);
        Some(if predicate.is_inverted { holds.inverted() } else { holds })
    }

    fn compare_wide(&mut self, predicate: Predicate, a: &Words, b: &Words) -> Condition {
        if predicate.is_equality {
            let parts = [0, 1].map(|place| self.emit.xor(a[place], b[place]));
            self.emit.flags(AddOp::Or, parts[0], parts[1]);
            return if predicate.is_inverted { Condition::ZeroClear } else { Condition::ZeroSet };
        }
        let less = self.wide_less(a, b, predicate.is_signed);
        if predicate.is_inverted { less.inverted() } else { less }
    }

    /// The condition that one 64-bit integer is less than another one.
    pub(crate) fn wide_less(&mut self, a: &Words, b: &Words, is_signed: bool) -> Condition {
        let flip = Word::Constant(1 << 31);
        let mut high = [a[1], b[1]];
        if is_signed {
            high = high.map(|word| self.emit.xor(word, flip));
        }
        let low = [a[0], b[0]].map(|word| Word::Register(self.emit.in_register(word)));
        self.emit.flags(AddOp::Sub, high[0], high[1]);
        let [left, right] = low.map(|word| self.emit.source(word));
        let rest = MachineInst::binary(Operation::Add(AddOp::Sub), Destination::Null, left, right).setting_flags();
        self.emit.push(rest.when(Condition::ZeroSet));
        Condition::CarrySet
    }

    /// Sets the flags by a boolean, and gives the condition of the lanes for which it is true.
    pub(crate) fn condition(&mut self, inst: Inst) -> Result<Condition, SelectError> {
        if self.is_deferred(inst)
            && let Some(condition) = self.compare_flags(inst, false)?
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
    ) -> Result<(), SelectError> {
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
    pub(crate) fn masked_condition(&mut self, inst: Inst, wanted: bool) -> Result<Condition, SelectError> {
        if self.is_deferred(inst)
            && let Some(condition) = self.compare_flags(inst, true)?
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

    /// The lanes that have a value of a boolean and are active, as a condition that holds for no inactive lane.
    pub(crate) fn exact_condition(&mut self, inst: Inst, wanted: bool) -> Result<Condition, SelectError> {
        let is_exact =
            |condition| matches!(condition, Condition::ZeroSet | Condition::NegativeSet | Condition::CarrySet);
        if self.is_deferred(inst) {
            let holds = self.condition_kind(inst)?;
            let holds = if wanted { holds } else { holds.inverted() };
            if !is_exact(holds) {
                let condition = self.condition(inst)?;
                let word = self.emit.boolean(condition);
                self.set_word(inst, word);
            }
        }
        let condition = self.masked_condition(inst, wanted)?;
        if is_exact(condition) {
            return Ok(condition);
        }
        // A comparison of several instructions: as a word.
        let condition = self.condition(inst)?;
        let word = self.emit.boolean(condition);
        self.set_word(inst, word);
        self.masked_condition(inst, wanted)
    }

    /// The condition that a comparison would give.
    fn condition_kind(&self, inst: Inst) -> Result<Condition, SelectError> {
        let op = self.module.op(inst);
        let predicate = Predicate::of(op).ok_or_else(|| self.unsupported(inst, "a comparison of this kind"))?;
        let right = self.module.operand(inst, 1);
        let is_zero = matches!(self.module.op(right), Op::ConstantNull)
            || self.module.op(right) == Op::Constant && self.module.constant_bits(right) == Some(0);
        let is_sign =
            predicate.is_signed && !predicate.is_swapped && is_zero && op.group() == OpGroup::IntegerComparison;
        let holds = match predicate.is_equality {
            true => Condition::ZeroSet,
            false if is_sign => Condition::NegativeSet,
            false => Condition::CarrySet,
        };
        Ok(if predicate.is_inverted { holds.inverted() } else { holds })
    }
}
