//! Errors, by kind: invalid input, impossible options, an unsupported feature, an exceeded limit, or a bug of the compiler.

use std::fmt;

use reconverge_ir::binary::{self, BinaryError};
use reconverge_ir::text::{ErrorCode, ParseError};
use reconverge_ir::{Function, GenericUse, Inst};
use reconverge_rewrite::pass::{PassError, PassErrorKind};
use reconverge_spirv::{AssemblyCode, AssemblyError, ReadCode, ReadError, WriteCode, WriteError};
use reconverge_verify::Finding;

/// The code for a pass that would create too much.
const GROWTH_LIMIT: &str = "growth-limit";

/// The code of a bug of ours.
const INTERNAL: &str = "internal";

/// Why a module did not come through.
#[derive(Debug)]
pub enum Error {
    /// The input is no module in its format, or one with a feature that is not supported.
    Read(InputError),
    /// The input is a module that breaks rules; all of them.
    Invalid(Vec<Finding>),
    /// The module has generics or interfaces, and what was asked for needs a later stage.
    Generic(GenericUse),
    /// The options name a pass that does not exist.
    UnknownPass(String),
    /// A pass failed.
    Pass {
        /// The pass.
        pass: &'static str,
        /// The function, by its name in the text form, if the pass works on one at a time.
        function: Option<String>,
        /// The error, and its place in the module as the pass left it.
        error: PassError,
    },
    /// The result of a pass exceeds a limit of SPIR-V. The input and the pass are correct.
    LimitExceeded {
        /// The pass.
        pass: &'static str,
        /// The function, by its name in the text form; `None` if what exceeds the limit is not in a function.
        function: Option<String>,
        /// Which limit.
        limit: LimitExceeded,
    },
    /// The module cannot be written in the format asked for.
    Write(OutputError),
    /// A pass of ours broke rules: a bug.
    Internal {
        /// The pass after which the module is invalid.
        pass: &'static str,
        /// The findings.
        findings: Vec<Finding>,
    },
}

/// Why an input cannot be read, in the words of the reader of its format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputError {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The stable code.
    pub code: String,
    /// Where in the input it is.
    pub place: Place,
    /// What is wrong, without code and place.
    pub message: String,
    /// What a caller may try next.
    pub fault: InputFault,
}

/// What is wrong with an input that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputFault {
    /// It may be of another format.
    Format,
    /// Merge instructions stand where none may be; [`read_repaired`](crate::read_repaired) leaves them out.
    Merges,
    /// Anything else in it.
    Content,
}

impl InputError {
    /// The error of a SPIR-V reader. It has a line where the words come from assembly.
    pub(crate) fn of_spirv(error: &ReadError, fault: InputFault) -> InputError {
        let kind = match error.code {
            ReadCode::Limit => ErrorKind::Limit,
            ReadCode::Unsupported | ReadCode::Version => ErrorKind::Unsupported,
            _ => ErrorKind::Rejected,
        };
        let place = error.line.map_or(Place::Word(error.word), |(line, column)| Place::Line(line, column));
        InputError { kind, code: format!("spirv-{}", error.code), place, message: error.message.clone(), fault }
    }

    /// The error of a reader of text.
    fn of_text(is_limit: bool, code: &impl fmt::Display, place: Place, message: String) -> InputError {
        let kind = if is_limit { ErrorKind::Limit } else { ErrorKind::Rejected };
        InputError { kind, code: code.to_string(), place, message, fault: InputFault::Format }
    }
}

impl From<ParseError> for InputError {
    fn from(error: ParseError) -> InputError {
        let place = Place::Line(error.line, error.column);
        InputError::of_text(error.code == ErrorCode::Limit, &error.code, place, error.message)
    }
}

impl From<BinaryError> for InputError {
    fn from(error: BinaryError) -> InputError {
        let kind = match error.code {
            binary::ErrorCode::Limit => ErrorKind::Limit,
            binary::ErrorCode::Version | binary::ErrorCode::Op => ErrorKind::Unsupported,
            _ => ErrorKind::Rejected,
        };
        let fault = if error.code == binary::ErrorCode::Magic { InputFault::Format } else { InputFault::Content };
        let place = Place::Byte(error.offset);
        InputError { kind, code: error.code.to_string(), place, message: error.message, fault }
    }
}

