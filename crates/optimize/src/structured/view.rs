//! The control tree of a function, as the passes ask for it.

use reconverge_control_tree::{ControlTree, TreeError, TreeFault, pad};
use reconverge_ir::{Function, Module};

use super::StructuredError;

/// The control tree of a function with a body that has one.
///
/// # Errors
/// [`StructuredError::NotStructured`] and [`StructuredError::WaysMeet`].
pub(super) fn tree_of(module: &Module, function: Function) -> Result<ControlTree, StructuredError> {
    ControlTree::compute(module, function).map_err(|error| refused(module, error))
}

/// Gives a function with a body the blocks that a control tree needs, if it has no tree as it is: a merge block may not be the header of a
/// loop, and a bare edge block stands for one edge. Its tree, and whether it was changed.
///
/// # Errors
/// [`StructuredError::NotStructured`] and [`StructuredError::WaysMeet`].
pub(super) fn make_tree_shaped(
    module: &mut Module,
    function: Function,
) -> Result<(ControlTree, bool), StructuredError> {
    if let Ok(tree) = ControlTree::compute(module, function) {
        return Ok((tree, false));
    }
    let changed = pad(module, function).map_err(|error| refused(module, error))?;
    Ok((tree_of(module, function)?, changed))
}

fn refused(module: &Module, error: TreeError) -> StructuredError {
    match (error.fault, module.cast(error.inst)) {
        (TreeFault::Join, Some(block)) => StructuredError::WaysMeet { block },
        (fault, _) => StructuredError::NotStructured { inst: error.inst, message: fault.to_string() },
    }
}
