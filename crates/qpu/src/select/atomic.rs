//! Atomic operations: the chip has none, so each lane loads, computes and stores while the mutex is held.
//!
//! ```text
//! for each active lane:  its word → its column of the transfer row;  row → registers;  new = old ∘ value;  row ← new;  its column → memory
//! ```
//!
//! They are atomic towards the other QPUs of the launch, which all take the mutex, and towards no one else.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::dma::Turn;
use super::emit::{Emitter, Word};
use super::selector::Selector;
use super::value::{ScalarType, one};
use crate::machine::{AddOp, Condition};

impl Selector<'_> {
    pub(crate) fn select_atomic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.values.module.op(inst);
        let Some(view::Atomic { pointer, value, comparator, .. }) = view::Atomic::of(self.values.module, inst) else {
            return Err(self.values.unsupported(inst, "operands that are missing"));
        };
        let ty = match value {
            Some(value) => self.values.scalar_type(value)?,
            None if op == Op::AtomicFlagClear => ScalarType::Int(32),
            None => self.values.scalar_type(inst)?,
        };
        if !matches!(ty, ScalarType::Int(32) | ScalarType::Float(32) | ScalarType::Bool) {
            return Err(self.values.unsupported(inst, "an atomic operation on other than 32 bits"));
        }
        let address = self.atomic_address(pointer)?;
        let value = value.map(|value| self.word(value)).transpose()?;
        let comparator = comparator.map(|comparator| self.word(comparator)).transpose()?;
        match op {
            Op::AtomicStore => return self.store_lanes(address, value.unwrap_or(Word::Constant(0)), 4),
            Op::AtomicFlagClear => return self.store_lanes(address, Word::Constant(0), 4),
            Op::AtomicLoad => {
                let loaded = self.load_lanes(address)?;
                self.values.set(inst, one(loaded));
                return Ok(());
            }
            _ => {}
        }
        let [value, comparator] = [value, comparator].map(|word| {
            let word = word.unwrap_or(Word::Constant(0));
            Word::Register(self.emit.in_register(word))
        });
        let result = self.emit.copied(Word::Constant(0));
        let base = self.load_base();
        let addresses = self.emit.addresses_of_active(address);
        self.emit.lock();
        self.each_active_lane(addresses, &mut |selector, turn: Turn| {
            selector.load_word(base, turn);
            let old = selector.read_transfer_row();
            selector.emit.test_lane(turn.count);
            selector.emit.copy_when(result, old, Condition::ZeroSet);
            let new = selector.emit.combined(op, old, value, comparator);
            let new = new.ok_or_else(|| selector.values.unsupported(inst, "an atomic operation of this kind"))?;
            selector.store_word(new, turn);
            Ok(())
        })?;
        self.emit.unlock();
        let result = Word::Register(result);
        if op == Op::AtomicFlagTestAndSet {
            self.emit.test(result);
            let flag = self.emit.boolean(Condition::ZeroClear);
            self.values.set(inst, one(flag));
        } else {
            self.values.set(inst, one(result));
        }
        Ok(())
    }
}

impl Emitter {
    /// Computes the value that an atomic operation stores.
    fn combined(&mut self, op: Op, old: Word, value: Word, comparator: Word) -> Option<Word> {
        Some(match op {
            Op::AtomicExchange => value,
            Op::AtomicFlagTestAndSet => Word::Constant(1),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
                self.flags(AddOp::Xor, old, comparator);
                self.choose(Condition::ZeroSet, value, old)
            }
            Op::AtomicIIncrement => self.add(old, Word::Constant(1)),
            Op::AtomicIDecrement => self.sub(old, Word::Constant(1)),
            Op::AtomicIAdd => self.add(old, value),
            Op::AtomicISub => self.sub(old, value),
            Op::AtomicSMin => self.binary(AddOp::Min, old, value),
            Op::AtomicSMax => self.binary(AddOp::Max, old, value),
            Op::AtomicUMin => self.unsigned_least(old, value),
            Op::AtomicUMax => self.unsigned_greatest(old, value),
            Op::AtomicAnd => self.and(old, value),
            Op::AtomicOr => self.or(old, value),
            Op::AtomicXor => self.xor(old, value),
            Op::AtomicFAddEXT => self.fadd(old, value),
            Op::AtomicFMinEXT => self.binary(AddOp::FMin, old, value),
            Op::AtomicFMaxEXT => self.binary(AddOp::FMax, old, value),
            _ => return None,
        })
    }
}