impl From<AssemblyError> for InputError {
    fn from(error: AssemblyError) -> InputError {
        let place = Place::Line(error.line, error.column);
        InputError::of_text(error.code == AssemblyCode::Limit, &error.code, place, error.message)
    }
}

/// Why a module cannot be written, in the words of the writer of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputError {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The stable code.
    pub code: String,
    /// The instruction that cannot be written, if it is about one.
    pub inst: Option<Inst>,
    /// What is wrong, without code and place.
    pub message: String,
}

impl OutputError {
    /// That a function of a shader is not structured, in a format where it has to be.
    pub(crate) fn unstructured(function: Function) -> OutputError {
        OutputError {
            kind: ErrorKind::Options,
            code: "write-unstructured".to_owned(),
            inst: Some(function.into()),
            message: "SPIR-V requires structured control flow in shaders, and this function is not structured; write .ir, or run the pass structurize last"
                .to_owned(),
        }
    }

    /// What only a bug of a writer can cause.
    pub(crate) fn internal(message: String) -> OutputError {
        OutputError { kind: ErrorKind::Internal, code: INTERNAL.to_owned(), inst: None, message }
    }
}

impl From<WriteError> for OutputError {
    fn from(error: WriteError) -> OutputError {
        let kind = match error.code {
            WriteCode::Limit => ErrorKind::Limit,
            WriteCode::Op | WriteCode::Generic | WriteCode::Version => ErrorKind::Unsupported,
            WriteCode::Layout => ErrorKind::Rejected,
            WriteCode::Operand | WriteCode::Block | WriteCode::Arguments => ErrorKind::Internal,
        };
        OutputError { kind, code: format!("write-{}", error.code), inst: Some(error.inst), message: error.message }
    }
}

/// A limit of SPIR-V (section 2.17) that a pass goes past by growing what it works on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LimitExceeded {
    /// Constructs around a block.
    Nesting {
        /// How many there would be around the deepest block.
        depth: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// Another limit, described by the rule that checks it.
    Rule {
        /// The code of the rule.
        code: reconverge_verify::Code,
        /// What is too much.
        message: String,
    },
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitExceeded::Nesting { depth, limit } => {
                write!(formatter, "would nest constructs {depth} deep, more than SPIR-V's limit of {limit}")
            }
            LimitExceeded::Rule { code, message } => write!(formatter, "exceeds a limit of SPIR-V ({code}): {message}"),
        }
    }
}

/// Kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The input is invalid.
    Rejected,
    /// The options ask for something that is not possible: a pass or a kernel that does not exist, or a format that cannot express what the
    /// passes leave.
    Options,
    /// The input may be valid, but needs an unsupported feature.
    Unsupported,
    /// The input exceeds a declared limit.
    Limit,
    /// A bug of the compiler.
    Internal,
}

/// The place of an error in the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Line and column of a text, from 1.
    Line(usize, usize),
    /// Word of a binary, from 0.
    Word(usize),
    /// Byte of a binary, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line, column) => write!(formatter, "line {line}, column {column}"),
            Place::Word(word) => write!(formatter, "word {word}"),
            Place::Byte(byte) => write!(formatter, "byte {byte}"),
        }
    }
}

