//! What specialization and scalarization refuse.

use std::fmt;

use reconverge_ir::Inst;

/// Something without an expansion into scalars or without a constant value. The module may be changed by then, and is to be thrown away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is, by name.
    pub what: String,
    /// The instruction.
    pub at: Inst,
}

impl Unsupported {
    pub(crate) fn new(at: impl Into<Inst>, what: impl Into<String>) -> Unsupported {
        Unsupported { what: what.into(), at: at.into() }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is not supported", self.what)
    }
}

impl std::error::Error for Unsupported {}
