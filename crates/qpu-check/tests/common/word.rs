//! Words by their fields, for sequences that are written by hand.

/// A word under construction, at first one that does nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(u64);

pub(crate) const NOP: Word = Word(0x1000_09e7_009e_7000);
pub(crate) const LOAD: Word = Word(0xe000_09e7_0000_0000);
pub(crate) const BRANCH: Word = Word(0xf0f8_09e7_0000_0000);

pub(crate) const R0: u64 = 32;
pub(crate) const R1: u64 = 33;
pub(crate) const R2: u64 = 34;
pub(crate) const R3: u64 = 35;
pub(crate) const R5: u64 = 37;

/// Conditions of a write.
pub(crate) const NEVER: u64 = 0;
pub(crate) const IF_ZERO: u64 = 2;
pub(crate) const IF_NOT_ZERO: u64 = 3;

impl Word {
    fn with(self, low: u32, width: u32, value: u64) -> Word {
        let mask = ((1 << width) - 1) << low;
        Word(self.0 & !mask | value << low & mask)
    }

    pub(crate) fn signal(self, signal: u64) -> Word {
        self.with(60, 4, signal)
    }

    pub(crate) fn unpack(self, unpack: u64) -> Word {
        self.with(57, 3, unpack)
    }

    pub(crate) fn pm(self) -> Word {
        self.with(56, 1, 1)
    }

    pub(crate) fn pack(self, pack: u64) -> Word {
        self.with(52, 4, pack)
    }

    pub(crate) fn flags(self) -> Word {
        self.with(45, 1, 1)
    }

    /// The adder writes file B, and the multiplier file A.
    pub(crate) fn swap(self) -> Word {
        self.with(44, 1, 1)
    }

    /// An operation of the adder that writes always.
    pub(crate) fn add(self, operation: u64, address: u64, [a, b]: [u64; 2]) -> Word {
        self.with(24, 5, operation).with(38, 6, address).with(49, 3, 1).with(9, 3, a).with(6, 3, b)
    }

    /// An operation of the multiplier that writes always.
    pub(crate) fn mul(self, operation: u64, address: u64, [a, b]: [u64; 2]) -> Word {
        self.with(29, 3, operation).with(32, 6, address).with(46, 3, 1).with(3, 3, a).with(0, 3, b)
    }

    pub(crate) fn add_if(self, condition: u64) -> Word {
        self.with(49, 3, condition)
    }

    pub(crate) fn mul_if(self, condition: u64) -> Word {
        self.with(46, 3, condition)
    }

    pub(crate) fn reads_a(self, address: u64) -> Word {
        self.with(18, 6, address)
    }

    pub(crate) fn reads_b(self, address: u64) -> Word {
        self.with(12, 6, address)
    }

    pub(crate) fn small(self, code: u64) -> Word {
        self.signal(13).reads_b(code)
    }

    /// The write of a load, or the link register of a branch, always in the adder's place.
    pub(crate) fn to(self, address: u64) -> Word {
        self.with(38, 6, address).with(49, 3, 1)
    }

    pub(crate) fn immediate(self, value: i32) -> Word {
        self.with(0, 32, u64::from(value.cast_unsigned()))
    }

    /// A relative branch, to a word so many behind its delay slots.
    pub(crate) fn ahead(self, condition: u64, words: i32) -> Word {
        self.with(52, 4, condition).with(38, 6, 39).with(49, 1, 0).immediate(words * 8)
    }

    /// A branch to a register.
    pub(crate) fn to_register(self, register: u64) -> Word {
        self.with(51, 1, 0).with(50, 1, 1).with(45, 5, register)
    }

    /// The link register of a branch, in file A.
    pub(crate) fn link(self, register: u64) -> Word {
        self.with(38, 6, register)
    }

    /// A load's mode.
    pub(crate) fn mode(self, mode: u64) -> Word {
        self.unpack(mode)
    }

    /// Bits 59 to 57 of a branch.
    pub(crate) fn reserved(self, bits: u64) -> Word {
        self.unpack(bits)
    }

    pub(crate) fn bits(self) -> u64 {
        self.0
    }
}

/// A move between accumulators and files: `or` of one input with itself.
pub(crate) fn mov(address: u64, input: u64) -> Word {
    NOP.add(21, address, [input, input])
}

/// The length of what [`behind_prologue`] puts before the words.
pub(crate) const PROLOGUE: usize = 43;

/// The words behind a prologue that gives every register a value, sets the VPM up if no word takes the mutex, and gives no flags.
pub(crate) fn behind_prologue(words: &[u64]) -> Vec<u64> {
    let files = (0..32).map(|register| LOAD.to(register).mul(0, register, [0, 0]));
    let accumulators = [R0, R1, R2, R3, R5].map(|accumulator| LOAD.to(accumulator));
    let takes_mutex = |word: &u64| word >> 60 < 14 && word >> 18 & 63 == 51;
    let setups = match words.iter().any(takes_mutex) {
        true => [NOP, NOP],
        false => [LOAD.to(49), LOAD.to(49).swap()],
    };
    let r4 = [mov(52, 0), NOP, NOP, NOP];
    files.chain(accumulators).chain(setups).chain(r4).map(Word::bits).chain(words.iter().copied()).collect()
}

/// A program: the prologue, the words, then the end with its two slots.
pub(crate) fn program(words: &[Word]) -> Vec<u64> {
    let end = [NOP.signal(3), NOP, NOP];
    let words: Vec<u64> = words.iter().chain(&end).map(|word| word.bits()).collect();
    behind_prologue(&words)
}