impl Error {
    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Read(InputError { kind, .. }) | Error::Write(OutputError { kind, .. }) => *kind,
            Error::Pass { error, .. } => match error.kind {
                PassErrorKind::Limit => ErrorKind::Limit,
                PassErrorKind::Unsupported => ErrorKind::Unsupported,
                PassErrorKind::Rejected => ErrorKind::Rejected,
                PassErrorKind::Options => ErrorKind::Options,
            },
            Error::LimitExceeded { .. } => ErrorKind::Limit,
            Error::Invalid(_) => ErrorKind::Rejected,
            Error::Generic(_) => ErrorKind::Unsupported,
            Error::UnknownPass(_) => ErrorKind::Options,
            Error::Internal { .. } => ErrorKind::Internal,
        }
    }

    /// A stable code: `text-…`, `binary-…`, `assembly-…`, `spirv-…` and `source-…` for reading, `write-…` and `shading-…` for writing, `kernel-…`, `structurize-…`, those of
    /// optional passes, `stage-generic` and `generics-…` for generics, `nesting-limit` and `growth-limit` for passes that would create too
    /// much, `internal`, and the code of the first
    /// finding for an invalid module.
    pub fn code(&self) -> String {
        match self {
            Error::Read(error) => error.code.clone(),
            Error::UnknownPass(_) => "unknown-pass".to_owned(),
            Error::Generic(_) => GenericUse::CODE.to_owned(),
            Error::Invalid(findings) => findings.first().map_or_else(String::new, |finding| finding.code.to_string()),
            Error::Pass { error, .. } => error.code.to_owned(),
            Error::LimitExceeded { limit: LimitExceeded::Rule { .. }, .. } => GROWTH_LIMIT.to_owned(),
            Error::LimitExceeded { limit: LimitExceeded::Nesting { .. }, .. } => "nesting-limit".to_owned(),
            Error::Write(error) => error.code.clone(),
            Error::Internal { .. } => INTERNAL.to_owned(),
        }
    }

    /// The message, without the code and the place, which [`code`](Self::code) and [`place`](Self::place) return.
    pub fn message(&self) -> String {
        match self {
            Error::Read(error) => error.message.clone(),
            Error::Write(error) => error.message.clone(),
            Error::Pass { pass, error, .. } if error.code == GROWTH_LIMIT => format!("{pass}: {error}"),
            Error::Pass { error, .. } => error.message.clone(),
            Error::LimitExceeded { pass, limit, .. } => format!("{pass} {limit}"),
            Error::Generic(found) => found.to_string(),
            Error::Invalid(_) | Error::UnknownPass(_) | Error::Internal { .. } => self.to_string(),
        }
    }

    /// The function that the error is about, by its name in the text form, if there is one.
    pub fn function(&self) -> Option<&str> {
        match self {
            Error::Pass { function, .. } | Error::LimitExceeded { function, .. } => function.as_deref(),
            _ => None,
        }
    }

    /// The instruction that the error is about, in the module as the failing step left it, if there is one.
    pub fn inst(&self) -> Option<Inst> {
        match self {
            Error::Pass { error, .. } => error.at,
            Error::Write(error) => error.inst,
            Error::Generic(found) => Some(found.inst),
            _ => None,
        }
    }

    /// The place of the error, if it is at one place of the input.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::Read(error) => Some(error.place),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(error) => write!(formatter, "{}: {} [{}]", error.place, error.message, error.code),
            Error::Generic(found) => write!(formatter, "{found} [{}]", GenericUse::CODE),
            Error::UnknownPass(name) => write!(formatter, "there is no pass {name:?}"),
            Error::Invalid(findings) => write!(formatter, "the module violates rules in {}", places(findings.len())),
            Error::Pass { function: Some(function), error, .. } => write!(formatter, "in function {function}: {error}"),
            Error::Pass { function: None, error, .. } => write!(formatter, "{error}"),
            Error::LimitExceeded { pass, function: Some(function), limit } => {
                write!(formatter, "in function {function}: {pass} {limit}")
            }
            Error::LimitExceeded { pass, function: None, limit } => write!(formatter, "{pass} {limit}"),
            Error::Write(error) => write!(formatter, "{} [{}]", error.message, error.code),
            Error::Internal { pass, findings } => {
                let first = findings.first();
                let first =
                    first.map_or_else(String::new, |first| format!("; first {}: {}", first.code, first.message));
                write!(formatter, "after {pass} the module violates rules in {}{first}", places(findings.len()))
            }
        }
    }
}

impl std::error::Error for Error {}

fn places(count: usize) -> String {
    format!("{count} {}", if count == 1 { "place" } else { "places" })
}
