//! Passes that may refuse a function: its source demands what cannot be.

use reconverge::optimize;
use reconverge::rewrite::pass::{Pass, PassError, PassErrorKind, Stages};
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

/// The passes over structured functions that have nothing left to do once they ran. `loop_rotate` is none: which loops it rotates depends on what
/// code motion would do.
pub fn structured_passes() -> impl Iterator<Item = &'static Pass> {
    let is_structured = |pass: &Pass| pass.accepts == Stages::Structured && pass.name != "loop_rotate";
    optimize::PASSES.iter().filter(move |pass| is_structured(pass) || pass.name == "simplify_cfg")
}
