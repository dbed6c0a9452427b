//! A pass: its name, the stages that it accepts, and its function.
//!
//! A pass has one name: its id in tables and on the command line, its function, and the file of that function. It returns what it changed
//! and what it preserved ([`Outcome`]); only the [`Session`] invalidates the rest. (LLVM's pass managers work the same way,
//! `PreservedAnalyses`.)

use std::fmt;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Stage};

use crate::session::Session;

/// A pass: one value, in the table of its crate.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name, in tables, dumps and on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// The stages of the functions that it works on; others it leaves as they are.
    pub accepts: Stages,
    /// The stage that functions are at afterwards, if it is another one.
    pub leads_to: Option<Stage>,
    /// Does it.
    pub work: Work,
}

/// What a pass works on. After an error the module may be partly transformed and must be discarded.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// One function at a time, which has a body.
    Function(fn(&mut Session<'_>, Function) -> Result<Outcome, Diagnostic>),
    /// The module as a whole; the functions are those with a body that the pass accepts.
    Module(fn(&mut Session<'_>, &[Function]) -> Result<Outcome, Diagnostic>),
}

/// A set of stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stages {
    /// [`Stage::Graph`] alone.
    Graph,
    /// [`Stage::Structured`] alone.
    Structured,
    /// Every stage but [`Stage::Masked`], whose execution masks hold to the end of a block: a pass that moves instructions between blocks
    /// has to know them.
    Any,
}

impl Stages {
    /// Whether a stage is in the set.
    pub fn contains(self, stage: Stage) -> bool {
        match self {
            Stages::Graph => stage == Stage::Graph,
            Stages::Structured => stage == Stage::Structured,
            Stages::Any => stage != Stage::Masked,
        }
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Stages::Graph => "graph",
            Stages::Structured => "structured",
            Stages::Any => "any",
        })
    }
}

/// What a pass did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// In how many functions something is different now; a change to the module outside them counts as one.
    pub functions_changed: usize,
    /// What is still true of what was known before.
    pub preserves: Preserves,
}

/// What analyses of a function are still true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preserves {
    /// None.
    Nothing,
    /// Those of its blocks and edges: each block ends in the same terminator, or in one that goes to the same blocks in the same order.
    Blocks,
    /// All that are kept by function: nothing changed, or the pass brought them up to date.
    All,
}

impl Outcome {
    /// Nothing changed.
    pub const UNCHANGED: Outcome = Outcome { functions_changed: 0, preserves: Preserves::All };

    /// Instructions changed, if anything did; blocks and edges are as they were.
    pub fn instructions(is_changed: bool) -> Outcome {
        Outcome::changed(is_changed, Preserves::Blocks)
    }

    /// Blocks or edges changed, if anything did.
    pub fn control_flow(is_changed: bool) -> Outcome {
        Outcome::changed(is_changed, Preserves::Nothing)
    }

    fn changed(is_changed: bool, preserves: Preserves) -> Outcome {
        if is_changed { Outcome { functions_changed: 1, preserves } } else { Outcome::UNCHANGED }
    }
}
