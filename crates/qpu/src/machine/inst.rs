//! Instructions: one operation of one of the two ALUs, or one of the forms that take a whole word.

use super::{BlockId, ReadPort, VReg, WritePort};

/// Operations of the add ALU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of the manual")]
pub enum AddOp {
    FAdd,
    FSub,
    FMin,
    FMax,
    FMinAbs,
    FMaxAbs,
    FToI,
    IToF,
    Add,
    Sub,
    Shr,
    Asr,
    Ror,
    Shl,
    Min,
    Max,
    And,
    Or,
    Xor,
    Not,
    Clz,
}

impl AddOp {
    /// Returns whether there is one source.
    pub fn is_unary(self) -> bool {
        matches!(self, AddOp::FToI | AddOp::IToF | AddOp::Not | AddOp::Clz)
    }

    /// Returns whether the sources may change places.
    pub fn is_commutative(self) -> bool {
        !matches!(self, AddOp::FSub | AddOp::Sub | AddOp::Shr | AddOp::Asr | AddOp::Ror | AddOp::Shl)
            && !self.is_unary()
    }
}

/// Operations of the multiplication ALU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of the manual")]
pub enum MulOp {
    FMul,
    Mul24,
}

/// The operation of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Moves the first source, on either ALU.
    Move,
    /// On the add ALU.
    Add(AddOp),
    /// On the multiplication ALU.
    Multiply(MulOp),
    /// Moves the first source, a virtual register, so that lane `i` gets the value of lane `i - amount` modulo 16. The amount is 1 to 15, or that
    /// of [`ReadPort::Broadcast`] if there is none. On the multiplication ALU; the source must be an accumulator.
    Rotate(Option<u8>),
    /// Loads a word, the same for all lanes.
    Immediate(u32),
    /// Takes from a semaphore or gives to it.
    Semaphore(Semaphore),
    /// Takes the oldest load through texture unit 0: [`ReadPort::Result`].
    LoadTmu,
    /// The register of the destination has no value from here on: it is not live before. No code.
    Undefine,
    /// Ends the program.
    End,
}

/// A semaphore.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Semaphore {
    /// Its number, 0 to 15.
    pub number: u8,
    /// True if it is acquired, which waits while it is zero; otherwise released.
    pub is_acquired: bool,
}

/// The lanes that an instruction writes: by the flags zero, negative and carry of each lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// All.
    Always,
    /// Zero.
    ZeroSet,
    /// Not zero.
    ZeroClear,
    /// Negative.
    NegativeSet,
    /// Not negative.
    NegativeClear,
    /// Carry.
    CarrySet,
    /// No carry.
    CarryClear,
}

impl Condition {
    /// The other lanes.
    #[must_use]
    pub fn inverted(self) -> Condition {
        match self {
            Condition::Always => Condition::Always,
            Condition::ZeroSet => Condition::ZeroClear,
            Condition::ZeroClear => Condition::ZeroSet,
            Condition::NegativeSet => Condition::NegativeClear,
            Condition::NegativeClear => Condition::NegativeSet,
            Condition::CarrySet => Condition::CarryClear,
            Condition::CarryClear => Condition::CarrySet,
        }
    }
}

/// The condition of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BranchCondition {
    /// Always.
    Always,
    /// The condition holds in all lanes.
    All(Condition),
    /// The condition holds in a lane.
    Any(Condition),
}

/// A branch at the end of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The condition of the branch; never [`Condition::Always`] for lanes.
    pub condition: BranchCondition,
    /// The target of the branch.
    pub target: BlockId,
}

/// A constant of the small immediates: its six bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SmallImmediate(pub u8);

impl SmallImmediate {
    /// The word that it represents.
    pub fn word(self) -> u32 {
        match self.0 {
            bits @ 0..=15 => u32::from(bits),
            bits @ 16..=31 => (i32::from(bits) - 32) as u32,
            bits @ 32..=39 => (u32::from(bits) - 32 + 127) << 23,
            bits => (u32::from(bits) + 127 - 48) << 23,
        }
    }

    /// The small immediate with the bits of a word: −16 to 15, and the powers of two from 1/256 to 128 as floating-point numbers.
    pub fn of(word: u32) -> Option<SmallImmediate> {
        match word as i32 {
            value @ 0..=15 => Some(SmallImmediate(value as u8)),
            value @ -16..=-1 => Some(SmallImmediate((value + 32) as u8)),
            _ => {
                let exponent = (word >> 23) as i32 - 127;
                let is_power = word & 0x007f_ffff == 0;
                match exponent {
                    0..=7 if is_power => Some(SmallImmediate(32 + exponent as u8)),
                    -8..=-1 if is_power => Some(SmallImmediate((48 + exponent) as u8)),
                    _ => None,
                }
            }
        }
    }
}

