//! Detects launches that exceed a limit of some drivers, which silently end loops after a number of iterations.
//!
//! The number of iterations depends on arguments and buffers, so the interpreter counts it. It runs only the first work-group, and each
//! work-item may execute its share of [`BUDGET`] instructions: enough to exceed every limit in a small loop, within seconds. If the fuel
//! ends before a limit is exceeded, or if the run fails, nothing is reported: a warning is always correct, but its absence proves nothing.

use crate::VulkanRun;
use crate::launch::Launch;
use reconverge_ir::{Module, Op};
use reconverge_opencl::{Driver, Reflection};

use crate::{InterpreterOptions, Races, bind, interpret_compiled};

/// Instructions that all work-items together may execute.
const BUDGET: u64 = 100_000_000;

/// The first release of Mesa that is known to have no limit: 22.3 has it, 25.0 and 26.1 do not.
const MESA_WITHOUT_LIMIT: u32 = 25;

/// Returns the number of loop iterations of a work-item of the first work-group, if the driver of a launch that ran does not allow as many.
pub fn iterations_past_limit(
    module: &Module,
    reflection: &Reflection,
    launch: &Launch,
    ran: &VulkanRun,
) -> Option<u64> {
    let limit = Driver::of_device(&ran.device).iteration_limit()?;
    if mesa_release(&ran.driver).is_some_and(|release| release >= MESA_WITHOUT_LIMIT) {
        return None;
    }
    let mut blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.find(|&block| module.terminator(block).is_some_and(|last| module.op(last) == Op::Loop))?;
    let local = bind(launch, reflection).ok()?.size.local;
    let first = Launch { global: local.map(u64::from), local: Some(local), ..launch.clone() };
    let lanes = local.into_iter().map(u64::from).product::<u64>().max(1);
    let options = InterpreterOptions { races: Races::Ignore, fuel: BUDGET / lanes, ..InterpreterOptions::default() };
    let iterations = interpret_compiled(module, reflection, &first, options).ok()?.loop_iterations;
    (iterations > limit).then_some(iterations)
}

/// The release of Mesa in the description of a driver: 22 in `llvmpipe Mesa 22.3.6 (LLVM 15.0.6)`.
fn mesa_release(driver: &str) -> Option<u32> {
    let (_, version) = driver.split_once("Mesa ")?;
    version.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_of_mesa_is_read_from_descriptions() {
        assert_eq!(mesa_release("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"), Some(22));
        assert_eq!(mesa_release("llvmpipe Mesa 25.0.7-2+deb13u1 (LLVM 19.1.7)"), Some(25));
        assert_eq!(mesa_release("SwiftShader driver 5.0.0"), None);
    }
}
