//! Barriers and subgroup operations. The subgroup is the pack: 16 lanes.
//!
//! A barrier of the QPUs of a work-group has two rounds, so that a QPU which is faster than the others cannot take the token of a slower one at
//! the barrier after:
//!
//! ```text
//! others        give arrive₁, take leave₁;                          the same with arrive₂, leave₂
//! pack 0        take arrive₁ from each, give leave₁ to each;        the same
//! ```
//!
//! A reduction goes by rotations: by 8, 4, 2 and 1 lanes. Sums of floats and scans go lane after lane.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::GroupOperation;

use super::emit::{Emitter, Word};
use super::selector::Selector;
use super::value::{ScalarType, one};
use super::values::Selected;
use crate::LANES;
use crate::machine::{
    AddOp, BranchCondition, Condition, Destination, Inst as MachineInst, MulOp, Operation, ReadPort, Semaphore,
};
use crate::program::Uniform;

/// Semaphores of the two rounds of a barrier: arrivals and leaves.
const ROUNDS: [(u8, u8); 2] = [(0, 1), (2, 3)];

/// The combination of two values into one.
#[derive(Clone, Copy, Debug)]
enum Combination {
    Add(AddOp),
    Product,
    FloatProduct,
    UnsignedLeast,
    UnsignedGreatest,
}

impl Selector<'_> {
    pub(crate) fn select_barrier(&mut self, _inst: Inst) -> Result<(), Diagnostic> {
        let packs = self.values.specialization.packs();
        if packs == 1 {
            return Ok(());
        }
        let (first, done) = (self.emit.label(), self.emit.label());
        let pack = self.uniform(Uniform::Pack);
        self.emit.test(pack);
        self.emit.branch(BranchCondition::All(Condition::ZeroSet), first);
        for (arrive, leave) in ROUNDS {
            self.emit.release(arrive);
            self.emit.acquire(leave);
        }
        self.emit.jump(done);
        self.emit.place(first);
        for (arrive, leave) in ROUNDS {
            (1..packs).for_each(|_| self.emit.acquire(arrive));
            (1..packs).for_each(|_| self.emit.release(leave));
        }
        self.emit.place(done);
        Ok(())
    }

    /// An operation of the lanes that execute together.
    pub(crate) fn select_subgroup(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.values.module.op(inst);
        let Some(view) = view::Group::of(self.values.module, inst) else {
            return Err(self.values.unsupported(inst, "operands that are missing"));
        };
        let (operation, operand) = (view.operation, view.value);
        let argument = view.arguments.first();
        if op == Op::GroupNonUniformElect {
            let elected = self.emit.elected();
            self.values.set(inst, one(elected));
            return Ok(());
        }
        let operand = operand.ok_or_else(|| self.values.unsupported(inst, "no operand"))?;
        let ty = self.values.scalar_type(operand)?;
        if ty.words() > 1 {
            return Err(self.values.unsupported(inst, "64-bit values of other lanes"));
        }
        let value = self.word(operand)?;
        let value = Word::Register(self.emit.in_register(value));
        if !self.values.flow.is_varying(operand) && gives_back(op) {
            self.values.set(inst, one(value));
            return Ok(());
        }
        let number = argument.map(|argument| self.word(argument)).transpose()?;
        let word = match op {
            Op::GroupNonUniformAny | Op::SubgroupAnyKHR => self.emit.any(value),
            Op::GroupNonUniformAll | Op::SubgroupAllKHR => self.emit.all(value),
            Op::GroupNonUniformBallot | Op::SubgroupBallotKHR => {
                let bits = self.emit.ballot(value);
                self.values.set(inst, Selected::Pair([one(bits), one(Word::Constant(0))]));
                return Ok(());
            }
            Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => self.emit.all_equal(ty, value),
            Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => {
                let lane = self.emit.first_active();
                self.emit.of_lane(value, lane)
            }
            Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle | Op::SubgroupReadInvocationKHR => {
                let lane = number.ok_or_else(|| self.values.unsupported(inst, "no lane"))?;
                let is_varying = argument.is_some_and(|argument| self.values.flow.is_varying(argument));
                if is_varying { self.shuffle(value, lane)? } else { self.emit.of_lane(value, lane) }
            }
            Op::GroupNonUniformShuffleXor | Op::GroupNonUniformShuffleUp | Op::GroupNonUniformShuffleDown => {
                let distance = number.ok_or_else(|| self.values.unsupported(inst, "no distance"))?;
                let lane = self.emit.read(ReadPort::ElementNumber);
                let lane = match op {
                    Op::GroupNonUniformShuffleXor => self.emit.xor(lane, distance),
                    Op::GroupNonUniformShuffleUp => self.emit.sub(lane, distance),
                    _ => self.emit.add(lane, distance),
                };
                self.shuffle(value, lane)?
            }
            _ => self.combine(inst, operation, value, ty)?,
        };
        self.values.set(inst, one(word));
        Ok(())
    }

    /// Each lane reads the value of another one.
    fn shuffle(&mut self, value: Word, lanes: Word) -> Result<Word, Diagnostic> {
        let lanes = self.emit.and(lanes, Word::Constant(LANES - 1));
        let lanes = Word::Register(self.emit.in_register(lanes));
        let result = self.emit.copied(Word::Constant(0));
        self.each_lane(&mut |selector, count| {
            let of_lane = selector.emit.of_lane(value, Word::Register(count));
            let number = selector.emit.and(Word::Register(count), Word::Constant(LANES - 1));
            selector.emit.flags(AddOp::Xor, lanes, number);
            selector.emit.copy_when(result, of_lane, Condition::ZeroSet);
            Ok(())
        })?;
        Ok(Word::Register(result))
    }

    /// Reductions and scans.
    fn combine(
        &mut self,
        inst: Inst,
        operation: Option<GroupOperation>,
        value: Word,
        ty: ScalarType,
    ) -> Result<Word, Diagnostic> {
        let op = self.values.module.op(inst);
        let found = combination(op).zip(operation);
        let (Some(((combination, identity), operation)), false) = (found, matches!(ty, ScalarType::Int(8 | 16))) else {
            return Err(self.values.unsupported(inst, "this operation of a subgroup"));
        };
        let value = self.emit.of_active(value, Word::Constant(identity));
        let is_sequential = matches!(op, Op::GroupNonUniformFAdd | Op::GroupNonUniformFMul);
        match operation {
            GroupOperation::Reduce if !is_sequential => return Ok(self.emit.reduce(value, combination)),
            GroupOperation::Reduce | GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan => {}
            _ => return Err(self.values.unsupported(inst, "an operation of parts of a subgroup")),
        }
        let sum = self.emit.copied(Word::Constant(identity));
        let result = self.emit.copied(Word::Constant(0));
        let value = Word::Register(self.emit.in_register(value));
        self.each_lane(&mut |selector, count| {
            let of_lane = selector.emit.of_lane(value, Word::Register(count));
            let before = Word::Register(selector.emit.copied(Word::Register(sum)));
            let after = selector.emit.combined_by(combination, before, of_lane);
            selector.emit.copy(sum, after);
            let kept = if operation == GroupOperation::ExclusiveScan { before } else { after };
            selector.emit.test_lane(count);
            selector.emit.copy_when(result, kept, Condition::ZeroSet);
            Ok(())
        })?;
        Ok(Word::Register(if operation == GroupOperation::Reduce { sum } else { result }))
    }
}

