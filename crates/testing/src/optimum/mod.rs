//! What code motion could have done at best: tried out, place by place.
//!
//! ```text
//! function ──▶ every pass in front of code motion ──▶ code motion ──▶ cost after
//!    │                          │
//!    ▼                          └──▶ every legal assignment of instructions to blocks (search.rs) ──▶ least cost
//! cost before
//! ```
//!
//! Costs are counted, not estimated: the instructions that the interpreter executes for one launch, a tangle at a time, terminators
//! apart. What is legal, the verifier says of two versions of a module ([`reconverge_verify::verify_motion`]); the search has no rules of its own
//! but that definitions dominate uses.

mod cost;
mod merges;
mod search;

pub use cost::{Cost, Measured, measure};
pub use search::optimum;

use reconverge::pipeline::{Level, OPTIMIZATIONS, Work};
use reconverge_interpret::Launch;
use reconverge_ir::{Function, Module};
use reconverge_passes::{MotionOptions, code_motion};
use reconverge_verify::verify;

/// The pass that is judged.
const JUDGED: &str = "move_code";

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
    let prepared = prepare(module, function);
    let start = measure(&prepared, function, launch)?;
    start.hold_same(&before)?;
    if let Some(finding) = verify(&prepared).first() {
        return Err(format!("invalid in front of code motion: {finding}"));
    }
    let mut moved = prepared.clone();
    let lanes = u32::try_from(launch.lanes).map_err(|error| error.to_string())?;
    code_motion(&mut moved, function, &MotionOptions { lanes, ..MotionOptions::default() });
    let after = measure(&moved, function, launch)?;
    after.hold_same(&before)?;
    let optimum = optimum(&prepared, function, &start.runs)?;
    Ok(Judged { before: before.cost, after: after.cost, optimum, module: moved })
}

/// The passes of `-O1` in front of code motion.
pub fn prepare(module: &Module, function: Function) -> Module {
    let mut prepared = module.clone();
    for name in Level::Speed.sequence(module.stage(function)).take_while(|name| *name != JUDGED) {
        let pass = OPTIMIZATIONS.iter().find(|pass| pass.name == name).expect("sequences name optimizations");
        if let Work::Optimization(work) = pass.work {
            work(&mut prepared, &[function]);
        }
    }
    prepared
}
