//! The passes of code generation, by name and in order. Every pass is a row of the table of its crate.

use reconverge_ir::{Function, Module};
use reconverge_lanes::LaunchFacts;
use reconverge_legalize::{LegalizeFor, Machine};
use reconverge_rewrite::pass::Pass;
use reconverge_rewrite::session::Session;

use crate::CodegenError;

/// Constants, arguments and buffers of a launch are written into an entry point at stage Structured.
///
/// Calls are inlined before buffers are bound, because an access is followed from the variable of its buffer.
pub const LAUNCH: &[&str] = &["specialize", "flatten_calls", "bind_buffers", "fix_arguments"];

/// The passes of [`LAUNCH`] whose work is what is known of a launch.
pub const OF_LAUNCHES: &[&str] = &["specialize", "bind_buffers", "fix_arguments"];

/// Constants of a launch fold through the function, as those of the source do in the levels of the façade, and in the same order.
pub const OPTIMIZATIONS: &[&str] =
    &["sccp", "simplify", "gvn", "fold_constant_branches", "dce", "remove_dead_control_flow", "simplify_cfg"];

/// To the scalars of one lane, and to operations that the machine has.
pub const SCALARS: &[&str] = &["scalarize", "expand_division", "expand_bits", "dce"];

/// The form in which lanes may leave a loop at different times: values that leave it have a parameter where those of all lanes join. Variables
/// become values before, because a value in a variable needs no parameter and would be that of the last lane.
pub const LOOPS: &[&str] = &["mem2reg", "loop_closed_ssa"];

/// Lanes become explicit.
pub const MASKS: &[&str] = &["mask"];

/// The pass of a name.
///
/// # Panics
/// No table of `lanes`, `legalize` or `optimize` has the name.
pub fn named(name: &str) -> &'static Pass {
    let mut all =
        [reconverge_lanes::PASSES, reconverge_legalize::PASSES, reconverge_optimize::PASSES].into_iter().flatten();
    all.find(|pass| pass.name == name).unwrap_or_else(|| panic!("invariant: `{name}` is a pass"))
}

/// Runs passes over an entry point at stage Structured, for a machine and for launches of which these facts are known.
///
/// # Errors
/// The machine of the facts does not support something.
pub fn run(
    module: &mut Module,
    function: Function,
    facts: LaunchFacts,
    machine: Machine,
    names: &[&[&str]],
) -> Result<(), CodegenError> {
    let mut session = Session::new(module);
    session.set(LegalizeFor { machine: Some(machine), facts: facts.inputs.clone() });
    session.set(facts);
    for &name in names.iter().copied().flatten() {
        if let Err(failure) = session.run(named(name), &[function]) {
            return Err(CodegenError::new(failure.error, session.module, function));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{LAUNCH, LOOPS, MASKS, OPTIMIZATIONS, SCALARS, named};

    #[test]
    fn every_name_is_a_pass() {
        for &name in [LAUNCH, OPTIMIZATIONS, SCALARS, LOOPS, MASKS].into_iter().flatten() {
            assert_eq!(named(name).name, name);
        }
    }
}