impl Emitter {
    /// Takes from a semaphore; waits until it has something.
    fn acquire(&mut self, number: u8) {
        self.push_semaphore(Semaphore { number, is_acquired: true });
    }

    /// Gives to a semaphore.
    fn release(&mut self, number: u8) {
        self.push_semaphore(Semaphore { number, is_acquired: false });
    }

    fn push_semaphore(&mut self, semaphore: Semaphore) {
        self.push(MachineInst::plain(Operation::Semaphore(semaphore), Destination::Null));
    }

    /// Sets flags by the equality of two values of a type, and gives the condition of equal ones.
    fn equality(&mut self, ty: ScalarType, a: Word, b: Word) -> Condition {
        match ty {
            ScalarType::Float(32) => self.float_equality(a, b),
            ScalarType::Float(16) => {
                let [a, b] = [a, b].map(|half| self.half_to_float(half));
                self.float_equality(a, b)
            }
            _ => {
                self.flags(AddOp::Xor, a, b);
                Condition::ZeroSet
            }
        }
    }

    /// A mask where active lanes have a value and others another one.
    fn of_active(&mut self, value: Word, other: Word) -> Word {
        if self.is_whole {
            return value;
        }
        let masked = self.copied(other);
        self.copy_active(masked, value);
        Word::Register(masked)
    }

    /// The active lanes for which a boolean is true, as bits.
    fn ballot(&mut self, value: Word) -> Word {
        let value = self.of_active(value, Word::Constant(0));
        let lane = self.read(ReadPort::ElementNumber);
        let bit = self.binary(AddOp::Shl, Word::Constant(1), lane);
        let bits = self.and(value, bit);
        self.reduce(bits, Combination::Add(AddOp::Or))
    }

