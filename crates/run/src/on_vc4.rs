//! Launches on the emulator of the VC4.
//!
//! ```text
//! addresses   0x2000_0000  the data of the program, memory of work-groups, scratch memory, buffers; 4 KiB that nothing is at between them
//! ```

use std::time::{Duration, Instant};

use reconverge_ir::Module;
use reconverge_lanes::{LanesError, specialize};
use reconverge_opencl::{Fma, KernelOptions, Reflection};
use reconverge_qpu::{CompileError, Dispatch, Program, QPUS, SelectError, Specialization};
use reconverge_qpu_emulate::{FaultKind, Memory, Report};

use crate::interpreter::find_entry_point;
use crate::launch::Launch;
use crate::{Binding, Contents, InstructionText, RunError, bind};

/// The result of a launch on the emulator.
#[derive(Clone, Debug)]
pub struct Vc4Run {
    /// The buffers of the launch, as the kernel left them.
    pub buffers: Vec<Vec<u8>>,
    /// How long it took to make machine code.
    pub compile: Duration,
    /// How long the emulator ran.
    pub execute: Duration,
    /// The code.
    pub program: Program,
    /// The cycles of the QPUs, from the first instruction to the last one.
    pub cycles: u64,
}

/// Where the first region of memory is.
const FIRST_ADDRESS: u32 = 0x2000_0000;
/// The bytes between regions.
const GAP: u32 = 4096;
/// The regions before those of buffers.
const OWN_REGIONS: usize = 3;
/// The cycles of a launch: minutes on the emulator.
const CYCLES: u64 = 2_000_000_000;

/// How kernels are compiled for the VC4: a fused product and sum is a product and a sum.
pub fn vc4_kernel_options() -> KernelOptions {
    KernelOptions { fma: Fma::Device, ..KernelOptions::default() }
}

/// Makes machine code of an entry point of a compiled module, for work-groups of a size.
///
/// # Errors
/// What the VC4 does not have, by name; a program that is too large for it.
pub fn compile_for_vc4(
    module: &Module,
    entry_point: &str,
    constants: &[(u32, u32)],
    local: [u32; 3],
) -> Result<Program, RunError> {
    let mut module = module.clone();
    let values: Vec<(u32, u64)> = constants.iter().map(|&(id, value)| (id, value.into())).collect();
    specialize(&mut module, &values).map_err(|error| {
        let place = match error {
            LanesError::Unsupported { at, .. } => InstructionText::of(&module, at),
            _ => InstructionText::default(),
        };
        RunError::Vc4Unsupported { message: error.to_string(), place: Box::new(place) }
    })?;
    let function = find_entry_point(&module, Some(entry_point))?;
    reconverge_qpu::compile(&mut module, function, &Specialization { local }).map_err(|error| match error {
        CompileError::Unsupported(error) => refused(&module, &error),
        error => RunError::Vc4Limit(error.to_string()),
    })
}

fn refused(module: &Module, error: &SelectError) -> RunError {
    let place = InstructionText::of(module, error.at);
    RunError::Vc4Unsupported { message: error.to_string(), place: Box::new(place) }
}

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
/// As [`run_on_vc4`].
pub fn run_bound_on_vc4(module: &Module, binding: &Binding, seed: u32) -> Result<Vc4Run, RunError> {
    let start = Instant::now();
    let program = compile_for_vc4(module, &binding.entry_point, &binding.specialization, binding.size.local)?;
    let compile = start.elapsed();
    let start = Instant::now();
    let (buffers, report) = emulate(&program, binding, seed)?;
    Ok(Vc4Run { buffers, compile, execute: start.elapsed(), cycles: report.cycles, program })
}

/// Where everything is.
struct Layout {
    memory: Vec<(u32, Vec<u8>)>,
    next: u32,
}

impl Layout {
    /// A place for bytes, with a gap behind them.
    fn add(&mut self, bytes: Vec<u8>) -> Result<u32, RunError> {
        let address = self.next;
        let length = u32::try_from(bytes.len()).ok().and_then(|length| length.checked_add(2 * GAP));
        let next = length.and_then(|length| address.checked_add(length)).filter(|&next| next < 0x7000_0000);
        let next =
            next.ok_or_else(|| RunError::Vc4Limit("the buffers are more than the VC4 addresses: 1 GiB".to_owned()))?;
        self.next = next & !(GAP - 1);
        self.memory.push((address, bytes));
        Ok(address)
    }
}

fn emulate(program: &Program, binding: &Binding, seed: u32) -> Result<(Vec<Vec<u8>>, Report), RunError> {
    let mut layout = Layout { memory: Vec::new(), next: FIRST_ADDRESS };
    let data = layout.add(program.data.clone())?;
    let local = layout.add(vec![0; (program.local_stride() * QPUS) as usize])?;
    let scratch = u64::from(program.scratch_bytes) * u64::from(program.qpus());
    let scratch = layout.add(vec![0; usize::try_from(scratch.min(1 << 30)).unwrap_or(0)])?;
    let mut starts = Vec::new();
    for buffer in &binding.buffers {
        // A part of a word is read with the word.
        let mut bytes = buffer.bytes.clone();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        starts.push(layout.add(bytes)?);
    }
    let patch = |bytes: &mut [u8], contents: &Contents| {
        for address in &contents.addresses {
            let value = u64::from(starts[address.buffer]) + address.target;
            bytes[address.at..address.at + 8].copy_from_slice(&value.to_le_bytes());
        }
    };
    let mut push_constants = binding.push_constants.bytes.clone();
    patch(&mut push_constants, &binding.push_constants);
    push_constants.resize(push_constants.len().next_multiple_of(4), 0);
    let words: Vec<u32> = push_constants.chunks_exact(4).map(word_of).collect();
    let mut memory = Memory::new();
    for (place, (address, mut bytes)) in layout.memory.into_iter().enumerate() {
        if let Some(buffer) = place.checked_sub(OWN_REGIONS) {
            patch(&mut bytes, &binding.buffers[buffer]);
        }
        let added = memory.add(address, bytes);
        added.map_err(|error| RunError::Vc4Limit(format!("the emulator has no memory for the buffers: {error}")))?;
    }
    let dispatch = Dispatch { groups: binding.size.groups, push_constants: &words, data, local, scratch };
    let uniforms = program.dispatch(&dispatch);
    let mut report =
        Report { cycles: 0, executed: Vec::new(), stalled: Vec::new(), taken: Vec::new(), host_interrupts: Vec::new() };
    if !uniforms.is_empty() {
        let mut launch = reconverge_qpu_emulate::Launch::new(&program.words, &uniforms);
        launch.cycle_limit = CYCLES;
        launch.seed = seed;
        report = reconverge_qpu_emulate::run(&launch, &mut memory).map_err(|fault| match fault.kind {
            FaultKind::CycleLimit => RunError::Vc4Limit(format!("the kernel takes more than {CYCLES} cycles")),
            _ => RunError::Vc4Fault(format!("the emulator of the VC4: {fault}")),
        })?;
    }
    let buffer = |(start, buffer): (&u32, &Contents)| {
        memory.bytes(*start).map(|bytes| bytes[..buffer.bytes.len()].to_vec()).unwrap_or_default()
    };
    Ok((starts.iter().zip(&binding.buffers).map(buffer).collect(), report))
}

fn word_of(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}
