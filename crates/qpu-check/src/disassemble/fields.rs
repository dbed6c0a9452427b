//! The fields of a 64-bit word, for the disassembler alone.

use super::names::File;

/// A word, by the kind that its signal selects.
pub(super) enum Word {
    Alu(Alu),
    Load(Load),
    Branch(Branch),
}

/// An instruction of both ALUs. With signal 13, `raddr_b` is a small immediate.
pub(super) struct Alu {
    pub(super) signal: u8,
    pub(super) unpack: u8,
    pub(super) op_mul: u8,
    pub(super) op_add: u8,
    pub(super) raddr_a: u8,
    pub(super) raddr_b: u8,
    /// The input multiplexers: add a, add b, mul a, mul b.
    pub(super) inputs: [u8; 4],
    pub(super) writes: Writes,
}

/// A load of an immediate, or a semaphore access (mode 4).
pub(super) struct Load {
    pub(super) mode: u8,
    pub(super) immediate: u32,
    pub(super) writes: Writes,
}

/// The fields that ALU instructions and loads share: two results, with pack, conditions and flags.
pub(super) struct Writes {
    pub(super) pack: u8,
    pub(super) pm: bool,
    pub(super) cond_add: u8,
    pub(super) cond_mul: u8,
    pub(super) sets_flags: bool,
    pub(super) swap: bool,
    pub(super) waddr_add: u8,
    pub(super) waddr_mul: u8,
}

/// A branch. `raddr_a` is five bits wide, and its low bit is also the flag that sets the flags.
pub(super) struct Branch {
    pub(super) reserved: u8,
    pub(super) condition: u8,
    pub(super) relative: bool,
    pub(super) uses_register: bool,
    pub(super) raddr_a: u8,
    pub(super) swap: bool,
    pub(super) waddr_add: u8,
    pub(super) waddr_mul: u8,
    pub(super) immediate: u32,
}

pub(super) const SIGNAL_SMALL_IMMEDIATE: u8 = 13;
/// The address without a register, for reads and writes.
pub(super) const NOWHERE: u8 = 39;
/// The multiplexer values of the two register files.
pub(super) const FROM_A: u8 = 6;
pub(super) const FROM_B: u8 = 7;
/// The first small immediate that rotates the multiplier's result.
pub(super) const FIRST_ROTATION: u8 = 48;

fn bits(word: u64, low: u32, width: u32) -> u8 {
    (word >> low & ((1 << width) - 1)) as u8
}

fn bit(word: u64, position: u32) -> bool {
    word >> position & 1 == 1
}

impl Word {
    pub(super) fn decode(word: u64) -> Word {
        match bits(word, 60, 4) {
            14 => Word::Load(Load { mode: bits(word, 57, 3), immediate: word as u32, writes: Writes::decode(word) }),
            15 => Word::Branch(Branch::decode(word)),
            signal => Word::Alu(Alu::decode(word, signal)),
        }
    }
}

impl Writes {
    fn decode(word: u64) -> Writes {
        Writes {
            pack: bits(word, 52, 4),
            pm: bit(word, 56),
            cond_add: bits(word, 49, 3),
            cond_mul: bits(word, 46, 3),
            sets_flags: bit(word, 45),
            swap: bit(word, 44),
            waddr_add: bits(word, 38, 6),
            waddr_mul: bits(word, 32, 6),
        }
    }

    /// The files that the adder and the multiplier write.
    pub(super) fn files(&self) -> [File; 2] {
        if self.swap { File::SWAPPED } else { File::OF_UNITS }
    }
}

impl Alu {
    fn decode(word: u64, signal: u8) -> Alu {
        Alu {
            signal,
            unpack: bits(word, 57, 3),
            op_mul: bits(word, 29, 3),
            op_add: bits(word, 24, 5),
            raddr_a: bits(word, 18, 6),
            raddr_b: bits(word, 12, 6),
            inputs: [9, 6, 3, 0].map(|low| bits(word, low, 3)),
            writes: Writes::decode(word),
        }
    }

    pub(super) fn add_inputs(&self) -> [u8; 2] {
        [self.inputs[0], self.inputs[1]]
    }

    pub(super) fn mul_inputs(&self) -> [u8; 2] {
        [self.inputs[2], self.inputs[3]]
    }

    /// The small immediate of signal 13, rotations included.
    pub(super) fn small_immediate(&self) -> Option<u8> {
        (self.signal == SIGNAL_SMALL_IMMEDIATE).then_some(self.raddr_b)
    }

    /// The rotation of the multiplier's result: 0 is by r5.
    pub(super) fn rotation(&self) -> Option<u8> {
        self.small_immediate().and_then(|immediate| immediate.checked_sub(FIRST_ROTATION))
    }

    /// Returns whether the unpack field changes what this multiplexer value delivers.
    pub(super) fn unpacks(&self, input: u8) -> bool {
        let source = if self.writes.pm { input == 4 } else { input == FROM_A && self.raddr_a < 32 };
        self.unpack != 0 && source
    }

    pub(super) fn is_unary(&self) -> bool {
        matches!(self.op_add, 7 | 8 | 23 | 24)
    }

    /// Returns whether the multiplier's part has a text.
    pub(super) fn shows_mul(&self) -> bool {
        let writes = &self.writes;
        self.op_mul != 0 || writes.waddr_mul != NOWHERE || (writes.cond_mul != 1 && self.flags_come_from_mul())
    }

    /// The flags come from the adder unless its operation is nop (vc4asm addendum, Table 1).
    pub(super) fn flags_come_from_mul(&self) -> bool {
        self.writes.sets_flags && self.op_add == 0
    }
}

impl Branch {
    fn decode(word: u64) -> Branch {
        Branch {
            reserved: bits(word, 56, 4),
            condition: bits(word, 52, 4),
            relative: bit(word, 51),
            uses_register: bit(word, 50),
            raddr_a: bits(word, 45, 5),
            swap: bit(word, 44),
            waddr_add: bits(word, 38, 6),
            waddr_mul: bits(word, 32, 6),
            immediate: word as u32,
        }
    }

    pub(super) fn sets_flags(&self) -> bool {
        self.raddr_a & 1 == 1
    }

    /// The index of the word that a relative branch without a register goes to, if it is a whole word.
    pub(super) fn target(&self, index: usize) -> Option<i64> {
        let bytes = i64::from(self.immediate.cast_signed());
        (self.relative && !self.uses_register && bytes % 8 == 0).then_some(index as i64 + 4 + bytes / 8)
    }
}
