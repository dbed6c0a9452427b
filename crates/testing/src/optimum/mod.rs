//! The optimum of code motion, by exhaustive search of places.
//!
//! ```text
//! function ──▶ every pass before code motion ──▶ code motion ──▶ cost after
//!    │                          │
//!    ▼                          └──▶ every legal assignment of instructions to blocks (search.rs) ──▶ least cost
//! cost before
//! ```
//!
//! Costs are counted, not estimated: the instructions that the interpreter executes for one launch, a tangle at a time, terminators
//! apart. What is legal, the verifier says of two versions of a module ([`reconverge_verify::verify_motion`]); the search has no rules of its own
//! but that definitions dominate uses.

mod cost;
mod ladder;
mod memory;
mod merges;
mod search;

pub use cost::{Cost, Measured, measure};
pub use ladder::ladder;
pub use memory::{Memory, last_index, memory, numbers};
pub use search::optimum;

use reconverge::pipeline::{self, Level};
use reconverge::rewrite::session::Session;
use reconverge::{CompileOptions, run};
use reconverge_interpret::Launch;
use reconverge_ir::{Function, Module, Stage};
use reconverge_optimize::{Analyses, MotionOptions, gcm};
use reconverge_verify::verify;

/// The pass that is judged.
const JUDGED: &str = "gcm";
/// The passes that remove what nothing uses from the module.
const SWEEPS: [&str; 2] = ["remove_unused_functions", "remove_unused_globals"];

/// What became of a function, and what could have.
#[derive(Clone, Debug)]
pub struct Judged {
    /// As it was written.
    pub before: Cost,
    /// Behind the passes of `-O1` up to code motion, and code motion.
    pub after: Cost,
    /// The least that any assignment costs; `None` where there are too many to try.
    pub optimum: Option<u64>,
    /// The module after code motion.
    pub module: Module,
}

/// Optimizes a function for waves of as many lanes as the launch has, and finds out what would have been best.
///
/// # Errors
/// A run that does not end well, or another result behind the passes.
pub fn judge(module: &Module, function: Function, launch: &Launch) -> Result<Judged, String> {
    let before = measure(module, function, launch)?;
    let prepared = prepare(module, function, launch)?;
    let start = measure(&prepared, function, launch)?;
    start.check_same(&before)?;
    if let Some(finding) = verify(&prepared).first() {
        return Err(format!("invalid in front of code motion: {finding}"));
    }
    let mut moved = prepared.clone();
    optimize(&mut moved, function, launch, [JUDGED].into_iter())?;
    let after = measure(&moved, function, launch)?;
    after.check_same(&before)?;
    let optimum = optimum(&prepared, function, &start.runs)?;
    Ok(Judged { before: before.cost, after: after.cost, optimum, module: moved })
}

/// What a function costs behind all of `-O1`, which finds structure for it, and behind which the result is held to be the same. What nothing
/// uses stays in the module.
///
/// # Errors
/// A module that does not compile, a run that does not end well, or another result.
pub fn compiled(module: &Module, function: Function, launch: &Launch) -> Result<Cost, String> {
    let before = measure(module, function, launch)?;
    let mut module = module.clone();
    if module.stage(function) == Stage::Graph {
        optimize(&mut module, function, launch, Level::Speed.sequence(Stage::Graph))?;
    }
    run(&mut module, &CompileOptions::default(), &mut |_, _| ()).map_err(|error| error.to_string())?;
    optimize(&mut module, function, launch, Level::Speed.sequence(Stage::Structured))?;
    if let Some(finding) = verify(&module).first() {
        return Err(format!("invalid behind -O1: {finding}"));
    }
    let after = measure(&module, function, launch)?;
    after.check_same(&before)?;
    Ok(after.cost)
}

/// The passes of `-O1` before code motion.
///
/// # Errors
/// More lanes than there can be.
pub fn prepare(module: &Module, function: Function, launch: &Launch) -> Result<Module, String> {
    let mut prepared = module.clone();
    let stage = module.stage(function);
    let in_front = Level::Speed.sequence(stage).take_while(|name| *name != JUDGED);
    optimize(&mut prepared, function, launch, in_front)?;
    Ok(prepared)
}

/// Runs passes over a function, those left out that remove what nothing uses from the module; code motion for waves of as many lanes as are
/// launched.
fn optimize(
    module: &mut Module,
    function: Function,
    launch: &Launch,
    names: impl Iterator<Item = &'static str>,
) -> Result<(), String> {
    let lanes = u32::try_from(launch.lanes).map_err(|error| error.to_string())?;
    let mut session = Session::new(module);
    for name in names.filter(|name| !SWEEPS.contains(name)) {
        if name == JUDGED {
            let options = MotionOptions { lanes, ..MotionOptions::default() };
            gcm(session.module, function, &options, &mut Analyses::default());
        } else {
            let pass = pipeline::find(name).expect("sequences name passes");
            session.run(pass, &[function]).map_err(|failure| failure.error.to_string())?;
        }
    }
    Ok(())
}
