//! The facts about the words before a point, as far as a rule needs them.
//!
//! Every fact has the same form: the join takes the worse case of the paths, and a fact is dropped or saturates after a few words. So a
//! point is visited a bounded number of times.

use super::word::{Condition, File, INPUT_A, INPUT_B, Instruction, Part};

/// The number of words since an event: 1 means the word before. Counts up to [`Distance::FAR`] and stays there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Distance(u8);

impl Distance {
    /// A distance greater than any rule requires.
    pub(super) const FAR: Distance = Distance(5);

    pub(super) fn words(self) -> u8 {
        self.0
    }

    /// The distance after a word in which the event happens.
    const ONE: Distance = Distance(1);

    /// The distance after a word in which the event does not happen.
    fn further(self) -> Distance {
        Distance(self.0.saturating_add(1).min(Distance::FAR.0))
    }
}

/// The maximum number of requests of a TMU without a fetched result that this analysis counts.
const MOST_REQUESTS: u8 = 9;

/// The facts at a point before a word.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct State {
    /// Registers of the files that the word before wrote.
    pub(super) written: [u32; 2],
    /// Accumulators r0 to r5 that the word before wrote.
    pub(super) written_accumulators: u8,
    pub(super) since_branch: Distance,
    pub(super) since_sfu: Distance,
    pub(super) since_uniform_address: Distance,
    pub(super) since_noswap: Distance,
    /// True if a TMU got a request on some path.
    pub(super) used_tmu: bool,
    /// For each TMU, the maximum and the minimum number of requests whose results are not fetched.
    pub(super) requests: [u8; 2],
    pub(super) least_requests: [u8; 2],
    /// True if all paths set the flags.
    pub(super) has_flags: bool,
    /// The registers that some path wrote, under any condition.
    pub(super) defined: Defined,
    /// The state of the mutex on the paths.
    pub(super) mutex: Mutex,
    /// True if all paths set the VPM up, for reads (file A) and for writes (file B).
    pub(super) has_setup: [bool; 2],
    pub(super) since_read_setup: Distance,
    /// True if some path started a load (file A) or a store (file B) of the DMA and did not await it.
    pub(super) is_dma_busy: [bool; 2],
}

/// Registers that have a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Defined {
    pub(super) files: [u32; 2],
    pub(super) accumulators: u8,
}

/// The possible owners of the mutex.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mutex {
    pub(super) may_be_held: bool,
    pub(super) may_be_free: bool,
    /// True if the program takes the mutex somewhere: then other QPUs may use the VPM while it is free.
    pub(super) is_used: bool,
}

impl State {
    /// A program begins with undefined registers and flags, and without pending events.
    pub(super) const START: State = State {
        written: [0, 0],
        written_accumulators: 0,
        since_branch: Distance::FAR,
        since_sfu: Distance::FAR,
        since_uniform_address: Distance::FAR,
        since_noswap: Distance::FAR,
        used_tmu: false,
        requests: [0, 0],
        least_requests: [0, 0],
        has_flags: false,
        defined: Defined { files: [0, 0], accumulators: 0 },
        mutex: Mutex { may_be_held: false, may_be_free: true, is_used: false },
        has_setup: [false, false],
        since_read_setup: Distance::FAR,
        is_dma_busy: [false, false],
    };

    /// The facts after a word.
    pub(super) fn after(&self, word: &Instruction) -> State {
        let writes =
            |addresses: std::ops::RangeInclusive<u8>| word.writes().any(|part| addresses.contains(&part.address));
        State {
            written: [File::A, File::B].map(|file| written_registers(word, file)),
            written_accumulators: written_accumulators(word),
            since_branch: if word.branch().is_some() { Distance::ONE } else { self.since_branch.further() },
            since_sfu: if writes(52..=55) { Distance::ONE } else { self.since_sfu.further() },
            since_uniform_address: if writes(40..=40) { Distance::ONE } else { self.since_uniform_address.further() },
            since_noswap: if writes(36..=36) { Distance::ONE } else { self.since_noswap.further() },
            used_tmu: self.used_tmu || writes(56..=63),
            requests: [0, 1].map(|tmu| requests_after(self.requests[usize::from(tmu)], word, tmu)),
            least_requests: [0, 1].map(|tmu| requests_after(self.least_requests[usize::from(tmu)], word, tmu)),
            has_flags: self.has_flags || word.gives_flags(),
            defined: self.defined.after(word),
            mutex: self.mutex.after(word),
            has_setup: [File::A, File::B].map(|file| self.has_setup_after(word, file)),
            since_read_setup: if sets_up(word, File::A) { Distance::ONE } else { self.since_read_setup.further() },
            is_dma_busy: [File::A, File::B]
                .map(|file| starts_dma(word, file) || self.is_dma_busy[file as usize] && !awaits_dma(word, file)),
        }
    }

    /// Returns whether a setup is known after a word. Another QPU may change a setup that was made before the mutex was acquired.
    fn has_setup_after(&self, word: &Instruction, file: File) -> bool {
        sets_up(word, file) || self.has_setup[file as usize] && !word.reads(51)
    }

