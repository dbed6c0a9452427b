//! Errors, by kind. The kinds are never mixed: bad input, something not supported, a limit, and a bug of ours.

use std::fmt;

use reconverge_ir::text::ParseError;
use reconverge_passes::StructurizeError;
use reconverge_spirv::{ReadError, WriteError};
use reconverge_verify::Finding;

/// Why a module did not come through.
#[derive(Debug)]
pub enum Error {
    /// The input is no module in the text form.
    Text(ParseError),
    /// The input is no SPIR-V module, or one with a feature that is not supported.
    Spirv(ReadError),
    /// The input is a module that breaks rules; all of them.
    Invalid(Vec<Finding>),
    /// A function could not be structurized within the declared limits.
    Structurize {
        /// The function, as the input names it.
        function: String,
        /// What stood in the way.
        error: StructurizeError,
    },
    /// The module cannot be written in the format asked for.
    Write(WriteError),
    /// A pass of ours broke rules: a bug.
    Internal {
        /// The pass after which the rules no longer held.
        pass: &'static str,
        /// What was found.
        findings: Vec<Finding>,
    },
}

/// Where in an input an error is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Line and column of a text, from 1.
    Line(usize, usize),
    /// Word of a binary, from 0.
    Word(usize),
}

impl Error {
    /// Exit code of the command line: 1 input rejected, 3 unsupported, 4 limit, 70 internal error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Text(_) | Error::Invalid(_) => 1,
            Error::Spirv(error) if error.is_unsupported() => 3,
            Error::Spirv(_) => 1,
            Error::Structurize { error: StructurizeError::Limit(_), .. } => 4,
            Error::Structurize { error: StructurizeError::Repair(_), .. } | Error::Write(_) => 3,
            Error::Internal { .. } => 70,
        }
    }

    /// A stable code for the kind of error.
    pub fn code(&self) -> String {
        match self {
            Error::Text(error) => error.code.to_string(),
            Error::Spirv(error) => error.code().to_string(),
            Error::Invalid(findings) => findings.first().map_or_else(String::new, |finding| finding.code.to_string()),
            Error::Structurize { error: StructurizeError::Limit(_), .. } => "limit".to_owned(),
            Error::Structurize { error: StructurizeError::Repair(_), .. } => "structurize-opaque".to_owned(),
            Error::Write(error) => error.code().to_string(),
            Error::Internal { .. } => "internal".to_owned(),
        }
    }

    /// Where the error is, if it is at one place of the input.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::Text(error) => Some(Place::Line(error.line, error.column)),
            Error::Spirv(error) => Some(Place::Word(error.word())),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(error) => write!(formatter, "{error}"),
            Error::Spirv(error) => write!(formatter, "{error}"),
            Error::Invalid(findings) => write!(formatter, "the module breaks {} rules", findings.len()),
            Error::Structurize { function, error } => write!(formatter, "in function {function}: {error}"),
            Error::Write(error) => write!(formatter, "{error}"),
            Error::Internal { pass, findings } => {
                let first = findings.first().map_or_else(String::new, |finding| format!("; first {}: {}", finding.code, finding.message));
                write!(formatter, "{pass} broke {} rules{first}", findings.len())
            }
        }
    }
}

impl std::error::Error for Error {}
