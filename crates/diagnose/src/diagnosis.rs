//! A diagnosis: one thing that looks wrong, where, how bad, and how control comes to it.

use std::fmt;

use reconverge_ir::{Block, Function, Inst};

use crate::Code;

/// How bad a diagnosis is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// What was done, where nothing is wrong with the program.
    Note,
    /// Worth knowing.
    Info,
    /// Probably a mistake; the program is accepted.
    Warning,
    /// The program is rejected.
    Error,
}

impl Severity {
    /// The name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A step of the way that leads to a diagnosis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The instruction at which it happens.
    pub inst: Inst,
    /// What happens. Lower case, no final period; instructions are named as the text form does.
    pub text: String,
}

/// One thing that looks wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosis {
    /// The check.
    pub code: Code,
    /// How bad it is, by the check and the options.
    pub severity: Severity,
    /// What is wrong. Lower case, no final period; instructions are named as the text form does.
    pub message: String,
    /// The function in which it is.
    pub function: Function,
    /// The block in which it is.
    pub block: Option<Block>,
    /// The instruction that it is about; a function or block, if it is about one.
    pub inst: Inst,
    /// The way to it, first step first: decisions of control, or a chain of causes. The last steps of long ones.
    pub path: Vec<Step>,
    /// What would help.
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
