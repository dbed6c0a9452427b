//! The error of the passes that make lanes explicit.

use std::fmt;

use reconverge_control_tree::TreeError;
use reconverge_ir::Inst;
use reconverge_rewrite::RepairError;

reconverge_diagnostic::codes! {
    /// Codes of passes over lanes.
    pub enum LanesCode in "Explicit lanes" {
        Unsupported = "lanes-unsupported" Unsupported
            "A pass that makes lanes explicit does not support the instruction."
            "leave out the pass; the targets `cpu` and `vc4` say what their machines support";
        Limit = "lanes-limit" Limit
            "Lanes cannot be made explicit: the function has no control tree, or values that lanes share need too many block parameters."
            "split the function, or compile it without `--passes`";
    }
}

/// The reason why lanes cannot be made explicit. The function may be changed by then, and must be discarded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LanesError {
    /// The function is not valid at stage Structured.
    Tree(TreeError),
    /// An instruction that packs of lanes cannot execute.
    Unsupported {
        /// The name of the construct.
        what: String,
        /// The instruction.
        at: Inst,
    },
    /// Values that no longer dominate their uses could not be carried there.
    Repair(RepairError),
}

impl LanesError {
    /// Something without an expansion, by name.
    pub(crate) fn unsupported(at: impl Into<Inst>, what: impl Into<String>) -> LanesError {
        LanesError::Unsupported { what: what.into(), at: at.into() }
    }

    /// The instruction that it is about, if it is about one.
    pub fn inst(&self) -> Option<Inst> {
        match *self {
            LanesError::Unsupported { at, .. } => Some(at),
            LanesError::Tree(_) | LanesError::Repair(_) => None,
        }
    }

    /// The code, unless a machine has one of its own.
    pub fn code(&self) -> LanesCode {
        match self {
            LanesError::Unsupported { .. } => LanesCode::Unsupported,
            LanesError::Tree(_) | LanesError::Repair(_) => LanesCode::Limit,
        }
    }
}

impl fmt::Display for LanesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LanesError::Tree(error) => error.fmt(formatter),
            LanesError::Unsupported { what, .. } => {
                write!(formatter, "{what} is not supported where lanes are explicit")
            }
            LanesError::Repair(_) => formatter.write_str("values that lanes share need too many block parameters"),
        }
    }
}

impl std::error::Error for LanesError {}

impl From<TreeError> for LanesError {
    fn from(error: TreeError) -> LanesError {
        LanesError::Tree(error)
    }
}

impl From<RepairError> for LanesError {
    fn from(error: RepairError) -> LanesError {
        LanesError::Repair(error)
    }
}
