//! Words of 64 bits: the tables of the manual, and nothing else of the compiler. One function for each form of a word.
//!
//! ```text
//!            63:60   59:57  56  55:52  51:49 48:46 45  44  43:38     37:32     31:29 28:24 23:18   17:12   11:9  8:6  5:3  2:0
//! operations signal  unpack pm  pack   add   mul   sf  ws  waddr add waddr mul mul   add   raddr a raddr b add a add b mul a mul b
//! immediate  14      mode   pm  pack   add   mul   sf  ws  waddr add waddr mul word of 32 bits
//! branch     15      0      0   cond   rel reg     0   ws  waddr add waddr mul offset in bytes from the fourth word after
//! ```

use crate::machine::{AddOp, BranchCondition, Condition, MulOp, ReadPort, Semaphore, WritePort};

/// The register address that reads nothing and writes nothing.
pub(crate) const NOP_ADDRESS: u8 = 39;

/// Multiplexer of what raddr a reads.
pub(crate) const MUX_A: u8 = 6;
/// Multiplexer of what raddr b reads, or of the small immediate.
pub(crate) const MUX_B: u8 = 7;

/// The signal of a word: its effect besides its operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signal {
    /// Nothing.
    None,
    /// The program ends after two further words.
    ProgramEnd,
    /// `r4` gets the oldest load of texture unit 0.
    LoadTmu0,
    /// raddr b is a small immediate.
    SmallImmediate,
}

/// The operation of one ALU in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AluPart {
    /// The number of the operation on this ALU; 0 does nothing.
    pub(crate) opcode: u8,
    /// The lanes that are written, as a number.
    pub(crate) condition: u8,
    /// The write address.
    pub(crate) write: u8,
    /// The muxes of the operands.
    pub(crate) muxes: [u8; 2],
}

impl AluPart {
    /// Nothing.
    pub(crate) const NOP: AluPart = AluPart { opcode: 0, condition: 0, write: NOP_ADDRESS, muxes: [0; 2] };
}

/// A word with operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AluWord {
    pub(crate) signal: Signal,
    pub(crate) add: AluPart,
    pub(crate) mul: AluPart,
    pub(crate) sets_flags: bool,
    /// True if the add ALU writes file B and the multiplication ALU file A.
    pub(crate) is_swapped: bool,
    pub(crate) read_a: u8,
    /// The read address of raddr b, or the bits of the small immediate.
    pub(crate) read_b: u8,
}

/// A word that does nothing.
pub(crate) const NOP: AluWord = AluWord {
    signal: Signal::None,
    add: AluPart::NOP,
    mul: AluPart::NOP,
    sets_flags: false,
    is_swapped: false,
    read_a: NOP_ADDRESS,
    read_b: NOP_ADDRESS,
};

/// A word with operations of both ALUs.
pub(crate) fn alu(word: &AluWord) -> u64 {
    let signal: u64 = match word.signal {
        Signal::None => 1,
        Signal::ProgramEnd => 3,
        Signal::LoadTmu0 => 10,
        Signal::SmallImmediate => 13,
    };
    let operands = u64::from(word.mul.opcode) << 29
        | u64::from(word.add.opcode) << 24
        | u64::from(word.read_a) << 18
        | u64::from(word.read_b) << 12
        | u64::from(word.add.muxes[0]) << 9
        | u64::from(word.add.muxes[1]) << 6
        | u64::from(word.mul.muxes[0]) << 3
        | u64::from(word.mul.muxes[1]);
    signal << 60 | writes(&word.add, &word.mul) | flags(word) | operands
}

/// A word that loads a constant: the destinations and conditions of the parts are used.
pub(crate) fn load_immediate(word: &AluWord, constant: u32) -> u64 {
    14 << 60 | writes(&word.add, &word.mul) | flags(word) | u64::from(constant)
}

/// A word that takes from a semaphore or gives to it.
pub(crate) fn semaphore(semaphore: Semaphore) -> u64 {
    let operand = u64::from(semaphore.is_acquired) << 4 | u64::from(semaphore.number);
    14 << 60 | 4 << 57 | writes(&AluPart::NOP, &AluPart::NOP) | operand
}

/// A branch to a place that is `words` words after the branch.
pub(crate) fn branch(condition: BranchCondition, words: i32) -> u64 {
    let offset = (words - 4).wrapping_mul(8) as u32;
    let nowhere = u64::from(NOP_ADDRESS) << 38 | u64::from(NOP_ADDRESS) << 32;
    15 << 60 | branch_condition(condition) << 52 | 1 << 51 | nowhere | u64::from(offset)
}

fn writes(add: &AluPart, mul: &AluPart) -> u64 {
    u64::from(add.condition) << 49
        | u64::from(mul.condition) << 46
        | u64::from(add.write) << 38
        | u64::from(mul.write) << 32
}

fn flags(word: &AluWord) -> u64 {
    u64::from(word.sets_flags) << 45 | u64::from(word.is_swapped) << 44
}

