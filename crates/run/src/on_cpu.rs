//! Launches on this CPU, in machine code.

#![expect(unsafe_code, reason = "machine code reads and writes the buffers of the launch through their addresses")]

use std::time::{Duration, Instant};

use reconverge_interpret::UndefinedBehaviour;
use reconverge_ir::Module;
use reconverge_lanes::{LanesError, specialize};
use reconverge_lanes_cpu::machine::{Level, has_vector_popcnt};
use reconverge_lanes_cpu::select::arithmetic::Features;
use reconverge_lanes_cpu::select::{Isa, Pack, Specialization};
use reconverge_lanes_cpu::{Arguments, CompileError, KernelForms, Trap, Tried, Wanted};
use reconverge_opencl::Reflection;

use crate::interpreter::find_entry_point;
use crate::launch::{Argument, Launch};
use crate::{Binding, Contents, InstructionText, RunError, Size, bind};

/// How a launch runs on this CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CpuOptions {
    /// How many 32-bit lanes a vector register has: 1, 8 or 16; none: the first work-groups choose.
    pub width: Option<u32>,
    /// How many vectors a value has: 1, 2 or 4; none: the first work-groups choose.
    pub vectors: Option<u32>,
    /// How many threads work on the launch.
    pub threads: usize,
}

impl Default for CpuOptions {
    fn default() -> CpuOptions {
        CpuOptions { width: None, vectors: None, threads: 1 }
    }
}

/// The result of a launch on this CPU.
#[derive(Clone, Debug)]
pub struct CpuRun {
    /// The buffers of the launch, as the kernel left them.
    pub buffers: Vec<Vec<u8>>,
    /// How long it took to make machine code.
    pub compile: Duration,
    /// How long the kernel ran.
    pub execute: Duration,
    /// The forms of the kernel: the one that was chosen, then the others.
    pub tried: Vec<Tried>,
}

/// A launch, and what a clock said before and after the kernel.
#[derive(Clone, Debug)]
pub struct Measured<T> {
    /// The buffers of the launch, as the kernel left them.
    pub buffers: Vec<Vec<u8>>,
    /// Before the kernel.
    pub start: T,
    /// After the kernel.
    pub end: T,
    /// The forms of the kernel: the one that was chosen, then the others.
    pub tried: Vec<Tried>,
}

/// A kernel in machine code, for launches of one size.
#[derive(Debug)]
pub struct CpuKernel {
    kernel: KernelForms,
    /// How long it took to make machine code.
    pub compile: Duration,
}

impl CpuKernel {
    /// Makes machine code of a compiled kernel, for launches of the size of this one.
    ///
    /// # Errors
    /// The launch does not fit the kernel, or the engine does not support it.
    pub fn compile(
        module: &Module,
        reflection: &Reflection,
        launch: &Launch,
        options: CpuOptions,
    ) -> Result<CpuKernel, RunError> {
        CpuKernel::compile_bound(module, &bind(launch, reflection)?, options)
    }

    /// As [`CpuKernel::compile`], of any compute shader, with a launch in its terms.
    ///
    /// # Errors
    /// As [`CpuKernel::compile`].
    pub fn compile_bound(module: &Module, binding: &Binding, options: CpuOptions) -> Result<CpuKernel, RunError> {
        let start = Instant::now();
        let kernel = compile_forms(module, &binding.entry_point, &binding.specialization, binding.size, options)?;
        Ok(CpuKernel { kernel, compile: start.elapsed() })
    }

    /// The code, as assembly.
    pub fn assembly(&self) -> String {
        self.kernel.forms().iter().map(|form| form.code().to_string()).collect()
    }

    /// The lanes that execute together, in the form that is compiled first.
    pub fn pack(&self) -> Pack {
        self.kernel.forms()[0].specialization().pack
    }

    /// Runs a launch of the size that the kernel was compiled for. Gives the buffers, as the kernel left them, and how long it ran.
    ///
    /// # Errors
    /// The launch does not fit the kernel, or the kernel ended early.
    pub fn launch(
        &self,
        reflection: &Reflection,
        launch: &Launch,
        threads: usize,
    ) -> Result<Measured<Duration>, RunError> {
        let start = Instant::now();
        self.launch_measured(reflection, launch, threads, || start.elapsed())
    }

    /// As [`CpuKernel::launch`], with a clock of the caller, which is read before and after the kernel.
    ///
    /// # Errors
    /// As [`CpuKernel::launch`].
    pub fn launch_measured<T>(
        &self,
        reflection: &Reflection,
        launch: &Launch,
        threads: usize,
        clock: impl Fn() -> T,
    ) -> Result<Measured<T>, RunError> {
        let mut measured = self.launch_bound(&bind(launch, reflection)?, threads, clock)?;
        let count = launch.arguments.iter().filter(|argument| matches!(argument, Argument::Buffer(_))).count();
        measured.buffers.truncate(count);
        Ok(measured)
    }

