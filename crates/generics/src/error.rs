//! Why generics cannot be replaced.

use std::fmt;

use reconverge_ir::Inst;

/// Why generics cannot be replaced, with the requests that lead there. The module may be changed by then, and must be discarded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenericsError {
    /// The kind of the error.
    pub kind: GenericsErrorKind,
    /// The message, in a sentence without a full stop.
    pub message: String,
    /// The instruction.
    pub at: Inst,
    /// The requests, each made by what the one before it returned: the first by a function of the module, the last at the place of the error.
    pub chain: Vec<ChainStep>,
}

/// A request in a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainStep {
    /// The generic and its arguments by name: `twice(circle, circle.Shape)`.
    pub request: String,
}

/// Kinds of errors of this crate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenericsErrorKind {
    /// A generic has no contents: it is declared here and defined in a module that was not linked.
    Open,
    /// The chain of requests is longer than the limit: a generic requests itself for new arguments each time.
    Depth,
    /// There are more requests, or more instructions in what they return, than the limits.
    Size,
    /// What a request returns, or what a lookup finds, is defined by itself.
    Cycle,
    /// A request or lookup that the verifier rejects.
    Malformed,
    /// A call through a value of interface type that no type reaches.
    NoType,
    /// A value that has no representation as words, or is passed where it cannot be.
    Value,
}

impl GenericsError {
    /// An error without a chain of requests.
    pub(crate) fn new(kind: GenericsErrorKind, at: Inst, message: impl Into<String>) -> GenericsError {
        GenericsError { kind, message: message.into(), at, chain: Vec::new() }
    }
}

impl GenericsErrorKind {
    /// A stable code.
    pub const fn code(self) -> &'static str {
        match self {
            GenericsErrorKind::Open => "generics-open",
            GenericsErrorKind::NoType => "generics-no-type",
            GenericsErrorKind::Value => "generics-value",
            GenericsErrorKind::Depth | GenericsErrorKind::Size => "generics-limit",
            GenericsErrorKind::Cycle => "generics-cycle",
            GenericsErrorKind::Malformed => "generics-malformed",
        }
    }
}

/// A longer chain prints as its first and its last steps.
const PRINTED_STEPS: usize = 8;

impl fmt::Display for GenericsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        if self.chain.is_empty() {
            return Ok(());
        }
        formatter.write_str("; requested by ")?;
        let half = PRINTED_STEPS / 2;
        let left_out = self.chain.len().saturating_sub(PRINTED_STEPS);
        for (place, step) in self.chain.iter().enumerate() {
            if left_out > 0 && place == half {
                write!(formatter, " → … {left_out} more …")?;
            }
            if left_out > 0 && (half..half + left_out).contains(&place) {
                continue;
            }
            let arrow = if place == 0 { "" } else { " → " };
            write!(formatter, "{arrow}{}", step.request)?;
        }
        Ok(())
    }
}

impl std::error::Error for GenericsError {}
