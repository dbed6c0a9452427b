//! From a compute shader to what the back end of its target selects instructions from.
//!
//! ```text
//! run ─▶ Structured ─ lower: passes of the back end ─▶ closed loops, or Masked ─ BackEnd::assemble ─▶ MachineCode
//! ```

use reconverge_codegen::BackEnd;
use reconverge_ir::{Function, Module};
use reconverge_lanes::LaunchFacts;
use reconverge_rewrite::session::Session;

use crate::compile::{Due, run_passes};
use crate::{CompileOptions, Error, Run, Step};

/// An entry point that becomes machine code.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// The back end.
    pub back_end: BackEnd,
    /// The function of the entry point ([`Request::function`](reconverge_codegen::Request::function)).
    pub function: Function,
    /// What is known of its launches ([`BackEnd::facts`]).
    pub facts: LaunchFacts,
}

/// Runs the passes of a back end over an entry point of a module that [`run`](crate::run()) compiled, as `run` does: `observe` gets every pass, and
/// `run` the steps.
///
/// # Errors
/// [`Error::Pass`] for what the machine does not support, with the module partly transformed; [`Error::Internal`], which is a bug.
pub fn lower(
    module: &mut Module,
    lowering: &Lowering,
    options: &CompileOptions,
    run: &mut Run,
    observe: &mut dyn FnMut(&Step, &Module),
) -> Result<(), Error> {
    let mut session = Session::new(module);
    session.set(lowering.facts.clone());
    let due: Vec<Due> = lowering.back_end.passes().map(|name| Due::over(name, lowering.function)).collect();
    run_passes(&mut session, &due, options, run, observe)
}
