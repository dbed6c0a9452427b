//! Errors of the text form of a graph, with their place.

use std::fmt;

/// The kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorCode {
    /// No block in the whole text.
    Empty,
    /// A block without a terminator.
    MissingTerminator,
    /// A word that is not a terminator, where one is required.
    UnknownTerminator,
    /// A terminator with too few targets.
    MissingTarget,
    /// A word after everything that a terminator or an attribute takes.
    ExtraWord,
    /// A target that is not a block.
    UnknownTarget,
    /// A name that already belongs to a block.
    DuplicateBlock,
    /// A second entry.
    DuplicateEntry,
    /// A word that is not an attribute, where one is required; or a repeated attribute.
    Attribute,
    /// A weight that is not a 32-bit number.
    Number,
    /// A character that is not allowed in a name.
    Character,
    /// More blocks or targets than a graph can have.
    Limit,
}

impl ErrorCode {
    /// All of them.
    pub const ALL: [ErrorCode; 12] = [
        ErrorCode::Empty,
        ErrorCode::MissingTerminator,
        ErrorCode::UnknownTerminator,
        ErrorCode::MissingTarget,
        ErrorCode::ExtraWord,
        ErrorCode::UnknownTarget,
        ErrorCode::DuplicateBlock,
        ErrorCode::DuplicateEntry,
        ErrorCode::Attribute,
        ErrorCode::Number,
        ErrorCode::Character,
        ErrorCode::Limit,
    ];

    /// The code in messages. It never changes.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorCode::Empty => "graph-empty",
            ErrorCode::MissingTerminator => "graph-missing-terminator",
            ErrorCode::UnknownTerminator => "graph-unknown-terminator",
            ErrorCode::MissingTarget => "graph-missing-target",
            ErrorCode::ExtraWord => "graph-extra-word",
            ErrorCode::UnknownTarget => "graph-unknown-target",
            ErrorCode::DuplicateBlock => "graph-duplicate-block",
            ErrorCode::DuplicateEntry => "graph-duplicate-entry",
            ErrorCode::Attribute => "graph-attribute",
            ErrorCode::Number => "graph-number",
            ErrorCode::Character => "graph-character",
            ErrorCode::Limit => "graph-limit",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// An error of reading a text.
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
        let (line, column) = line_and_column(text, self.offset);
        ParseError { line, column, code: self.code, message: self.message }
    }
}

/// Line and column of a byte of a text, both from 1; columns count characters. Linear.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.bytes().filter(|&byte| byte == b'\n').count() + 1, before[line_start..].chars().count() + 1)
}
