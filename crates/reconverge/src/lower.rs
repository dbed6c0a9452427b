//! From a compute shader to what the back end of its target selects instructions from.
//!
//! ```text
//! run ─▶ Structured ─ lower: passes of the back end ─▶ closed loops, or Masked ─ BackEnd::assemble ─▶ MachineCode
//! ```

use reconverge_codegen::BackEnd;
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
    let next = 1 + run.steps.iter().filter_map(|step| step.optimization).max().unwrap_or(0);
    let scheduled = scheduled(lowering.back_end, options.level, next).into_iter();
    let due = scheduled.filter(|&(_, optimization)| options.allows(optimization));
    let due: Vec<Due> = due.map(|(name, optimization)| Due::over(name, lowering.function, optimization)).collect();
    run_passes(&mut session, &due, options, run, observe)
}

/// The passes of a back end at a level, in order, with the indices of its optimizations, of which the first is `next`.
pub(crate) fn scheduled(back_end: BackEnd, level: Level, next: usize) -> Vec<(&'static str, Option<usize>)> {
    let mut numbers = next..;
    let passes = back_end.passes().filter(|pass| !pass.is_optimization || level != Level::None);
    passes.map(|pass| (pass.name, if pass.is_optimization { numbers.next() } else { None })).collect()
}
