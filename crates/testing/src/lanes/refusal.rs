//! Passes that may refuse a function: its source demands what cannot be.

use reconverge::rewrite::pass::{Pass, PassError, PassErrorKind};
use reconverge::rewrite::session::Session;
use reconverge_ir::{Function, Module};

/// Runs a pass on a function: whether it changed something, or nothing where it rejects the function, which then is as it was.
///
/// # Errors
/// What else the pass has to say. The module may be half done then.
pub fn unless_refused(pass: &Pass, module: &mut Module, function: Function) -> Result<Option<bool>, PassError> {
    let untouched = module.clone();
    match Session::new(module).run(pass, &[function]) {
        Ok(changed) => Ok(Some(changed > 0)),
        Err(failure) if is_demand(&failure.error) => {
            *module = untouched;
            Ok(None)
        }
        Err(failure) => Err(failure.error),
    }
}

/// Whether a pass rejects what the source demands, as a loop to unroll that has no known trip count.
fn is_demand(error: &PassError) -> bool {
    error.kind == PassErrorKind::Rejected && error.code != "not-structured"
}
