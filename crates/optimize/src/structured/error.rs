//! Why a structured pass rejected a function.

use std::fmt;

use reconverge_control_tree::TreeError;
use reconverge_ir::Inst;

use reconverge_rewrite::jumps::GrowthLimit;

/// Why a structured pass refused a function. The function may be changed by then, and is to be thrown away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StructuredError {
    /// What the source demands cannot be done: a loop that must be unrolled and has no known trip count.
    Impossible {
        /// Stable code.
        code: &'static str,
        /// The instruction that makes the demand; its location is the place in the source.
        inst: Inst,
        /// What is demanded, and why it cannot be.
        message: String,
    },
    /// The function is not structured: the block where the control tree ends, and why. One that keeps the rules of stage Structured is.
    NotStructured {
        /// The instruction at which it shows.
        inst: Inst,
        /// What is wrong.
        message: String,
    },
    /// A declared limit.
    Growth(GrowthLimit),
}

impl StructuredError {
    /// The instruction that the error is about, if it is about one.
    pub fn inst(&self) -> Option<Inst> {
        match self {
            StructuredError::Impossible { inst, .. } | StructuredError::NotStructured { inst, .. } => Some(*inst),
            StructuredError::Growth(_) => None,
        }
    }
}

impl From<TreeError> for StructuredError {
    fn from(error: TreeError) -> StructuredError {
        StructuredError::NotStructured { inst: error.inst, message: error.fault.to_string() }
    }
}

impl fmt::Display for StructuredError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StructuredError::Impossible { message, .. } => formatter.write_str(message),
            StructuredError::NotStructured { message, .. } => {
                write!(formatter, "the function is not structured: {message}")
            }
            StructuredError::Growth(limit) => write!(formatter, "{limit}"),
        }
    }
}

impl std::error::Error for StructuredError {}
