//! A finding: a violation of a rule, and its place.

use std::fmt;

use reconverge_ir::{Block, Function, Inst};

use crate::Code;

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule that is broken.
    pub code: Code,
    /// The function in which it is; `None` at module level.
    pub function: Option<Function>,
    /// The block in which it is.
    pub block: Option<Block>,
    /// The instruction that it is about; for an edge the terminator of its source.
    pub inst: Option<Inst>,
    /// The edge that it is about. Edge blocks that disappear in SPIR-V are seen through.
    pub edge: Option<(Block, Block)>,
    /// What is wrong and what was expected. Lower case, no final period.
    pub message: String,
    /// The instruction, printed.
    pub context: String,
    /// What usually helps.
    pub suggestion: Option<String>,
}

impl fmt::Display for Finding {
    /// Code and message, and below them the context and the suggestion, indented.
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
