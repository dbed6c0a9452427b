//! Why a structured pass rejected a function.

use std::fmt;

use reconverge_control_tree::TreeError;
use reconverge_ir::Inst;

use reconverge_rewrite::jumps::GrowthLimit;

/// Why a structured pass rejected a function. The function may be partly transformed and must not be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StructuredError {
    /// A demand of the source cannot be met, such as unrolling a loop without a known trip count.
    Impossible {
        /// Stable code.
        code: &'static str,
        /// The instruction with the demand; its location is the place in the source.
        inst: Inst,
        /// The demand, and the reason why it cannot be met.
        message: String,
    },
    /// The function is not structured: the block where computing the control tree fails, and the reason. This does not happen if the
    /// function obeys the rules of stage Structured.
    NotStructured {
        /// The instruction with the error.
        inst: Inst,
        /// The violated condition.
        message: String,
    },
    /// An exceeded limit.
    Growth(GrowthLimit),
}

impl StructuredError {
    /// The instruction that the error is about, if there is one.
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
