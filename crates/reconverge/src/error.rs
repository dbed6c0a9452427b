//! Errors, by kind. The kinds are never mixed: bad input, something not supported, a limit, and a bug of ours.

use std::fmt;

use reconverge_ir::Inst;
use reconverge_ir::text::{ErrorCode, ParseError};
use reconverge_passes::StructurizeError;
use reconverge_passes::kernel::{KernelError, KernelErrorKind};
use reconverge_passes::structured::StructuredError;
use reconverge_spirv::{ReadCode, ReadError, WriteCode, WriteError};
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
    /// An OpenCL kernel could not be lowered.
    Kernel {
        /// The pass that could not.
        pass: &'static str,
        /// What stood in the way, and where in the module as the pass left it.
        error: KernelError,
    },
    /// A function could not be structurized within the declared limits.
    Structurize {
        /// The function, as the text form calls it.
        function: String,
        /// What stood in the way.
        error: StructurizeError,
    },
    /// A pass on request refused a function.
    Structured {
        /// The function, as the text form calls it.
        function: String,
        /// What stood in the way.
        error: StructuredError,
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

/// Kinds of errors, as a caller would tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The input is wrong.
    Rejected,
    /// The input may be right, but needs something that is not there yet.
    Unsupported,
    /// The input goes past a declared limit.
    Limit,
    /// A bug of ours.
    Internal,
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
    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Text(ParseError { code: ErrorCode::Limit, .. })
            | Error::Spirv(ReadError { code: ReadCode::Limit, .. })
            | Error::Write(WriteError { code: WriteCode::Limit, .. })
            | Error::Kernel { error: KernelError { kind: KernelErrorKind::Limit, .. }, .. }
            | Error::Structurize { error: StructurizeError::Limit(_), .. }
            | Error::Structured { error: StructuredError::Growth(_), .. } => ErrorKind::Limit,
            Error::Spirv(ReadError { code: ReadCode::Unsupported | ReadCode::Version, .. })
            | Error::Write(WriteError { code: WriteCode::Op | WriteCode::Version, .. })
            | Error::Kernel { error: KernelError { kind: KernelErrorKind::Unsupported, .. }, .. }
            | Error::Structurize { error: StructurizeError::Repair(_), .. } => ErrorKind::Unsupported,
            Error::Kernel { .. } | Error::Structured { .. } | Error::Text(_) | Error::Spirv(_) | Error::Invalid(_) => {
                ErrorKind::Rejected
            }
            Error::Write(_) | Error::Internal { .. } => ErrorKind::Internal,
        }
    }

    /// A stable code: `text-…` and `spirv-…` for what cannot be read, `write-…` for what cannot be written, `kernel-…`,
    /// `structurize-…`, those of passes on request, `internal`, and the code of the first finding for a module that breaks rules.
    pub fn code(&self) -> String {
        match self {
            Error::Text(error) => error.code.to_string(),
            Error::Spirv(error) => format!("spirv-{}", error.code),
            Error::Invalid(findings) => findings.first().map_or_else(String::new, |finding| finding.code.to_string()),
            Error::Kernel { error, .. } => match error.kind {
                KernelErrorKind::Unsupported => "kernel-unsupported".to_owned(),
                KernelErrorKind::Rejected => "kernel-rejected".to_owned(),
                KernelErrorKind::Limit => "kernel-limit".to_owned(),
            },
            Error::Structurize { error: StructurizeError::Limit(_), .. } => "structurize-limit".to_owned(),
            Error::Structurize { error: StructurizeError::Repair(_), .. } => "structurize-opaque".to_owned(),
            Error::Structured { error: StructuredError::Impossible { code, .. }, .. } => (*code).to_owned(),
            Error::Structured { error: StructuredError::NotStructured { .. }, .. } => "not-structured".to_owned(),
            Error::Structured { error: StructuredError::Growth(_), .. } => "growth-limit".to_owned(),
            Error::Write(error) => format!("write-{}", error.code),
            Error::Internal { .. } => "internal".to_owned(),
        }
    }

    /// What is wrong, without the code and the place, which [`code`](Self::code) and [`place`](Self::place) give.
    pub fn message(&self) -> String {
        match self {
            Error::Text(error) => error.message.clone(),
            Error::Spirv(error) => error.message.clone(),
            Error::Write(error) => error.message.clone(),
            Error::Kernel { error, .. } => error.message.clone(),
            Error::Structurize { error, .. } => error.to_string(),
            Error::Structured { error, .. } => error.to_string(),
            Error::Invalid(_) | Error::Internal { .. } => self.to_string(),
        }
    }

    /// The function that the error is about, as the text form calls it, if it is about one.
    pub fn function(&self) -> Option<&str> {
        match self {
            Error::Structurize { function, .. } | Error::Structured { function, .. } => Some(function),
            _ => None,
        }
    }

    /// The instruction that the error is about, in the module as the failing step left it, if it is about one.
    pub fn inst(&self) -> Option<Inst> {
        match self {
            Error::Kernel { error, .. } => Some(error.at),
            Error::Write(error) => Some(error.inst),
            Error::Structured { error, .. } => error.inst(),
            _ => None,
        }
    }

    /// Where the error is, if it is at one place of the input.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::Text(error) => Some(Place::Line(error.line, error.column)),
            Error::Spirv(error) => Some(Place::Word(error.word)),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(error) => write!(formatter, "{error}"),
            Error::Spirv(error) => write!(formatter, "{error}"),
            Error::Invalid(findings) => write!(formatter, "the module breaks rules in {}", places(findings.len())),
            Error::Kernel { error, .. } => write!(formatter, "{error}"),
            Error::Structurize { function, error } => write!(formatter, "in function {function}: {error}"),
            Error::Structured { function, error } => write!(formatter, "in function {function}: {error}"),
            Error::Write(error) => write!(formatter, "{error}"),
            Error::Internal { pass, findings } => {
                let first = findings.first();
                let first =
                    first.map_or_else(String::new, |first| format!("; first {}: {}", first.code, first.message));
                write!(formatter, "{pass} broke rules in {}{first}", places(findings.len()))
            }
        }
    }
}

impl std::error::Error for Error {}

fn places(count: usize) -> String {
    format!("{count} {}", if count == 1 { "place" } else { "places" })
}
