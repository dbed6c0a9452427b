//! Programs for the QPUs of the VideoCore IV.

use reconverge_ir::{Function, Module};
use reconverge_lanes::{Facts, LaunchFacts, MachineName};
use reconverge_legalize::{Machine, Widths};
use reconverge_opencl::{Fma, KernelOptions};
use reconverge_qpu::{Program, Specialization, Vc4Code};

use crate::pipeline::{self, LAUNCH, LOOPS, OPTIMIZATIONS, SCALARS};
use crate::{CodegenError, Request};

/// The VC4 in messages.
pub(crate) const NAME: MachineName =
    MachineName { title: "the VC4", unsupported: Vc4Code::Unsupported.declared(), limit: Vc4Code::Limit.declared() };

/// The integers of a QPU, as the passes of legalization see them: it adds words and multiplies 24 bits of them. The selector has sequences for
/// sums, products and unsigned quotients of 64 bits, in which all else is expressed.
pub const MACHINE: Machine = Machine {
    carries: Widths::only(32),
    constant_divisions: Widths::only(64),
    signed_divisions: Widths::NONE,
    bit_operations: Widths::NONE,
    ..Machine::complete(Vc4Code::Unsupported.declared())
};

/// The most bytes of arguments that a QPU reads as uniforms. More are loaded from memory where they are needed.
const ARGUMENTS: u32 = 1024;

/// Options for kernels of the VC4. A fused product and sum is a product and a sum, and arguments are uniforms.
pub fn kernel_options() -> KernelOptions {
    KernelOptions::new().fma(Fma::Device).push_constant_limit(ARGUMENTS).printf_buffer(0)
}

/// Makes a program of an entry point of a module, a compute shader at stage Structured. The module is verified first. Near-linear in the result of
/// inlining.
///
/// # Errors
/// The module is invalid, the request does not fit it, the VC4 does not have what the kernel needs, or the program is too large for it.
pub fn compile(module: &Module, request: &Request) -> Result<Program, CodegenError> {
    request.verify(module)?;
    let mut module = module.clone();
    let function = request.function(&module)?;
    let facts = LaunchFacts { inputs: inputs(request)?, ..request.facts(NAME) };
    pipeline::run(&mut module, function, facts.clone(), MACHINE, &[LAUNCH])?;
    request.check_size(&module, function)?;
    pipeline::run(&mut module, function, facts, MACHINE, &[OPTIMIZATIONS, SCALARS, LOOPS])?;
    assemble(&module, function, request)
}

/// The inputs of a launch.
pub(crate) fn inputs(request: &Request) -> Result<Facts, CodegenError> {
    let checked = reconverge_qpu::check_size(request.local);
    checked.map_err(|error| CodegenError::of_kernel(error, &request.entry_point))?;
    Ok(Specialization { local: request.local }.facts())
}

/// Selects and assembles the code of a function after the passes up to [`LOOPS`].
pub(crate) fn assemble(module: &Module, function: Function, request: &Request) -> Result<Program, CodegenError> {
    let program = reconverge_qpu::compile(module, function, &Specialization { local: request.local });
    program.map_err(|error| CodegenError::new(error, module, function))
}
