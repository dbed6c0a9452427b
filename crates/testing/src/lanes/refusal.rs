//! Passes that may refuse a function: its source demands what cannot be.

use reconverge::optimize::structured::StructuredError;
use reconverge_ir::{Function, Module};

/// Runs a structured pass on a function: whether it changed something, or nothing where it refuses the function, which then is as it was.
///
/// # Errors
/// What else the pass has to say. The module may be half done then.
pub fn unless_refused(
    work: fn(&mut Module, Function) -> Result<bool, StructuredError>,
    module: &mut Module,
    function: Function,
) -> Result<Option<bool>, StructuredError> {
    let untouched = module.clone();
    match work(module, function) {
        Err(StructuredError::Impossible { .. }) => {
            *module = untouched;
            Ok(None)
        }
        outcome => outcome.map(Some),
    }
}
