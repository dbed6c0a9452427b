//! Why a text cannot be read, with its place.

use std::any::Any;
use std::error::Error;
use std::fmt;

use naga::front::wgsl;
use naga::valid::ValidationError;
use naga::{SourceLocation, Span, WithSpan};

/// Why a text cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The kind of error.
    pub code: ReadCode,
    /// Line and column, from 1; columns count characters.
    pub line: usize,
    /// See [`line`](Self::line).
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Kinds of errors of [`read`](super::read).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadCode {
    /// The text breaks a rule of the grammar, or names what does not exist.
    Syntax,
    /// The text breaks a rule about types, resources or entry points.
    Invalid,
    /// The text may be valid, but uses what the parser does not know.
    Unsupported,
    /// The text nests too deep.
    Limit,
}

impl ReadCode {
    /// Every code.
    pub const ALL: [ReadCode; 4] = [ReadCode::Syntax, ReadCode::Invalid, ReadCode::Unsupported, ReadCode::Limit];
}

impl fmt::Display for ReadCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ReadCode::Syntax => "syntax",
            ReadCode::Invalid => "invalid",
            ReadCode::Unsupported => "unsupported",
            ReadCode::Limit => "limit",
        })
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl Error for ReadError {}

/// What naga says of a text that it does not know and that WGSL, or an extension of it, may have.
const UNKNOWN: [&str; 9] = [
    "not yet implemented",
    "not currently enabled",
    "not yet supported",
    "identifier: `subgroupElect`",
    "unknown language extension",
    "unknown enable-extension",
    "Not implemented as constant expression",
    "does not support assignments to swizzles",
    "type is too large",
];

impl ReadError {
    fn new(code: ReadCode, place: Option<(usize, usize)>, message: String) -> ReadError {
        let (line, column) = place.unwrap_or((1, 1));
        ReadError { code, line, column, message }
    }

    pub(super) fn limit(message: String) -> ReadError {
        ReadError::new(ReadCode::Limit, None, message)
    }

    pub(super) fn of_wgsl(error: &wgsl::ParseError, text: &str) -> ReadError {
        let notes = error.notes().map(|note| format!("; {note}"));
        let message: String = std::iter::once(error.message().to_owned()).chain(notes).collect();
        let is_unsupported = UNKNOWN.iter().any(|words| message.contains(words));
        // Limits of the parser itself, which it has besides ours.
        let is_limit = ["nesting limit", "recursion limit"].iter().any(|words| message.contains(words));
        let code = match (is_unsupported, is_limit) {
            (true, _) => ReadCode::Unsupported,
            (_, true) => ReadCode::Limit,
            _ => ReadCode::Syntax,
        };
        ReadError::new(code, error.location(text).map(|location| place(location, text)), message)
    }

    pub(super) fn of_validation(error: &WithSpan<ValidationError>, text: &str) -> ReadError {
        // The innermost cause names the rule; those around it say where it is.
        let mut message = Vec::new();
        let mut cause: Option<&dyn Error> = Some(error.as_inner());
        while let Some(error) = cause {
            message.push(error.to_string());
            cause = error.source();
        }
        let location = error.spans().next().and_then(|(span, _)| located(*span, text));
        ReadError::new(ReadCode::Invalid, location, message.join(": "))
    }

    pub(super) fn unsupported(place: Option<(usize, usize)>, message: String) -> ReadError {
        ReadError::new(ReadCode::Unsupported, place, message)
    }

    /// The error as one of what this reader made of the text.
    pub(super) fn of_the_reader(self) -> ReadError {
        let message = format!("the reader of WGSL does not know this yet: {}", self.message);
        ReadError { code: ReadCode::Unsupported, message, ..self }
    }

    /// naga panicked, which it does where something is not implemented.
    pub(super) fn of_panic(panic: &(dyn Any + Send)) -> ReadError {
        let message = crate::panic_message(panic);
        ReadError::new(ReadCode::Unsupported, None, format!("naga does not translate this text: {message}"))
    }

    pub(super) fn of_writing(error: &naga::back::spv::Error) -> ReadError {
        ReadError::new(ReadCode::Unsupported, None, format!("there is no SPIR-V for this: {error}"))
    }

    pub(super) fn of_spirv(error: &reconverge_spirv::ReadError) -> ReadError {
        ReadError::new(ReadCode::Unsupported, None, error.message.clone())
    }
}

/// Line and column of a span, from 1; columns count characters.
pub(crate) fn located(span: Span, text: &str) -> Option<(usize, usize)> {
    span.is_defined().then(|| place(span.location(text), text))
}

fn place(location: SourceLocation, text: &str) -> (usize, usize) {
    let offset = location.offset as usize;
    let start = offset.saturating_sub((location.line_position as usize).saturating_sub(1));
    let before = text.get(start..offset).map_or(0, |before| before.chars().count());
    (location.line_number as usize, before + 1)
}