    /// Joins the facts of another path. Returns whether this changes anything.
    pub(super) fn join(&mut self, other: &State) -> bool {
        let joined = State {
            written: [0, 1].map(|file| self.written[file] | other.written[file]),
            written_accumulators: self.written_accumulators | other.written_accumulators,
            since_branch: self.since_branch.min(other.since_branch),
            since_sfu: self.since_sfu.min(other.since_sfu),
            since_uniform_address: self.since_uniform_address.min(other.since_uniform_address),
            since_noswap: self.since_noswap.min(other.since_noswap),
            used_tmu: self.used_tmu || other.used_tmu,
            requests: [0, 1].map(|tmu| self.requests[tmu].max(other.requests[tmu])),
            least_requests: [0, 1].map(|tmu| self.least_requests[tmu].min(other.least_requests[tmu])),
            has_flags: self.has_flags && other.has_flags,
            defined: self.defined.or(other.defined),
            mutex: self.mutex.or(other.mutex),
            has_setup: [0, 1].map(|file| self.has_setup[file] && other.has_setup[file]),
            since_read_setup: self.since_read_setup.min(other.since_read_setup),
            is_dma_busy: [0, 1].map(|file| self.is_dma_busy[file] || other.is_dma_busy[file]),
        };
        let changes = joined != *self;
        *self = joined;
        changes
    }
}

impl Defined {
    /// A write defines a register, also under a condition. A copy of an undefined value leaves its target unchanged, or undefined if it
    /// writes all lanes. The results of TMU, TLB and SFU are in r4.
    fn after(self, word: &Instruction) -> Defined {
        let asks_sfu = word.writes().any(|part| matches!(part.address, 52..=55));
        let mut after = self;
        after.accumulators |= u8::from(word.loads_r4() || asks_sfu) << 4;
        for part in word.effective_writes() {
            let has_value = word.copied(part).is_none_or(|input| self.has(word, input));
            if has_value || part.condition == Condition::Always {
                after = if has_value { after.with(part) } else { after.without(part) };
            }
        }
        after
    }

    /// Returns whether an input of a word has a value.
    pub(super) fn has(self, word: &Instruction, input: u8) -> bool {
        let file = match input {
            INPUT_A => File::A,
            INPUT_B => File::B,
            accumulator => return self.accumulators >> accumulator & 1 == 1,
        };
        word.used_register(file).is_none_or(|register| self.files[file as usize] >> register & 1 == 1)
    }

    /// With the register of a write.
    fn with(mut self, part: &Part) -> Defined {
        match part.address {
            register @ 0..32 => self.files[part.file as usize] |= 1 << register,
            address @ (32..=35 | 37) => self.accumulators |= 1 << (address - 32),
            _ => {}
        }
        self
    }

    /// Without the register of a write.
    fn without(mut self, part: &Part) -> Defined {
        match part.address {
            register @ 0..32 => self.files[part.file as usize] &= !(1 << register),
            address @ (32..=35 | 37) => self.accumulators &= !(1 << (address - 32)),
            _ => {}
        }
        self
    }

    fn or(self, other: Defined) -> Defined {
        Defined {
            files: [0, 1].map(|file| self.files[file] | other.files[file]),
            accumulators: self.accumulators | other.accumulators,
        }
    }
}

impl Mutex {
    /// A read acquires the mutex and a write releases it, even if the value is not used.
    fn after(self, word: &Instruction) -> Mutex {
        match (word.writes().any(|part| part.address == 51), word.reads(51)) {
            (true, _) => Mutex { may_be_held: false, may_be_free: true, ..self },
            (false, true) => Mutex { may_be_held: true, may_be_free: false, ..self },
            (false, false) => self,
        }
    }

    fn or(self, other: Mutex) -> Mutex {
        Mutex {
            may_be_held: self.may_be_held || other.may_be_held,
            may_be_free: self.may_be_free || other.may_be_free,
            is_used: self.is_used || other.is_used,
        }
    }
}

/// A write to S is a request. Both ALUs may make one.
fn requests_after(before: u8, word: &Instruction, tmu: u8) -> u8 {
    let made = word.writes().filter(|part| part.address == 56 + 4 * tmu).count() as u8;
    let fetched = u8::from(word.is_alu() && word.signal == 10 + tmu);
    (before + made).saturating_sub(fetched).min(MOST_REQUESTS)
}

pub(super) fn sets_up(word: &Instruction, file: File) -> bool {
    word.writes().any(|part| part.address == 49 && part.file == file)
}

/// Returns whether a word starts a load (file A) or a store (file B) of the DMA.
pub(super) fn starts_dma(word: &Instruction, file: File) -> bool {
    word.writes().any(|part| part.address == 50 && part.file == file)
}

fn awaits_dma(word: &Instruction, file: File) -> bool {
    word.read_address(file) == Some(50)
}

fn written_registers(word: &Instruction, file: File) -> u32 {
    let registers = word.effective_writes().filter(|part| part.file == file && part.address < 32);
    registers.fold(0, |set, part| set | 1 << part.address)
}

/// r5 has two addresses of one number: replicated from each quad, or from lane 0. Nothing writes r4.
fn written_accumulators(word: &Instruction) -> u8 {
    let accumulators = word.effective_writes().filter(|part| matches!(part.address, 32..=35 | 37));
    accumulators.fold(0, |set, part| set | 1 << (part.address - 32))
}
