//! Words of code to instructions, once for each word.
//!
//! Rules that a word breaks regardless of its context are checked here; the fault is reported when the word is executed.

use crate::alu::{AddOperation, MulOperation};
use crate::fault::FaultKind;
use crate::lanes::{BranchCondition, Condition, LANES, Lanes, splat};
use crate::registers::{File, Source, Target};

/// An instruction, or the rule that its word breaks.
pub(crate) type Decoded = Result<Instruction, FaultKind>;

/// An instruction.
#[derive(Debug, Clone)]
pub(crate) enum Instruction {
    Alu(Alu),
    Load(Load),
    Branch(Branch),
}

/// The additional effect of an instruction with both ALUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    None,
    ProgramEnd,
    LoadTmu(u8),
}

/// The source of an operand of an ALU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// r0 to r5.
    Accumulator(u8),
    FileA,
    FileB,
}

/// The distance by which a result of the mul ALU is rotated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rotation {
    Fixed(usize),
    ByR5,
}

/// The destinations of both ALUs, which all instructions have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Writes {
    pub(crate) add_target: Target,
    pub(crate) mul_target: Target,
    pub(crate) add_condition: Condition,
    pub(crate) mul_condition: Condition,
    /// True if the mul ALU writes file A.
    pub(crate) is_swapped: bool,
    /// `pm`: true if the pack mode applies to the mul ALU.
    pub(crate) packs_mul: bool,
    pub(crate) pack: u8,
    pub(crate) sets_flags: bool,
}

/// An instruction with both ALUs.
#[derive(Debug, Clone)]
pub(crate) struct Alu {
    pub(crate) signal: Signal,
    pub(crate) writes: Writes,
    pub(crate) add: AddOperation,
    pub(crate) mul: MulOperation,
    pub(crate) add_operands: [Operand; 2],
    pub(crate) mul_operands: [Operand; 2],
    pub(crate) read_a: Source,
    pub(crate) read_b: Source,
    pub(crate) immediate: Option<u32>,
    pub(crate) rotation: Option<Rotation>,
    pub(crate) unpack: u8,
    pub(crate) uses: Uses,
}

/// The reads of the active ALUs of an instruction.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Uses {
    pub(crate) r4: bool,
    pub(crate) file_a: bool,
    pub(crate) file_b: bool,
    /// r0 to r3, and r5 for the distance, when the instruction rotates: bit i is accumulator i.
    pub(crate) rotation_inputs: u8,
}

/// A load of an immediate, or an access to a semaphore.
#[derive(Debug, Clone)]
pub(crate) struct Load {
    pub(crate) writes: Writes,
    pub(crate) values: Lanes,
    pub(crate) semaphore: Option<SemaphoreAccess>,
}

/// An access to a semaphore.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SemaphoreAccess {
    pub(crate) number: usize,
    pub(crate) is_acquire: bool,
}

/// A branch.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub(crate) condition: BranchCondition,
    pub(crate) is_relative: bool,
    /// The register of file A that is added to the target.
    pub(crate) register: Option<u8>,
    pub(crate) offset: u32,
    pub(crate) links: [Target; 2],
}

fn field(word: u64, low: u32, bits: u32) -> u8 {
    (word >> low & ((1 << bits) - 1)) as u8
}

fn bit(word: u64, position: u32) -> bool {
    word >> position & 1 != 0
}

/// Decodes a word.
pub(crate) fn decode(word: u64) -> Decoded {
    match field(word, 60, 4) {
        14 => decode_load(word).map(Instruction::Load),
        15 => decode_branch(word).map(Instruction::Branch),
        signal => decode_alu(word, signal).map(Instruction::Alu),
    }
}

/// Returns whether the word has the signal of the program end.
pub(crate) fn is_program_end(word: u64) -> bool {
    field(word, 60, 4) == 3
}

fn decode_targets(word: u64) -> Result<[Target; 2], FaultKind> {
    let (add_file, mul_file) = if bit(word, 44) { (File::B, File::A) } else { (File::A, File::B) };
    Ok([Target::of_address(field(word, 38, 6), add_file)?, Target::of_address(field(word, 32, 6), mul_file)?])
}

fn decode_writes(word: u64) -> Result<Writes, FaultKind> {
    let condition = |low| Condition::ALL[usize::from(field(word, low, 3))];
    let [add_target, mul_target] = decode_targets(word)?;
    let writes = Writes {
        add_target,
        mul_target,
        add_condition: condition(49),
        mul_condition: condition(46),
        is_swapped: bit(word, 44),
        packs_mul: bit(word, 56),
        pack: field(word, 52, 4),
        sets_flags: bit(word, 45),
    };
    let is_conditional = |target: Target, condition| target.is_unconditional() && condition != Condition::Always;
    if is_conditional(add_target, writes.add_condition) || is_conditional(mul_target, writes.mul_condition) {
        return Err(FaultKind::ConditionalPeripheralWrite);
    }
    check_pack(&writes)?;
    Ok(writes)
}

