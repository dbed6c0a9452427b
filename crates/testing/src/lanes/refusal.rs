//! Passes that may reject a function, because a demand of its source cannot be met.

use reconverge_control_tree::TreeCode;
use reconverge_diagnostic::{Diagnostic, Kind};
use reconverge_ir::{Function, Module};
use reconverge_rewrite::pass::{Pass, Stages};
use reconverge_rewrite::session::Session;

/// Runs a pass on a function. Returns whether it changed it; if the pass rejects the function, the module is restored and the result is
/// false.
///
/// # Errors
/// Any other error of the pass. The module may be partly transformed then.
pub fn unless_refused(pass: &Pass, module: &mut Module, function: Function) -> Result<Option<bool>, Diagnostic> {
    let untouched = module.clone();
    let ran = Session::new(module).run(pass, &[function]);
    match ran {
        Ok(changed) => Ok(Some(changed > 0)),
        Err(failure) if is_demand(&failure.error) => {
            *module = untouched;
            Ok(None)
        }
        Err(failure) => Err(failure.error),
    }
}

/// Returns whether a pass rejects a demand of the source, such as unrolling a loop without a known trip count.
fn is_demand(error: &Diagnostic) -> bool {
    error.kind() == Kind::Rejected && !error.is(TreeCode::NotStructured)
}

/// The idempotent passes over structured functions. `loop_rotate` is not one: the loops that it rotates depend on code motion.
pub fn structured_passes() -> impl Iterator<Item = &'static Pass> {
    let is_structured = |pass: &Pass| pass.accepts == Stages::Structured && pass.name != "loop_rotate";
    reconverge_optimize::PASSES.iter().filter(move |pass| is_structured(pass) || pass.name == "simplify_cfg")
}
