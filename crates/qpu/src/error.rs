//! Errors of kernels that have no code.

use std::fmt;

use reconverge_ir::Inst;
use reconverge_lanes::LanesError;

use crate::{AssembleError, ROWS};

/// Something that the QPU does not have, or that the compiler does not support on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelectError {
    /// The name of the construct.
    pub what: String,
    /// The instruction.
    pub at: Inst,
}

impl SelectError {
    pub(crate) fn new(what: impl Into<String>, at: impl Into<Inst>) -> SelectError {
        SelectError { what: what.into(), at: at.into() }
    }

    /// The error of a pass on lanes.
    pub(crate) fn of_lanes(error: LanesError, function: impl Into<Inst>) -> SelectError {
        match error {
            LanesError::Unsupported { what, at } => SelectError { what, at },
            other => SelectError::new(format!("this function: {other}"), function),
        }
    }
}

impl fmt::Display for SelectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the VC4 does not support {}", self.what)
    }
}

impl std::error::Error for SelectError {}

/// The reason why a kernel is not compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// Something that the chip does not have, or that the compiler does not support on it.
    Unsupported(SelectError),
    /// The vertex pipe memory has not enough rows for private variables and spilled registers.
    Rows {
        /// The number that the QPUs need that have to run at once.
        needed: u32,
    },
    /// Another limit is exceeded; the text has the number.
    Limit(String),
}

impl From<SelectError> for CompileError {
    fn from(error: SelectError) -> CompileError {
        CompileError::Unsupported(error)
    }
}

impl From<AssembleError> for CompileError {
    fn from(error: AssembleError) -> CompileError {
        CompileError::Limit(error.to_string())
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Unsupported(error) => error.fmt(formatter),
            CompileError::Rows { needed } => {
                write!(formatter, "{needed} rows of the vertex pipe memory are needed, and there are {ROWS}")
            }
            CompileError::Limit(message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for CompileError {}