    fn any(&mut self, value: Word) -> Word {
        let value = self.of_active(value, Word::Constant(0));
        self.reduce(value, Combination::Add(AddOp::Or))
    }

    fn all(&mut self, value: Word) -> Word {
        let value = self.of_active(value, Word::Constant(u32::MAX));
        self.reduce(value, Combination::Add(AddOp::And))
    }

    /// Whether a lane is the first active one.
    fn elected(&mut self) -> Word {
        let first = self.first_active();
        let lane = self.read(ReadPort::ElementNumber);
        self.flags(AddOp::Xor, lane, first);
        self.boolean(Condition::ZeroSet)
    }

    /// Whether all active lanes have the value of the first of them.
    fn all_equal(&mut self, ty: ScalarType, value: Word) -> Word {
        let lane = self.first_active();
        let first = self.of_lane(value, lane);
        let holds = self.equality(ty, value, first);
        let equal = self.boolean(holds);
        self.all(equal)
    }

    /// The number of the first active lane.
    fn first_active(&mut self) -> Word {
        if self.is_whole {
            return Word::Constant(0);
        }
        let bits = self.ballot(Word::Constant(u32::MAX));
        let negated = self.sub(Word::Constant(0), bits);
        let lowest = self.and(bits, negated);
        let zeros = self.unary(AddOp::Clz, lowest);
        self.sub(Word::Constant(31), zeros)
    }

    /// Combines the values of all lanes, by rotations.
    fn reduce(&mut self, value: Word, combination: Combination) -> Word {
        let mut value = value;
        for amount in [8, 4, 2, 1] {
            if let Word::Constant(_) = value {
                value = Word::Register(self.in_register(value));
            }
            let rotated = self.rotate(value, Some(amount));
            value = self.combined_by(combination, value, rotated);
        }
        value
    }

    fn combined_by(&mut self, combination: Combination, a: Word, b: Word) -> Word {
        match combination {
            Combination::Add(op) => self.binary(op, a, b),
            Combination::Product => self.product_of_words(a, b),
            Combination::FloatProduct => self.multiply(MulOp::FMul, a, b),
            Combination::UnsignedLeast => self.unsigned_least(a, b),
            Combination::UnsignedGreatest => self.unsigned_greatest(a, b),
        }
    }
}

/// Returns whether an operation gives each lane the value of some lane.
fn gives_back(op: Op) -> bool {
    matches!(
        op,
        Op::GroupNonUniformBroadcastFirst
            | Op::SubgroupFirstInvocationKHR
            | Op::GroupNonUniformBroadcast
            | Op::GroupNonUniformShuffle
            | Op::SubgroupReadInvocationKHR
            | Op::GroupNonUniformShuffleXor
            | Op::GroupNonUniformShuffleUp
            | Op::GroupNonUniformShuffleDown
    )
}

/// The combination of an operation, and its identity.
fn combination(op: Op) -> Option<(Combination, u32)> {
    let infinity = f32::INFINITY.to_bits();
    Some(match op {
        Op::GroupNonUniformIAdd => (Combination::Add(AddOp::Add), 0),
        // −0 is the identity of addition.
        Op::GroupNonUniformFAdd => (Combination::Add(AddOp::FAdd), 1 << 31),
        Op::GroupNonUniformIMul => (Combination::Product, 1),
        Op::GroupNonUniformFMul => (Combination::FloatProduct, 1.0_f32.to_bits()),
        Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformLogicalAnd => (Combination::Add(AddOp::And), u32::MAX),
        Op::GroupNonUniformBitwiseOr | Op::GroupNonUniformLogicalOr => (Combination::Add(AddOp::Or), 0),
        Op::GroupNonUniformBitwiseXor | Op::GroupNonUniformLogicalXor => (Combination::Add(AddOp::Xor), 0),
        Op::GroupNonUniformSMin => (Combination::Add(AddOp::Min), i32::MAX.cast_unsigned()),
        Op::GroupNonUniformSMax => (Combination::Add(AddOp::Max), i32::MIN.cast_unsigned()),
        Op::GroupNonUniformUMin => (Combination::UnsignedLeast, u32::MAX),
        Op::GroupNonUniformUMax => (Combination::UnsignedGreatest, 0),
        Op::GroupNonUniformFMin => (Combination::Add(AddOp::FMin), infinity),
        Op::GroupNonUniformFMax => (Combination::Add(AddOp::FMax), infinity | 1 << 31),
        _ => return None,
    })
}
