//! The state of one QPU.

use crate::lanes::{ALL_LANES, Flags, LaneMask, Lanes};
use crate::registers::{File, Source, Target};
use crate::tmu::Tmu;
use crate::uniforms::Uniforms;

/// The number of instructions after a branch that are executed before the jump.
pub(crate) const BRANCH_SLOTS: u8 = 3;

/// The number of instructions after the program end that are executed.
pub(crate) const END_SLOTS: u8 = 2;

/// The number of instructions from an SFU write to the first one that sees the result.
pub(crate) const SFU_LATENCY: u64 = 3;

/// The state of one QPU.
#[derive(Debug)]
pub(crate) struct Qpu<'a> {
    pub(crate) number: usize,
    pub(crate) file_a: [Lanes; 32],
    pub(crate) file_b: [Lanes; 32],
    /// r0 to r5.
    pub(crate) accumulators: [Lanes; 6],
    pub(crate) flags: Flags,
    pub(crate) uniforms: Uniforms<'a>,
    pub(crate) tmu: Tmu,
    /// The index of the next instruction.
    pub(crate) counter: usize,
    /// The number of instructions that were executed.
    pub(crate) executed: u64,
    pub(crate) sfu: Option<SfuResult>,
    pub(crate) jump: Option<Jump>,
    /// The number of the last branch among the executed instructions.
    pub(crate) last_branch: Option<u64>,
    /// The number of instructions to the end, after the program end was executed.
    pub(crate) remaining: Option<u8>,
    pub(crate) last_writes: LastWrites,
}

/// A result of the SFU that is not yet in r4.
#[derive(Debug)]
pub(crate) struct SfuResult {
    /// The number of the first instruction that sees it.
    pub(crate) ready: u64,
    pub(crate) values: Lanes,
}

/// A taken branch whose delay slots are executed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jump {
    pub(crate) slots: u8,
    pub(crate) target: usize,
}

/// The registers that the last instruction wrote.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastWrites {
    pub(crate) file_a: Option<u8>,
    pub(crate) file_b: Option<u8>,
    /// Bit i is accumulator i.
    pub(crate) accumulators: u8,
}

impl LastWrites {
    pub(crate) fn add(&mut self, target: Target) {
        match target {
            Target::Register(File::A, number) => self.file_a = Some(number),
            Target::Register(File::B, number) => self.file_b = Some(number),
            Target::Accumulator(number) => self.accumulators |= 1 << number,
            Target::R5All | Target::R5Quads => self.accumulators |= 1 << 5,
            _ => {}
        }
    }

    /// Returns whether the source is a register of the file that was written.
    pub(crate) fn contains(&self, file: File, source: Source) -> bool {
        let written = match file {
            File::A => self.file_a,
            File::B => self.file_b,
        };
        written.is_some_and(|number| source == Source::Register(number))
    }
}

/// Writes the lanes in `mask`, and in their words the bits in `bits`.
pub(crate) fn merge(register: &mut Lanes, values: &Lanes, mask: LaneMask, bits: u32) {
    if mask == ALL_LANES && bits == u32::MAX {
        *register = *values;
        return;
    }
    for (lane, word) in register.iter_mut().enumerate() {
        let selected = if mask >> lane & 1 != 0 { bits } else { 0 };
        *word = (*word & !selected) | (values[lane] & selected);
    }
}

/// Words that represent values that were never written. Two seeds give different words for the same index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Poison {
    seed: u32,
}

impl Poison {
    pub(crate) fn new(seed: u32) -> Poison {
        Poison { seed }
    }

    /// The word for an index (the mixing function of SplitMix64).
    pub(crate) fn word(self, index: usize) -> u32 {
        let mut state = (u64::from(self.seed) << 32 | index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        state = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        state = (state ^ state >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (state >> 32) as u32
    }
}

impl<'a> Qpu<'a> {
    /// A QPU at the start of the code, whose registers and flags are poison.
    pub(crate) fn new(number: usize, uniforms: &'a [u32], poison: Poison) -> Qpu<'a> {
        let mut index = (number + 1) << 16;
        let mut next = || {
            index += 1;
            poison.word(index)
        };
        let mut lanes = || -> Lanes { std::array::from_fn(|_| next()) };
        let file_a = std::array::from_fn(|_| lanes());
        let file_b = std::array::from_fn(|_| lanes());
        let accumulators = std::array::from_fn(|_| lanes());
        let mut mask = || next() as LaneMask;
        Qpu {
            number,
            file_a,
            file_b,
            accumulators,
            flags: Flags { zero: mask(), negative: mask(), carry: mask() },
            uniforms: Uniforms::new(uniforms),
            tmu: Tmu::default(),
            counter: 0,
            executed: 0,
            sfu: None,
            jump: None,
            last_branch: None,
            remaining: None,
            last_writes: LastWrites::default(),
        }
    }
}