fn check_pack(writes: &Writes) -> Result<(), FaultKind> {
    let is_known = !writes.packs_mul || matches!(writes.pack, 0 | 3..=7);
    let takes_pack = match (writes.packs_mul, writes.is_swapped) {
        _ if writes.pack == 0 => true,
        (true, _) => writes.pack == 3 || writes.mul_target.takes_parts(),
        (false, false) => matches!(writes.add_target, Target::Register(..)),
        (false, true) => matches!(writes.mul_target, Target::Register(..)),
    };
    match (is_known, takes_pack) {
        (false, _) => Err(FaultKind::InvalidEncoding),
        (true, false) => Err(FaultKind::PackTarget),
        (true, true) => Ok(()),
    }
}

fn decode_alu(word: u64, signal: u8) -> Result<Alu, FaultKind> {
    let has_immediate = signal == 13;
    let signal = match signal {
        1 | 13 => Signal::None,
        3 => Signal::ProgramEnd,
        10 => Signal::LoadTmu(0),
        11 => Signal::LoadTmu(1),
        _ => return Err(FaultKind::UnsupportedFeature),
    };
    let operand = |low| match field(word, low, 3) {
        6 => Operand::FileA,
        7 => Operand::FileB,
        number => Operand::Accumulator(number),
    };
    let address_b = field(word, 12, 6);
    let mut alu = Alu {
        signal,
        writes: decode_writes(word)?,
        add: decode_add(field(word, 24, 5))?,
        mul: decode_mul(field(word, 29, 3)),
        add_operands: [operand(9), operand(6)],
        mul_operands: [operand(3), operand(0)],
        read_a: Source::of_address(field(word, 18, 6), File::A)?,
        read_b: if has_immediate { Source::None } else { Source::of_address(address_b, File::B)? },
        immediate: has_immediate.then(|| small_immediate(address_b)),
        rotation: None,
        unpack: field(word, 57, 3),
        uses: Uses::default(),
    };
    check_idle(&alu)?;
    if has_immediate && address_b >= 48 && alu.is_mul_active() {
        alu.rotation = Some(match address_b {
            48 => Rotation::ByR5,
            _ => Rotation::Fixed(usize::from(address_b - 48)),
        });
    }
    alu.uses = find_uses(&alu)?;
    check_peripherals(&alu)?;
    Ok(alu)
}

impl Alu {
    /// Returns whether the add ALU computes something that has an effect.
    pub(crate) fn is_add_active(&self) -> bool {
        self.add != AddOperation::Nop && self.writes.add_condition != Condition::Never
    }

    /// Returns whether the mul ALU computes something that has an effect.
    pub(crate) fn is_mul_active(&self) -> bool {
        self.mul != MulOperation::Nop && self.writes.mul_condition != Condition::Never
    }
}

/// An ALU that computes nothing has no value to write.
fn check_idle(alu: &Alu) -> Result<(), FaultKind> {
    let Writes { add_target, mul_target, add_condition, mul_condition, .. } = alu.writes;
    let writes_nothing = |is_nop, target, condition| is_nop && target != Target::None && condition != Condition::Never;
    let is_bad = writes_nothing(alu.add == AddOperation::Nop, add_target, add_condition)
        || writes_nothing(alu.mul == MulOperation::Nop, mul_target, mul_condition);
    if is_bad { Err(FaultKind::InvalidEncoding) } else { Ok(()) }
}

fn find_uses(alu: &Alu) -> Result<Uses, FaultKind> {
    let mut uses = Uses::default();
    let add_count = if alu.add.is_unary() { 1 } else { 2 };
    let add = if alu.is_add_active() { &alu.add_operands[..add_count] } else { &[] };
    let mul = if alu.is_mul_active() { &alu.mul_operands[..] } else { &[] };
    for &operand in add.iter().chain(mul) {
        match operand {
            Operand::Accumulator(number) => uses.r4 |= number == 4,
            Operand::FileA => uses.file_a = true,
            Operand::FileB => uses.file_b = true,
        }
    }
    let is_undefined = uses.file_a && alu.read_a == Source::None
        || uses.file_b && alu.read_b == Source::None && alu.immediate.is_none();
    if is_undefined {
        return Err(FaultKind::UndefinedSource);
    }
    if let Some(rotation) = alu.rotation {
        for &operand in mul {
            match operand {
                Operand::Accumulator(number @ 0..=3) => uses.rotation_inputs |= 1 << number,
                _ => return Err(FaultKind::RotationSource),
            }
        }
        uses.rotation_inputs |= u8::from(rotation == Rotation::ByR5) << 5;
    }
    Ok(uses)
}

/// An instruction accesses one peripheral; only a read and a write of VPM data are allowed together.
fn check_peripherals(alu: &Alu) -> Result<(), FaultKind> {
    let reads_once = alu.read_a == alu.read_b && matches!(alu.read_a, Source::VpmData | Source::MutexAcquire);
    let sources = [alu.read_a, if reads_once { Source::None } else { alu.read_b }];
    let targets = [alu.writes.add_target, alu.writes.mul_target];
    let reads = sources.iter().filter(|source| source.is_peripheral()).count();
    let writes = targets.iter().filter(|target| target.is_peripheral()).count();
    let signals = usize::from(matches!(alu.signal, Signal::LoadTmu(_)));
    let is_data_pair =
        reads == 1 && writes == 1 && sources.contains(&Source::VpmData) && targets.contains(&Target::VpmData);
    let writes_twice = targets[0] == targets[1] && targets[0].is_unconditional();
    match reads + writes + signals {
        _ if writes_twice => Err(FaultKind::PeripheralConflict),
        0 | 1 => Ok(()),
        2 if is_data_pair => Ok(()),
        _ => Err(FaultKind::PeripheralConflict),
    }
}

