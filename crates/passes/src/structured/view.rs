//! The control tree of a function, as the passes ask for it.

use reconverge_ir::control_tree::ControlTree;
use reconverge_ir::{Function, Module};

use super::StructuredError;

/// The control tree of a function with a body.
///
/// # Errors
/// [`StructuredError::NotStructured`].
pub(super) fn tree_of(module: &Module, function: Function) -> Result<ControlTree, StructuredError> {
    ControlTree::compute(module, function)
        .map_err(|error| StructuredError::NotStructured { inst: error.inst, message: error.fault.to_string() })
}
