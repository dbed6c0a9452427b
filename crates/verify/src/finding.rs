//! A finding: a violation of a rule, and its place.

use std::fmt;

use reconverge_ir::{Block, Function, Inst};

use crate::Code;

/// One violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The violated rule.
    pub code: Code,
    /// The function; `None` at module level.
    pub function: Option<Function>,
    /// The block.
    pub block: Option<Block>,
    /// The instruction; for an edge the terminator of its source.
    pub inst: Option<Inst>,
    /// The edge. Edge blocks that disappear in SPIR-V are skipped.
    pub edge: Option<(Block, Block)>,
    /// The violation, with the expected state. Lower case, no final period.
    pub message: String,
    /// The instruction, printed.
    pub context: String,
    /// A suggestion that usually helps.
    pub suggestion: Option<String>,
}

impl fmt::Display for Finding {
    /// Code and message, then the context and the suggestion, indented.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.code, self.message)?;
        if !self.context.is_empty() {
            write!(formatter, "\n  in: {}", self.context)?;
        }
        match &self.suggestion {
            Some(suggestion) => write!(formatter, "\n  help: {suggestion}"),
            None => Ok(()),
        }
    }
}
