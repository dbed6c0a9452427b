//! Errors of the text form, with their place.

use std::fmt;

/// Why a text could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorCode {
    /// A character that cannot begin a word, number, name or string.
    Character,
    /// A number that does not fit in a 32-bit word.
    Number,
    /// A string that does not end, or an escape that does not exist.
    String,
    /// A version of the text form that this parser does not read.
    Version,
    /// A word or sign that is not allowed at its place.
    Syntax,
    /// An op that does not exist, or that cannot be written here.
    Op,
    /// A word that is not a value of the SPIR-V enumeration at this place.
    Enumerant,
    /// A result or a type if the op has none, or none if it has one.
    Result,
    /// A name that is defined twice.
    Duplicate,
    /// A name that is used but never defined.
    Undefined,
    /// More than the form allows: operands, words, numbers.
    Limit,
}

impl ErrorCode {
    /// All of them.
    pub const ALL: [ErrorCode; 11] = [
        ErrorCode::Character,
        ErrorCode::Number,
        ErrorCode::String,
        ErrorCode::Version,
        ErrorCode::Syntax,
        ErrorCode::Op,
        ErrorCode::Enumerant,
        ErrorCode::Result,
        ErrorCode::Duplicate,
        ErrorCode::Undefined,
        ErrorCode::Limit,
    ];

    /// The code in messages.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorCode::Character => "text-character",
            ErrorCode::Number => "text-number",
            ErrorCode::String => "text-string",
            ErrorCode::Version => "text-version",
            ErrorCode::Syntax => "text-syntax",
            ErrorCode::Op => "text-op",
            ErrorCode::Enumerant => "text-enumerant",
            ErrorCode::Result => "text-result",
            ErrorCode::Duplicate => "text-duplicate",
            ErrorCode::Undefined => "text-undefined",
            ErrorCode::Limit => "text-limit",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A text that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line of the place, from 1.
    pub line: usize,
    /// Column of the place in characters, from 1.
    pub column: usize,
    /// The kind of error.
    pub code: ErrorCode,
    /// What was expected there and what was found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: error[{}]: {}", self.line, self.column, self.code, self.message)
    }
}

impl std::error::Error for ParseError {}

/// An error at a byte of the text; line and column are worked out once, when it leaves the parser.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(offset: usize, code: ErrorCode, message: impl Into<String>) -> Fault {
        Fault { offset, code, message: message.into() }
    }

    pub(super) fn placed_in(self, text: &str) -> ParseError {
        let before = &text[..self.offset.min(text.len())];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseError {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            code: self.code,
            message: self.message,
        }
    }
}
