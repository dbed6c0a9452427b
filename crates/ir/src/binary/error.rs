//! Errors of the binary form, with their place.

use std::fmt;

/// Why bytes could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorCode {
    /// The first bytes are not those of the form.
    Magic,
    /// The version of the format is one that this reader does not read.
    Version,
    /// A count or a length that the bytes that are left cannot hold.
    Length,
    /// A section that is missing, or that is not in its place.
    Section,
    /// A number that no op of this build has, or an op that cannot be in its place.
    Op,
    /// A value that is spelled in another way than the writer spells it.
    Encoding,
    /// A reference to an instruction that the file does not have.
    Reference,
    /// Instructions that are not nested as the head of the file says.
    Nesting,
    /// A type or constant that is there twice, or in a narrower scope than its operands.
    Unique,
    /// Numbers of instructions that are given twice or out of their bound.
    Number,
    /// A table of exports and imports that differs from the decorations.
    Linkage,
    /// More than the form allows.
    Limit,
}

impl ErrorCode {
    /// All of them.
    pub const ALL: [ErrorCode; 12] = [
        ErrorCode::Magic,
        ErrorCode::Version,
        ErrorCode::Length,
        ErrorCode::Section,
        ErrorCode::Op,
        ErrorCode::Encoding,
        ErrorCode::Reference,
        ErrorCode::Nesting,
        ErrorCode::Unique,
        ErrorCode::Number,
        ErrorCode::Linkage,
        ErrorCode::Limit,
    ];

    /// The code in messages.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorCode::Magic => "binary-magic",
            ErrorCode::Version => "binary-version",
            ErrorCode::Length => "binary-length",
            ErrorCode::Section => "binary-section",
            ErrorCode::Op => "binary-op",
            ErrorCode::Encoding => "binary-encoding",
            ErrorCode::Reference => "binary-reference",
            ErrorCode::Nesting => "binary-nesting",
            ErrorCode::Unique => "binary-unique",
            ErrorCode::Number => "binary-number",
            ErrorCode::Linkage => "binary-linkage",
            ErrorCode::Limit => "binary-limit",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Bytes that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BinaryError {
    /// The byte of the file at which the error is.
    pub offset: usize,
    /// The kind of error.
    pub code: ErrorCode,
    /// What was expected there and what was found.
    pub message: String,
}

/// An error on its way out of the reader. In a box, so that results of the reader, which are checked for every number, fit in registers.
pub(super) type Fault = Box<BinaryError>;

impl From<Fault> for BinaryError {
    fn from(fault: Fault) -> BinaryError {
        *fault
    }
}

#[cold]
pub(super) fn fault(offset: usize, code: ErrorCode, message: impl Into<String>) -> Fault {
    Box::new(BinaryError { offset, code, message: message.into() })
}

impl fmt::Display for BinaryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "byte {}: error[{}]: {}", self.offset, self.code, self.message)
    }
}

impl std::error::Error for BinaryError {}
