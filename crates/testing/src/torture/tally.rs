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

/// The maximal number of recorded faults.
const KEPT: usize = 8;

/// The kind of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The output violates a rule.
    Invalid,
    /// The output has another behaviour.
    Unequal,
    /// A panic.
    Crash,
    /// The fallback to the flat form, because an argument failed.
    Fallback,
    /// Size or time grows faster than documented.
    Growth,
}

/// A failure, with its input.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// Its message.
    pub message: String,
    /// Its input, to be shrunk.
    pub culprit: Culprit,
}

/// The input of a failure.
#[derive(Clone, Debug)]
pub enum Culprit {
    /// A graph, structurized as a plan with these options.
    Graph(PlainGraph, Options),
    /// A function at stage Graph.
    Program(Box<Module>, Function),
    /// Another input, which the message describes.
    Other,
}

impl Fault {
    /// A fault that only its message identifies.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), culprit: Culprit::Other }
    }

    /// The same, with this input.
    pub fn on(self, culprit: Culprit) -> Fault {
        Fault { culprit, ..self }
    }

    /// A filetest for the failure, shrunk. `None` if the input is not known.
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

/// Structurizes a function and checks that the verifier has no finding and that it has the same behaviour from random starts.
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

/// The results of a test.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// The number of graphs or programs.
    pub tried: u64,
    /// Failures by kind: in the order of [`FaultKind`].
    pub faults: [u64; 5],
    /// Graphs of which not all states were visited: equal up to the limit.
    pub partly_walked: u64,
    /// Blocks after and before for the graph with the greatest ratio.
    pub worst: (usize, usize),
    /// The first failures.
    pub kept: Vec<Fault>,
    /// Other counters, by name.
    pub counts: BTreeMap<String, u64>,
    /// True if all inputs were tested.
    pub is_cut_off: bool,
}

impl Tally {
    /// Counts a failure.
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

    /// Increments a counter by name.
    pub fn count(&mut self, name: &str, times: u64) {
        *self.counts.entry(name.to_owned()).or_default() += times;
    }

    /// The number of failures of a kind.
    pub fn of(&self, kind: FaultKind) -> u64 {
        self.faults[kind as usize]
    }

    /// Returns whether nothing failed.
    pub fn is_clean(&self) -> bool {
        self.faults == [0; 5]
    }

    /// The sum.
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

    /// Panics with the first failures, if there are any: for tests.
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
