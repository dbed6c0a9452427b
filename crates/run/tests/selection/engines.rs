//! Runs of a kernel in machine code.

use std::fmt;

use reconverge_codegen::{CPU_MACHINE, VC4_MACHINE};
use reconverge_lanes::patterns::{Operation, Pattern, Support};
use reconverge_run::{CpuKernel, CpuOptions, run_bound_on_vc4};

use super::cases::Case;
use super::domain::Combination;
use super::kernel::{Kernel, Results};
use super::scalar::{Scalar, Values};

/// A machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Engine {
    /// This CPU, with vectors of this number of lanes.
    Cpu { width: u32 },
    /// The emulator of the VC4.
    Vc4,
}

impl Engine {
    /// The values that the kernel of cases is tested with. The order in which lanes are combined is open.
    pub(super) fn values(self, cases: &[Case]) -> Values {
        match self {
            Engine::Cpu { .. } if !cases.iter().any(|case| case.combination.is_of_subgroup()) => Values::Any,
            _ => Values::Moderate,
        }
    }

    /// The lanes of a subgroup.
    pub(super) fn subgroup_size(self) -> u32 {
        match self {
            Engine::Cpu { width } => width,
            Engine::Vc4 => reconverge_qpu::LANES,
        }
    }

    /// What its tables say of a combination.
    pub(super) fn support(self, combination: &Combination) -> Option<Support> {
        match self {
            Engine::Cpu { .. } => reconverge_lanes_cpu::support(&combination.typed()),
            Engine::Vc4 => reconverge_qpu::support(&combination.typed()),
        }
    }

    /// Returns whether legalization replaces a combination before it is selected.
    pub(super) fn is_legalized(self, combination: &Combination) -> bool {
        let machine = match self {
            Engine::Cpu { .. } => CPU_MACHINE,
            Engine::Vc4 => VC4_MACHINE,
        };
        let Some(&Scalar::Int(bits)) = combination.operands.first() else { return false };
        match combination.operation {
            Operation::Op(op) => machine.expands(op, bits),
            Operation::Glsl(function) => machine.expands_function(function, bits),
        }
    }

    /// The patterns of its tables.
    pub(super) fn patterns(self) -> Vec<&'static Pattern> {
        match self {
            Engine::Cpu { .. } => reconverge_lanes_cpu::patterns().collect(),
            Engine::Vc4 => reconverge_qpu::patterns().collect(),
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
