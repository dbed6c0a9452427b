//! Detects launches that exceed a limit of some drivers, which silently end loops after a number of iterations.
//!
//! The number of iterations depends on arguments and buffers, so the interpreter counts it. It runs only the first work-group, and each
//! work-item may execute its share of [`BUDGET`] instructions: enough to exceed every limit in a small loop, within seconds. If the fuel
//! ends before a limit is exceeded, or if the run fails, nothing is reported: a warning is always correct, but its absence proves nothing.

use crate::launch::Launch;
use reconverge_ir::{Module, Op};
use reconverge_opencl::{Driver, Reflection};

use crate::{InterpreterOptions, Races, bind, interpret_compiled};

/// Instructions that all work-items together may execute.
const BUDGET: u64 = 100_000_000;

/// How many loop iterations a work-item of the first work-group executes, if the driver does not allow as many.
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
