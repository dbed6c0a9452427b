//! What a rung counts.

use std::collections::BTreeMap;
use std::fmt;

/// So many faults are kept with their graphs.
const KEPT: usize = 8;

/// How something failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The output breaks a rule, or is larger than the bound.
    Invalid,
    /// The output does something else.
    Unequal,
    /// A panic.
    Crash,
    /// The flat form was taken because an argument failed.
    Fallback,
}

/// Something that failed, with what shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// How it failed.
    pub kind: FaultKind,
    /// The graph or the program, and what was found.
    pub message: String,
}

/// What a rung found.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Graphs or programs that were tried.
    pub tried: u64,
    /// Faults by kind: invalid, unequal, crash, fallback.
    pub faults: [u64; 4],
    /// Those whose states were not all walked: equal as far as was walked.
    pub partly_walked: u64,
    /// Blocks after and before, where blocks after for each block before were the most.
    pub worst: (usize, usize),
    /// The first faults.
    pub kept: Vec<Fault>,
    /// What else the rung counts, by name.
    pub counts: BTreeMap<String, u64>,
    /// Whether everything was tried that was to be.
    pub is_cut_off: bool,
}

impl Tally {
    /// Counts a fault.
    pub fn push(&mut self, fault: Fault) {
        self.faults[fault.kind as usize] += 1;
        if self.kept.len() < KEPT {
            self.kept.push(fault);
        }
    }

    /// Counts sizes before and after.
    pub fn grow(&mut self, before: usize, after: usize) {
        if after * self.worst.1 >= self.worst.0 * before {
            self.worst = (after, before);
        }
    }

    /// Counts something by name.
    pub fn count(&mut self, name: &str, times: u64) {
        *self.counts.entry(name.to_owned()).or_default() += times;
    }

    /// How many faults of a kind there were.
    pub fn of(&self, kind: FaultKind) -> u64 {
        self.faults[kind as usize]
    }

    /// Whether nothing failed.
    pub fn is_clean(&self) -> bool {
        self.faults == [0; 4]
    }

    /// Both together.
    pub fn and(mut self, other: Tally) -> Tally {
        self.tried += other.tried;
        self.partly_walked += other.partly_walked;
        self.faults.iter_mut().zip(other.faults).for_each(|(sum, more)| *sum += more);
        if other.worst.1 > 0 {
            self.grow(other.worst.1, other.worst.0);
        }
        let room = KEPT.saturating_sub(self.kept.len());
        self.kept.extend(other.kept.into_iter().take(room));
        other.counts.into_iter().for_each(|(name, times)| *self.counts.entry(name).or_default() += times);
        self.is_cut_off |= other.is_cut_off;
        self
    }

    /// Panics with the first faults, if there are any: for tests.
    pub fn expect_clean(&self) {
        assert!(self.is_clean(), "{}", self.kept.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n"));
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            FaultKind::Invalid => "invalid",
            FaultKind::Unequal => "unequal",
            FaultKind::Crash => "crash",
            FaultKind::Fallback => "fallback",
        };
        write!(formatter, "{kind}: {}", self.message)
    }
}
