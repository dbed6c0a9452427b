//! The counters of a stress test.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::catch_unwind;

use reconverge_ir::{Function, Module};
use reconverge_restructure::{Options, structurize};
use reconverge_verify::verify;

use super::plan::{Verdict, judge_plan};
use crate::behaviour::Version;
use crate::equivalence::compare_versions;
use crate::plain_graph::PlainGraph;
use crate::shrink::shrink;
use crate::shrink_program::{filetest, graph_filetest, shrink_program};

/// So many faults are kept with their graphs.
const KEPT: usize = 8;

/// How something failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The output breaks a rule.
    Invalid,
    /// The output does something else.
    Unequal,
    /// A panic.
    Crash,
    /// The flat form was taken because an argument failed.
    Fallback,
    /// Size or time grows faster than is declared.
    Growth,
}

/// Something that failed, with what shows it.
#[derive(Clone, Debug)]
pub struct Fault {
    /// How it failed.
    pub kind: FaultKind,
    /// What was found.
    pub message: String,
    /// What it was found on, to be made smaller.
    pub culprit: Culprit,
}

/// What a fault was found on.
#[derive(Clone, Debug)]
pub enum Culprit {
    /// A graph, structurized as a plan with these options.
    Graph(PlainGraph, Options),
    /// A function at stage Graph.
    Program(Box<Module>, Function),
    /// Something else, which the message tells.
    Other,
}

impl Fault {
    /// A fault that only its message identifies.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), culprit: Culprit::Other }
    }

    /// The same, found on this.
    pub fn on(self, culprit: Culprit) -> Fault {
        Fault { culprit, ..self }
    }

    /// A filetest that shows the fault, as small as it could be made. `None` where it is not known what it was found on.
    pub fn filetest(&self) -> Option<String> {
        let why = self.message.lines().next().unwrap_or_default();
        match &self.culprit {
            Culprit::Graph(graph, options) => {
                let small = shrink(graph, |graph| match catch_unwind(|| judge_plan(graph, options)) {
                    Ok(Verdict::Fault(fault)) => fault.kind == self.kind,
                    Ok(Verdict::Fine { .. }) => false,
                    Err(_) => self.kind == FaultKind::Crash,
                });
                Some(graph_filetest(&small, why))
            }
            Culprit::Program(module, function) => {
                let fails = |module: &Module| match catch_unwind(|| judge_function(module, *function)) {
                    Ok(Some(fault)) => fault.kind == self.kind,
                    Ok(None) => false,
                    Err(_) => self.kind == FaultKind::Crash,
                };
                Some(filetest(&shrink_program(module, *function, fails), *function, why))
            }
            Culprit::Other => None,
        }
    }
}

/// Structurizes a function and holds that the verifier has no finding and that it does the same from random starts.
fn judge_function(before: &Module, function: Function) -> Option<Fault> {
    let mut after = before.clone();
    if let Err(error) = structurize(&mut after, function, &Options::default()) {
        return Some(Fault::new(FaultKind::Invalid, error.to_string()));
    }
    if let Some(finding) = verify(&after).first() {
        return Some(Fault::new(FaultKind::Invalid, finding.to_string()));
    }
    let versions = (Version::new(before), Version::new(&after));
    compare_versions(&versions.0, &versions.1, function, 1).err().map(|message| Fault::new(FaultKind::Unequal, message))
}

/// What a rung found.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Graphs or programs that were tried.
    pub tried: u64,
    /// Faults by kind: in the order of [`FaultKind`].
    pub faults: [u64; 5],
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
        self.faults == [0; 5]
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
            FaultKind::Growth => "growth",
        };
        write!(formatter, "{kind}: {}", self.message)
    }
}
