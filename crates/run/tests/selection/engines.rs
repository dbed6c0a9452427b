//! Runs of a kernel in machine code.

use std::fmt;

use reconverge_lanes::patterns::Support;
use reconverge_run::{CpuKernel, CpuOptions, run_bound_on_vc4};

use super::domain::Combination;
use super::kernel::{Kernel, Results};
use super::scalar::Values;

/// A machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Engine {
    /// This CPU, with vectors of this number of lanes.
    Cpu { width: u32 },
    /// The emulator of the VC4.
    Vc4,
}

impl Engine {
    /// The values that its kernels are tested with.
    pub(super) fn values(self) -> Values {
        match self {
            Engine::Cpu { .. } => Values::Any,
            Engine::Vc4 => Values::Moderate,
        }
    }

    /// What its tables say of a combination.
    pub(super) fn support(self, combination: &Combination) -> Option<Support> {
        match self {
            Engine::Cpu { .. } => reconverge_lanes_cpu::support(&combination.typed()),
            Engine::Vc4 => reconverge_qpu::support(&combination.typed()),
        }
    }

    /// The results of each case, or why there is no code.
    pub(super) fn run(self, kernel: &Kernel<'_>) -> Result<Vec<Results>, String> {
        let binding = kernel.binding();
        let buffers = match self {
            Engine::Cpu { width } => {
                let options = CpuOptions { width: Some(width), vectors: Some(1), ..CpuOptions::default() };
                let compiled = CpuKernel::compile_bound(&kernel.module, &binding, options);
                let compiled = compiled.map_err(|error| error.to_string())?;
                let measured = compiled.launch_bound(&binding, 1, || ());
                measured.unwrap_or_else(|error| panic!("{error}")).buffers
            }
            Engine::Vc4 => run_bound_on_vc4(&kernel.module, &binding, 1).map_err(|error| error.to_string())?.buffers,
        };
        Ok(kernel.found(&buffers))
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Engine::Cpu { width } => write!(formatter, "this CPU, {width} lanes"),
            Engine::Vc4 => write!(formatter, "the VC4"),
        }
    }
}
