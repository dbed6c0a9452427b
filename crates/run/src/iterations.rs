//! Whether a launch goes past what a driver can do: loops that it ends, silently, at a count of iterations.
//!
//! How often loops go round, the interpreter counts: arguments and buffers decide it. One work-group is run, the first, with as many
//! instructions for each work-item as a [`BUDGET`] for them all leaves: enough to count far past every limit in a small loop, and done in
//! seconds. Where the fuel ends before a limit is passed, or a failure does, nothing is known, and nothing is said: a warning is
//! always true of the kernel, and its absence promises nothing.

use crate::launch::Launch;
use reconverge_ir::{Module, Op};
use reconverge_opencl::{Driver, Reflection};

use crate::{InterpreterOptions, Races, bind, interpret_compiled};

/// Instructions that all work-items together may execute.
const BUDGET: u64 = 100_000_000;

/// How many loop iterations a work-item of the first work-group takes, where that is more than the driver allows for.
pub fn iterations_past_limit(module: &Module, reflection: &Reflection, launch: &Launch, driver: Driver) -> Option<u64> {
    let limit = driver.iteration_limit()?;
    let mut blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.find(|&block| module.terminator(block).is_some_and(|last| module.op(last) == Op::Loop))?;
    let local = bind(launch, reflection).ok()?.size.local;
    let first = Launch { global: local.map(u64::from), local: Some(local), ..launch.clone() };
    let lanes = local.into_iter().map(u64::from).product::<u64>().max(1);
    let options = InterpreterOptions { races: Races::Ignore, fuel: BUDGET / lanes, ..InterpreterOptions::default() };
    let iterations = interpret_compiled(module, reflection, &first, options).ok()?.loop_iterations;
    (iterations > limit).then_some(iterations)
}