fn decode_add(operation: u8) -> Result<AddOperation, FaultKind> {
    use AddOperation as Op;
    Ok(match operation {
        0 => Op::Nop,
        1 => Op::FloatAdd,
        2 => Op::FloatSub,
        3 => Op::FloatMin,
        4 => Op::FloatMax,
        5 => Op::FloatMinAbs,
        6 => Op::FloatMaxAbs,
        7 => Op::FloatToInt,
        8 => Op::IntToFloat,
        12 => Op::Add,
        13 => Op::Sub,
        14 => Op::ShiftRight,
        15 => Op::ShiftRightSigned,
        16 => Op::RotateRight,
        17 => Op::ShiftLeft,
        18 => Op::Min,
        19 => Op::Max,
        20 => Op::And,
        21 => Op::Or,
        22 => Op::Xor,
        23 => Op::Not,
        24 => Op::CountLeadingZeros,
        30 => Op::AddBytes,
        31 => Op::SubBytes,
        _ => return Err(FaultKind::InvalidEncoding),
    })
}

fn decode_mul(operation: u8) -> MulOperation {
    use MulOperation as Op;
    [Op::Nop, Op::FloatMul, Op::Mul24, Op::MulBytes, Op::MinBytes, Op::MaxBytes, Op::AddBytes, Op::SubBytes]
        [usize::from(operation)]
}

/// The value of a small immediate. The codes of rotations are numbers too: -16 to -1.
fn small_immediate(code: u8) -> u32 {
    match code {
        0..=15 => code.into(),
        16..=31 => i32::from(code).wrapping_sub(32).cast_unsigned(),
        32..=39 => ((1u32 << (code - 32)) as f32).to_bits(),
        40..=47 => ((1u32 << (code - 40)) as f32 / 256.0).to_bits(),
        _ => i32::from(code).wrapping_sub(64).cast_unsigned(),
    }
}

fn decode_load(word: u64) -> Result<Load, FaultKind> {
    let writes = decode_writes(word)?;
    let immediate = word as u32;
    let bits_of = |lane: usize| (immediate >> (lane + 16) & 1, immediate >> lane & 1);
    let each_lane = |value: fn(u32, u32) -> u32| -> Lanes {
        let mut values = [0; LANES];
        for (lane, word) in values.iter_mut().enumerate() {
            let (high, low) = bits_of(lane);
            *word = value(high, low);
        }
        values
    };
    let (values, semaphore) = match field(word, 57, 3) {
        0 => (splat(immediate), None),
        1 => (each_lane(|high, low| low.wrapping_sub(2 * high)), None),
        3 => (each_lane(|high, low| 2 * high + low), None),
        4 => {
            let number = (immediate & 15) as usize;
            (splat(immediate), Some(SemaphoreAccess { number, is_acquire: immediate >> 4 & 1 != 0 }))
        }
        _ => return Err(FaultKind::InvalidEncoding),
    };
    let load = Load { writes, values, semaphore };
    let targets = [writes.add_target, writes.mul_target];
    let accesses =
        targets.iter().filter(|target| target.is_peripheral()).count() + usize::from(load.semaphore.is_some());
    let writes_twice = targets[0] == targets[1] && targets[0].is_unconditional();
    if accesses > 1 || writes_twice { Err(FaultKind::PeripheralConflict) } else { Ok(load) }
}

fn decode_branch(word: u64) -> Result<Branch, FaultKind> {
    if field(word, 56, 4) != 0 {
        return Err(FaultKind::InvalidEncoding);
    }
    if bit(word, 45) {
        return Err(FaultKind::BranchSetsFlags);
    }
    let code = field(word, 52, 4);
    let pair = usize::from(code / 4);
    let is_clear = usize::from(code & 1);
    let condition = match code {
        15 => BranchCondition::Always,
        0..=11 if code & 2 == 0 => BranchCondition::All(Condition::ALL[2 + 2 * pair + is_clear]),
        0..=11 => BranchCondition::Any(Condition::ALL[2 + 2 * pair + is_clear]),
        _ => return Err(FaultKind::InvalidEncoding),
    };
    let links = decode_targets(word)?;
    let is_link = |target: &Target| matches!(target, Target::None | Target::Register(..) | Target::Accumulator(_));
    if !links.iter().all(is_link) {
        return Err(FaultKind::UnsupportedFeature);
    }
    Ok(Branch {
        condition,
        is_relative: bit(word, 51),
        register: bit(word, 50).then(|| field(word, 45, 5)),
        offset: word as u32,
        links,
    })
}