/// The source of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source<R = VReg> {
    /// A register.
    Register(R),
    /// A small immediate. Two sources of an instruction that are small immediates are the same one.
    Small(SmallImmediate),
    /// A register of the periphery.
    Port(ReadPort),
}

/// The destination of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Destination<R = VReg> {
    /// Nothing.
    Null,
    /// A register.
    Register(R),
    /// A register of the periphery.
    Port(WritePort),
}

/// An instruction. Its registers are virtual before allocation and physical after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inst<R = VReg> {
    /// The operation.
    pub operation: Operation,
    /// The lanes that are written, destination and flags.
    pub condition: Condition,
    /// True if the result sets the flags of the lanes that are written.
    pub sets_flags: bool,
    /// The destination.
    pub destination: Destination<R>,
    /// The sources. Operations with one source have it twice, those without have zeros.
    pub sources: [Source<R>; 2],
}

impl<R: Copy> Inst<R> {
    /// The sources of an operation that reads nothing.
    pub(crate) const NO_SOURCES: [Source<R>; 2] = [Source::Small(SmallImmediate(0)), Source::Small(SmallImmediate(0))];

    /// An operation with two sources.
    pub fn binary(operation: Operation, destination: Destination<R>, left: Source<R>, right: Source<R>) -> Inst<R> {
        Inst { operation, condition: Condition::Always, sets_flags: false, destination, sources: [left, right] }
    }

    /// An operation with one source.
    pub fn unary(operation: Operation, destination: Destination<R>, source: Source<R>) -> Inst<R> {
        Inst::binary(operation, destination, source, source)
    }

    /// A move.
    pub fn copy(destination: Destination<R>, source: Source<R>) -> Inst<R> {
        Inst::unary(Operation::Move, destination, source)
    }

    /// A word for all lanes.
    pub fn immediate(destination: Destination<R>, word: u32) -> Inst<R> {
        Inst::plain(Operation::Immediate(word), destination)
    }

    /// An operation without sources.
    pub fn plain(operation: Operation, destination: Destination<R>) -> Inst<R> {
        let [left, right] = Inst::NO_SOURCES;
        Inst::binary(operation, destination, left, right)
    }

    /// The same for some lanes.
    #[must_use]
    pub fn when(mut self, condition: Condition) -> Inst<R> {
        self.condition = condition;
        self
    }

    /// The same, which sets the flags.
    #[must_use]
    pub fn setting_flags(mut self) -> Inst<R> {
        self.sets_flags = true;
        self
    }

    /// The number of sources that are read.
    pub fn source_count(&self) -> usize {
        match self.operation {
            Operation::Immediate(_)
            | Operation::Semaphore(_)
            | Operation::LoadTmu
            | Operation::Undefine
            | Operation::End => 0,
            Operation::Move | Operation::Rotate(_) => 1,
            Operation::Add(op) if op.is_unary() => 1,
            Operation::Add(_) | Operation::Multiply(_) => 2,
        }
    }

    /// The registers that are read, without that of a conditional write.
    pub fn uses(&self) -> impl Iterator<Item = R> + use<R> {
        let sources = self.sources;
        (0..self.source_count()).filter_map(move |place| match sources[place] {
            Source::Register(register) => Some(register),
            Source::Small(_) | Source::Port(_) => None,
        })
    }

    /// The register that is written.
    pub fn definition(&self) -> Option<R> {
        match self.destination {
            Destination::Register(register) => Some(register),
            Destination::Null | Destination::Port(_) => None,
        }
    }

    /// The ports that are read.
    pub fn ports(&self) -> impl Iterator<Item = ReadPort> + use<R> {
        let sources = self.sources;
        (0..self.source_count()).filter_map(move |place| match sources[place] {
            Source::Port(port) => Some(port),
            Source::Small(_) | Source::Register(_) => None,
        })
    }

    /// Returns whether it does anything besides writing a register and the flags.
    pub fn has_effect(&self) -> bool {
        matches!(self.destination, Destination::Port(_))
            || matches!(self.operation, Operation::Semaphore(_) | Operation::LoadTmu | Operation::End)
            || self.ports().any(|port| {
                !matches!(port, ReadPort::ElementNumber | ReadPort::QpuNumber | ReadPort::Result | ReadPort::Broadcast)
            })
    }
}
