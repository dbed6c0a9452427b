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
    /// The name in tables, in dumps and on the command line.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    /// The stages of the functions that it accepts. It leaves other functions unchanged.
    pub accepts: Stages,
    /// The stage of the functions after the pass, if it is another one.
    pub leads_to: Option<Stage>,
    /// The function that does the work.
    pub work: Work,
}

/// The unit of a pass. After an error the module may be partly transformed and must be discarded.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// One function with a body at a time.
    Function(fn(&mut Session<'_>, Function) -> Result<Outcome, Diagnostic>),
    /// The module as a whole. The functions are those with a body that the pass accepts.
    Module(fn(&mut Session<'_>, &[Function]) -> Result<Outcome, Diagnostic>),
}

/// A set of stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stages {
    /// [`Stage::Graph`] alone.
    Graph,
    /// [`Stage::Structured`] alone.
    Structured,
    /// Every stage except [`Stage::Masked`], whose execution masks hold to the end of a block: a pass that moves instructions between
    /// blocks has to handle them.
    Any,
}

impl Stages {
    /// Returns whether a stage is in the set.
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

/// The result of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The number of functions that changed. A change to the module outside functions counts as one.
    pub functions_changed: usize,
    /// The facts that are still valid.
    pub preserves: Preserves,
}

/// The analyses of a function that are still valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preserves {
    /// No analysis.
    Nothing,
    /// Analyses of blocks and edges: each block ends in the same terminator, or in one with the same targets in the same order.
    Blocks,
    /// All analyses that are kept by function: nothing changed, or the pass updated them.
    All,
}

impl Outcome {
    /// Nothing changed.
    pub const UNCHANGED: Outcome = Outcome { functions_changed: 0, preserves: Preserves::All };

    /// The outcome of a number of changes to instructions; blocks and edges are as they were.
    pub fn instructions(changes: usize) -> Outcome {
        Outcome::changed(changes, Preserves::Blocks)
    }

    /// The outcome of a number of changes to blocks or edges.
    pub fn control_flow(changes: usize) -> Outcome {
        Outcome::changed(changes, Preserves::Nothing)
    }

    fn changed(changes: usize, preserves: Preserves) -> Outcome {
        if changes == 0 { Outcome::UNCHANGED } else { Outcome { functions_changed: 1, preserves } }
    }
}