/// The number of a condition of lanes.
pub(crate) fn condition(condition: Condition) -> u8 {
    match condition {
        Condition::Always => 1,
        Condition::ZeroSet => 2,
        Condition::ZeroClear => 3,
        Condition::NegativeSet => 4,
        Condition::NegativeClear => 5,
        Condition::CarrySet => 6,
        Condition::CarryClear => 7,
    }
}

fn branch_condition(condition: BranchCondition) -> u64 {
    match condition {
        BranchCondition::Always | BranchCondition::All(Condition::Always) | BranchCondition::Any(Condition::Always) => {
            15
        }
        BranchCondition::All(Condition::ZeroSet) => 0,
        BranchCondition::All(Condition::ZeroClear) => 1,
        BranchCondition::Any(Condition::ZeroSet) => 2,
        BranchCondition::Any(Condition::ZeroClear) => 3,
        BranchCondition::All(Condition::NegativeSet) => 4,
        BranchCondition::All(Condition::NegativeClear) => 5,
        BranchCondition::Any(Condition::NegativeSet) => 6,
        BranchCondition::Any(Condition::NegativeClear) => 7,
        BranchCondition::All(Condition::CarrySet) => 8,
        BranchCondition::All(Condition::CarryClear) => 9,
        BranchCondition::Any(Condition::CarrySet) => 10,
        BranchCondition::Any(Condition::CarryClear) => 11,
    }
}

/// The number of an operation of the add ALU.
pub(crate) fn add_opcode(op: AddOp) -> u8 {
    match op {
        AddOp::FAdd => 1,
        AddOp::FSub => 2,
        AddOp::FMin => 3,
        AddOp::FMax => 4,
        AddOp::FMinAbs => 5,
        AddOp::FMaxAbs => 6,
        AddOp::FToI => 7,
        AddOp::IToF => 8,
        AddOp::Add => 12,
        AddOp::Sub => 13,
        AddOp::Shr => 14,
        AddOp::Asr => 15,
        AddOp::Ror => 16,
        AddOp::Shl => 17,
        AddOp::Min => 18,
        AddOp::Max => 19,
        AddOp::And => 20,
        AddOp::Or => 21,
        AddOp::Xor => 22,
        AddOp::Not => 23,
        AddOp::Clz => 24,
    }
}

/// The number of an operation of the multiplication ALU.
pub(crate) fn mul_opcode(op: MulOp) -> u8 {
    match op {
        MulOp::FMul => 1,
        MulOp::Mul24 => 2,
    }
}

/// The operation of the multiplication ALU that moves a value: the smaller of it and itself, byte by byte.
pub(crate) const MUL_MOVE: u8 = 4;

/// The bits of the small immediate that rotates by an amount, or by `r5`.
pub(crate) fn rotation(amount: Option<u8>) -> u8 {
    48 + amount.unwrap_or(0)
}

/// The read address of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReadAddress {
    /// Through raddr a.
    A(u8),
    /// Through raddr b.
    B(u8),
    /// Through either.
    Either(u8),
    /// By a multiplexer alone.
    Mux(u8),
}

/// The read address of a port.
pub(crate) fn read_address(port: ReadPort) -> ReadAddress {
    match port {
        ReadPort::Uniform => ReadAddress::Either(32),
        ReadPort::ElementNumber => ReadAddress::A(38),
        ReadPort::QpuNumber => ReadAddress::B(38),
        ReadPort::Vpm => ReadAddress::Either(48),
        ReadPort::DmaLoadWait => ReadAddress::A(50),
        ReadPort::DmaStoreWait => ReadAddress::B(50),
        ReadPort::MutexAcquire => ReadAddress::Either(51),
        ReadPort::Result => ReadAddress::Mux(4),
        ReadPort::Broadcast => ReadAddress::Mux(5),
    }
}

/// The write address of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WriteAddress {
    /// In file A.
    A(u8),
    /// In file B.
    B(u8),
    /// In either file.
    Either(u8),
}

/// The write address of a port.
pub(crate) fn write_address(port: WritePort) -> WriteAddress {
    match port {
        WritePort::Broadcast => WriteAddress::B(37),
        WritePort::UniformsAddress => WriteAddress::Either(40),
        WritePort::Vpm => WriteAddress::Either(48),
        WritePort::VpmReadSetup => WriteAddress::A(49),
        WritePort::VpmWriteSetup => WriteAddress::B(49),
        WritePort::DmaLoadAddress => WriteAddress::A(50),
        WritePort::DmaStoreAddress => WriteAddress::B(50),
        WritePort::MutexRelease => WriteAddress::Either(51),
        WritePort::Reciprocal => WriteAddress::Either(52),
        WritePort::ReciprocalSqrt => WriteAddress::Either(53),
        WritePort::Exp2 => WriteAddress::Either(54),
        WritePort::Log2 => WriteAddress::Either(55),
        WritePort::TmuAddress => WriteAddress::Either(56),
        WritePort::TmuNoSwap => WriteAddress::Either(36),
        WritePort::HostInterrupt => WriteAddress::Either(38),
    }
}

/// The write address of an accumulator `r0` to `r3`, the same in either file.
pub(crate) fn accumulator_write(number: u8) -> u8 {
    32 + number
}
