//! Launches on the emulator of the VC4.

use std::time::{Duration, Instant};

use reconverge_codegen::{Request, Vc4Code, vc4};
use reconverge_ir::Module;
use reconverge_opencl::Reflection;
use reconverge_qpu::Program;
use reconverge_qpu_emulate::{FaultKind, Memory, Report};

use crate::launch::Launch;
use crate::vc4_image::Vc4Image;
use crate::{Binding, RunCode, RunError, bind};

/// The result of a launch on the emulator.
#[derive(Clone, Debug)]
pub struct Vc4Run {
    /// The buffers of the launch, as the kernel left them.
    pub buffers: Vec<Vec<u8>>,
    /// The time to make machine code.
    pub compile: Duration,
    /// The time for which the emulator ran.
    pub execute: Duration,
    /// The code.
    pub program: Program,
    /// The report of the QPUs.
    pub report: Report,
}

/// The cycles of a launch: about a minute on the emulator.
const CYCLES: u64 = 300_000_000;

/// Runs a compiled kernel on the emulator.
///
/// # Errors
/// The launch does not fit the kernel, the VC4 does not support it, or it did not end as it should.
pub fn run_on_vc4(module: &Module, reflection: &Reflection, launch: &Launch) -> Result<Vc4Run, RunError> {
    let mut run = run_bound_on_vc4(module, &bind(launch, reflection)?, 0)?;
    run.buffers.truncate(launch.buffers()?.len());
    Ok(run)
}

/// As [`run_on_vc4`], of any compute shader, with a launch in its terms; gives all its buffers. Registers hold what a seed says before they are
/// written.
///
/// # Errors
/// Those of [`run_on_vc4`].
pub fn run_bound_on_vc4(module: &Module, binding: &Binding, seed: u32) -> Result<Vc4Run, RunError> {
    binding.check()?;
    let start = Instant::now();
    let request =
        Request { constants: binding.specialization.clone(), ..Request::new(&binding.entry_point, binding.size.local) };
    let program = vc4::compile(module, &request).map_err(RunError::of_vc4)?;
    let compile = start.elapsed();
    let start = Instant::now();
    let image = Vc4Image::new(&program, binding)?;
    let (buffers, report) = emulate(&program, &image, seed)?;
    Ok(Vc4Run { buffers, compile, execute: start.elapsed(), report, program })
}

fn emulate(program: &Program, image: &Vc4Image, seed: u32) -> Result<(Vec<Vec<u8>>, Report), RunError> {
    let mut memory = Memory::new();
    for (address, bytes) in &image.regions {
        let added = memory.add(*address, bytes.clone());
        added.map_err(|error| {
            RunError::new(Vc4Code::Limit, format!("the emulator has no memory for the buffers: {error}"))
        })?;
    }
    let mut report =
        Report { cycles: 0, executed: Vec::new(), stalled: Vec::new(), taken: Vec::new(), host_interrupts: Vec::new() };
    if !image.uniforms.is_empty() {
        let mut launch = reconverge_qpu_emulate::Launch::new(&program.words, &image.uniforms);
        launch.cycle_limit = CYCLES;
        launch.seed = seed;
        report = reconverge_qpu_emulate::run(&launch, &mut memory).map_err(|fault| match fault.kind {
            FaultKind::CycleLimit => {
                RunError::new(Vc4Code::Limit, format!("the kernel takes more than {CYCLES} cycles"))
            }
            _ => RunError::new(RunCode::Vc4Fault, format!("the emulator of the VC4: {fault}")),
        })?;
    }
    let buffer =
        |&(start, length): &(u32, usize)| memory.bytes(start).map(|bytes| bytes[..length].to_vec()).unwrap_or_default();
    Ok((image.buffers.iter().map(buffer).collect(), report))
}