    /// As [`CpuKernel::launch_measured`], with a launch in the terms of the shader; gives all its buffers.
    ///
    /// # Errors
    /// The kernel ended early.
    pub fn launch_bound<T>(
        &self,
        binding: &Binding,
        threads: usize,
        clock: impl Fn() -> T,
    ) -> Result<Measured<T>, RunError> {
        let (memory, push_constants) = allocate(binding);
        let start = clock();
        let groups = binding.size.groups;
        let count = groups.iter().map(|&count| u64::from(count)).product();
        let arguments = Arguments { push_constants: &push_constants, groups, range: (0, count), threads };
        // SAFETY: the addresses are those of `memory`, which nothing else accesses; a kernel that leaves its buffers has undefined behaviour.
        let result = unsafe { self.kernel.launch(&arguments) };
        let end = clock();
        let tried = result.map_err(of_trap)?;
        let buffers = memory.iter().zip(&binding.buffers);
        let buffers = buffers.map(|(memory, contents)| memory.bytes(contents.bytes.len())).collect();
        Ok(Measured { buffers, start, end, tried })
    }
}

/// Makes machine code of an entry point: `constants` has the specialization constants, `size` the most work-groups.
pub(crate) fn compile_forms(
    module: &Module,
    entry_point: &str,
    constants: &[(u32, u32)],
    size: Size,
    options: CpuOptions,
) -> Result<KernelForms, RunError> {
    let mut module = module.clone();
    let values: Vec<(u32, u64)> = constants.iter().map(|&(id, value)| (id, value.into())).collect();
    specialize(&mut module, &values).map_err(|error| {
        let place = match error {
            LanesError::Unsupported { at, .. } => InstructionText::of(&module, at),
            _ => InstructionText::default(),
        };
        RunError::CpuUnsupported { message: error.to_string(), place: Box::new(place) }
    })?;
    let function = find_entry_point(&module, Some(entry_point))?;
    let specialization = Specialization {
        local: size.local,
        groups: size.groups,
        pack: Pack { isa: Isa::Scalar, vectors: 1 },
        features: Features {
            has_vector_popcnt: has_vector_popcnt(),
            has_avx512: Level::of_this_cpu() == Some(Level::Avx512),
        },
    };
    let wanted = Wanted { width: options.width, vectors: options.vectors };
    KernelForms::compile(&module, function, specialization, wanted).map_err(|error| {
        let place = match &error {
            CompileError::Unsupported { at, module, .. } => InstructionText::of(module, *at),
            _ => InstructionText::default(),
        };
        RunError::CpuUnsupported { message: error.to_string(), place: Box::new(place) }
    })
}

pub(crate) fn of_trap(trap: Trap) -> RunError {
    RunError::CpuEnded(match trap {
        Trap::DivergentBarrier => UndefinedBehaviour::BarrierDivergence,
        Trap::Unreachable => UndefinedBehaviour::Unreachable,
    })
}

/// Runs a compiled kernel on this CPU.
///
/// # Errors
/// The launch does not fit the kernel, or the engine does not support it.
pub fn run_on_cpu(
    module: &Module,
    reflection: &Reflection,
    launch: &Launch,
    options: CpuOptions,
) -> Result<CpuRun, RunError> {
    let kernel = CpuKernel::compile(module, reflection, launch, options)?;
    let Measured { buffers, start, end, tried } = kernel.launch(reflection, launch, options.threads)?;
    Ok(CpuRun { buffers, compile: kernel.compile, execute: end - start, tried })
}

/// Memory with the alignment of the largest OpenCL type.
struct Memory(Vec<Block>);

#[derive(Clone, Copy)]
#[repr(C, align(128))]
struct Block([u8; 128]);

impl Memory {
    fn new(bytes: &[u8]) -> Memory {
        let mut blocks = vec![Block([0; 128]); bytes.len() / 128 + 1];
        for (block, chunk) in blocks.iter_mut().zip(bytes.chunks(128)) {
            block.0[..chunk.len()].copy_from_slice(chunk);
        }
        Memory(blocks)
    }

    fn address(&mut self) -> u64 {
        self.0.as_mut_ptr() as u64
    }

    fn bytes(&self, count: usize) -> Vec<u8> {
        self.0.iter().flat_map(|block| block.0).take(count).collect()
    }
}

/// The buffers and the push constants, with addresses written in.
fn allocate(binding: &Binding) -> (Vec<Memory>, Vec<u8>) {
    let mut memory: Vec<Memory> = binding.buffers.iter().map(|contents| Memory::new(&contents.bytes)).collect();
    let starts: Vec<u64> = memory.iter_mut().map(Memory::address).collect();
    let patched = |contents: &Contents| {
        let mut bytes = contents.bytes.clone();
        for address in &contents.addresses {
            let value = starts[address.buffer] + address.target;
            bytes[address.at..address.at + 8].copy_from_slice(&value.to_le_bytes());
        }
        bytes
    };
    let push_constants = patched(&binding.push_constants);
    for (index, contents) in binding.buffers.iter().enumerate() {
        if !contents.addresses.is_empty() {
            let start = Memory::new(&patched(contents));
            memory[index].0.copy_from_slice(&start.0);
        }
    }
    (memory, push_constants)
}
