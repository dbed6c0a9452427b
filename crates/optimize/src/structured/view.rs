//! The control tree of a function, for the passes.

use reconverge_control_tree::{ControlTree, pad};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module};

/// The control tree of a function with a body, after [`make_tree_shaped`] and later edits.
///
/// # Errors
/// [`TreeCode::NotStructured`](reconverge_control_tree::TreeCode::NotStructured).
pub(super) fn tree_of(module: &Module, function: Function) -> Result<ControlTree, Diagnostic> {
    let tree = ControlTree::compute(module, function)?;
    debug_assert!(!tree.needs_pad(), "each place of the tree has a block of its own");
    Ok(tree)
}

/// The control tree of a function with a body in which each role has its own block, and whether the function was changed for that: no merge
/// block is the header of a loop, and each edge block represents one edge.
///
/// # Errors
/// [`TreeCode::NotStructured`](reconverge_control_tree::TreeCode::NotStructured).
pub(super) fn make_tree_shaped(module: &mut Module, function: Function) -> Result<(ControlTree, bool), Diagnostic> {
    let tree = ControlTree::compute(module, function)?;
    if !tree.needs_pad() {
        return Ok((tree, false));
    }
    let changed = pad(module, function)?;
    Ok((tree_of(module, function)?, changed))
}
