//! A diagnosis: a probable error, its place, its severity, and the path to it.

use std::fmt;

use reconverge_diagnostic::Severity;
use reconverge_ir::{Block, Function, Inst};

use crate::Code;

/// A step of the path that leads to a diagnosis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The instruction.
    pub inst: Inst,
    /// The event. Lower case, no final period; instructions have their names in the text form.
    pub text: String,
}

/// A probable error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosis {
    /// The check.
    pub code: Code,
    /// The severity, from the check and the options.
    pub severity: Severity,
    /// The message. Lower case, no final period; instructions have their names in the text form.
    pub message: String,
    /// The function in which it is.
    pub function: Function,
    /// The block in which it is.
    pub block: Option<Block>,
    /// The instruction; a function or block, if the diagnosis is about one.
    pub inst: Inst,
    /// The path to it, first step first: branch decisions, or a chain of causes. Long paths keep their last steps.
    pub path: Vec<Step>,
    /// A suggestion to fix it.
    pub suggestion: String,
}

impl fmt::Display for Diagnosis {
    /// Severity, code and message, and below them the path and the suggestion, indented.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}[{}]: {}", self.severity, self.code, self.message)?;
        for step in &self.path {
            write!(formatter, "\n  note: {}", step.text)?;
        }
        write!(formatter, "\n  help: {}", self.suggestion)
    }
}
