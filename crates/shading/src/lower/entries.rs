//! Entry points that are written.

use reconverge_ir::{Function, Inst};
use spirv::ExecutionModel;

/// An entry point.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) function: Function,
    pub(crate) name: String,
    pub(crate) model: ExecutionModel,
    /// The `entry_point` instruction.
    pub(crate) inst: Inst,
}
