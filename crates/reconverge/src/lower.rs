//! From a compute shader to what the back end of its target selects instructions from.
//!
//! ```text
//! run ─▶ Structured ─ lower: passes of the back end ─▶ closed loops, or Masked ─ BackEnd::assemble ─▶ MachineCode
//! ```

use reconverge_codegen::{BackEnd, BackEndPass};
use reconverge_ir::{Function, Module};
use reconverge_lanes::LaunchFacts;
use reconverge_legalize::LegalizeFor;
use reconverge_rewrite::session::Session;

use crate::compile::{Due, run_passes};
use crate::pipeline::Level;
use crate::{CompileOptions, Error, Run, Step};

/// An entry point that becomes machine code.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// The back end.
    pub back_end: BackEnd,
    /// The function of the entry point ([`Request::function`](reconverge_codegen::Request::function)).
    pub function: Function,
    /// The facts about its launches ([`BackEnd::facts`]).
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
    let facts = lowering.facts.inputs.clone();
    session.set(LegalizeFor { machine: Some(lowering.back_end.machine()), facts });
    let mut next = 1 + run.steps.iter().filter_map(|step| step.optimization).max().unwrap_or(0);
    let mut due = Vec::new();
    for BackEndPass { name, is_optimization } in lowering.back_end.passes() {
        if !is_optimization {
            due.push(Due::over(name, lowering.function, None));
        } else if options.level != Level::None && options.bisect_limit.is_none_or(|limit| next <= limit) {
            due.push(Due::over(name, lowering.function, Some(next)));
            next += 1;
        }
    }
    run_passes(&mut session, &due, options, run, observe)
}
