//! The optimum of code motion, by exhaustive search of places.
//!
//! ```text
//! function ──▶ every pass before code motion ──▶ code motion ──▶ cost after
//!    │                          │
//!    ▼                          └──▶ every legal assignment of instructions to blocks (search.rs) ──▶ least cost
//! cost before
//! ```
//!
//! Costs are counted, not estimated: the instructions that the interpreter executes for one launch, once for each tangle, with terminators
//! counted separately. [`reconverge_verify::verify_motion`] decides which placements are legal; the search itself only requires that
//! definitions dominate uses.

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
use reconverge::{CompileOptions, run};
use reconverge_interpret::Launch;
use reconverge_ir::{Function, Module, Stage};
use reconverge_optimize::{Analyses, MotionOptions, gcm};
use reconverge_rewrite::session::Session;
use reconverge_verify::verify;

/// The tested pass.
const JUDGED: &str = "gcm";
/// The passes that remove unused instructions from the module.
const SWEEPS: [&str; 2] = ["remove_unused_functions", "remove_unused_globals"];

/// The cost of a function after optimization, and the optimum.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The cost of the function as it was written.
    pub before: Cost,
    /// After the passes of `-O1` up to code motion.
    pub after: Cost,
    /// The minimal cost of a placement; `None` if there are too many to test.
    pub optimum: Option<u64>,
    /// The module after code motion.
    pub module: Module,
}

/// Optimizes a function for subgroups with the lanes of the launch, and computes the optimum.
///
/// # Errors
/// A run that fails, or another result after the passes.
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

/// The cost of a function after all of `-O1`, which structurizes it; the result must be the same. Unused instructions stay in the module.
///
/// # Errors
/// A module that does not compile, a run that fails, or another result.
pub fn compiled(module: &Module, function: Function, launch: &Launch) -> Result<Cost, String> {
    let before = measure(module, function, launch)?;
    let mut module = module.clone();
    if module.stage(function) == Stage::Graph {
        optimize(&mut module, function, launch, Level::Speed.sequence(Stage::Graph))?;
    }
    run(&mut module, &CompileOptions::new().level(Level::None), &mut |_, _| ()).map_err(|error| error.to_string())?;
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
/// More than the maximal number of lanes.
pub fn prepare(module: &Module, function: Function, launch: &Launch) -> Result<Module, String> {
    let mut prepared = module.clone();
    let stage = module.stage(function);
    let in_front = Level::Speed.sequence(stage).take_while(|name| *name != JUDGED);
    optimize(&mut prepared, function, launch, in_front)?;
    Ok(prepared)
}

/// Runs passes over a function, except those that remove unused instructions from the module; code motion for subgroups with the lanes of
/// the launch.
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
