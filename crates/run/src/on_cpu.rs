//! Launches on this CPU, in machine code.

#![expect(unsafe_code, reason = "machine code reads and writes the buffers of the launch through their addresses")]

use std::time::{Duration, Instant};

use reconverge_ir::Module;
use reconverge_lanes::{
    BUFFER_RECORD, BufferSlot, FixedArgument, LanesError, bind_buffers, fix_arguments, inline_calls, specialize,
};
use reconverge_lanes_cpu::machine::{Level, Request, has_vector_popcnt};
use reconverge_lanes_cpu::select::arithmetic::Features;
use reconverge_lanes_cpu::select::{Isa, Pack, Specialization};
use reconverge_lanes_cpu::{Arena, Arguments, Choice, CompileError, KernelForms, MemoryRange, Nearby, Ranges, Wanted};
use reconverge_opencl::Reflection;

use crate::cpu_failure::{Numbering, of_trap};
use crate::interpreter::find_entry_point;
use crate::launch::{Argument, Launch};
use crate::{Binding, BufferText, Descriptor, InstructionText, RunError, Size, bind};

/// How a launch runs on this CPU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CpuOptions {
    /// How many 32-bit lanes a vector register has: 1, 8 or 16; none: the first work-groups choose.
    pub width: Option<u32>,
    /// How many vectors a value has: 1, 2 or 4; none: the first work-groups choose.
    pub vectors: Option<u32>,
    /// How many threads work on the launch.
    pub threads: usize,
    /// Whether every access to memory is checked before it is made: slower, and reports are exact.
    pub is_checked: bool,
    /// How long the launch may take; none: as long as it takes. It ends in time on Linux; elsewhere at the end of a work-group.
    pub limit: Option<Duration>,
}

impl Default for CpuOptions {
    fn default() -> CpuOptions {
        CpuOptions { width: None, vectors: None, threads: 1, is_checked: false, limit: None }
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
    /// The form of the kernel that ran, and why.
    pub choice: Choice,
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
    /// The form of the kernel that ran, and why.
    pub choice: Choice,
}

/// A kernel in machine code, for launches of one size.
#[derive(Debug)]
pub struct CpuKernel {
    kernel: KernelForms,
    options: CpuOptions,
    local: [u32; 3],
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
        let slot = |one: &Descriptor| BufferSlot { set: one.set, binding: one.binding };
        let slots: Vec<BufferSlot> = binding.descriptors.iter().map(slot).collect();
        let records = Records { slots: &slots, offset: records_offset(binding) as u32 };
        let known = Known { constants: &binding.specialization, size: binding.size, arguments: &[], records };
        let kernel = compile_forms(module, &binding.entry_point, &known, options)?;
        Ok(CpuKernel { kernel, options, local: binding.size.local, compile: start.elapsed() })
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
        let words = LaunchWords { offset: launch.offset, name: &|buffer| name_of(launch, buffer) };
        let mut measured = self.launch_with(&bind(launch, reflection)?, threads, clock, &words)?;
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
        let words = LaunchWords { offset: [0; 3], name: &|buffer| (format!("buffer {buffer}"), None) };
        self.launch_with(binding, threads, clock, &words)
    }

    fn launch_with<T>(
        &self,
        binding: &Binding,
        threads: usize,
        clock: impl Fn() -> T,
        words: &LaunchWords<'_>,
    ) -> Result<Measured<T>, RunError> {
        let (arena, push_constants) = allocate(binding)?;
        let buffers = || (0..binding.buffers.len()).map(|buffer| arena.bytes(buffer));
        let ranges = buffers().map(|bytes| MemoryRange {
            address: bytes.as_ptr() as u64,
            bytes: bytes.len() as u64,
            is_writable: true,
        });
        let ranges = Ranges::new(&ranges.collect::<Vec<_>>());
        let groups = binding.size.groups;
        let count = group_count(groups)?;
        let start = clock();
        let result = Request::after(self.options.limit, |request| {
            let push_constants = &push_constants[..];
            let arguments = Arguments { push_constants, groups, range: (0, count), threads, ranges: &ranges, request };
            // SAFETY: the addresses are those of the arena, which nothing else accesses. A kernel that leaves its buffers has undefined
            // behaviour, which is noticed if the kernel is checked or the address is in the space around a buffer.
            unsafe { self.kernel.launch(&arguments) }
        });
        let end = clock();
        let choice = result.map_err(|trap| {
            of_trap(&trap, Numbering { local: self.local, offset: words.offset }, &|address| {
                let Nearby { buffer, offset } = arena.nearby(address)?;
                let (name, element) = (words.name)(buffer);
                Some((BufferText { name, bytes: arena.bytes(buffer).len() as u64, element }, offset))
            })
        })?;
        let buffers = buffers().map(<[u8]>::to_vec).collect();
        Ok(Measured { buffers, start, end, choice })
    }
}

/// What messages about a launch say of it.
struct LaunchWords<'a> {
    offset: [u64; 3],
    /// What a buffer is called, and the bytes of its elements.
    name: &'a dyn Fn(usize) -> (String, Option<u64>),
}

/// What a buffer of a binding is called, and the bytes of its elements.
fn name_of(launch: &Launch, buffer: usize) -> (String, Option<u64>) {
    let mut buffers = launch.arguments.iter().enumerate().filter_map(|(argument, kind)| match kind {
        Argument::Buffer(buffer) => Some((argument, buffer)),
        _ => None,
    });
    match buffers.nth(buffer) {
        Some((argument, buffer)) => {
            let name = buffer.name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
            (format!("argument {argument}{name}"), Some(buffer.element.size() as u64))
        }
        None => ("the memory of arguments and program-scope variables".to_owned(), None),
    }
}

/// How many work-groups a launch has.
pub(crate) fn group_count(groups: [u32; 3]) -> Result<u64, RunError> {
    let count = groups.iter().try_fold(1_u64, |count, &size| count.checked_mul(size.into()));
    let count = count.filter(|&count| count <= GROUPS_LIMIT);
    count.ok_or_else(|| RunError::launch(format!("the launch has more than {GROUPS_LIMIT} work-groups")))
}

/// The most work-groups of a launch.
const GROUPS_LIMIT: u64 = 1 << 62;

/// What is known of launches when a kernel is compiled.
pub(crate) struct Known<'a> {
    /// Specialization constants: id and value.
    pub(crate) constants: &'a [(u32, u32)],
    /// The size of a work-group, and the most work-groups.
    pub(crate) size: Size,
    /// Scalars among the push constants.
    pub(crate) arguments: &'a [FixedArgument],
    /// The buffers that are bound.
    pub(crate) records: Records<'a>,
}

/// The records of bound buffers, behind the push constants.
#[derive(Clone, Copy, Default)]
pub(crate) struct Records<'a> {
    /// The places of the buffers.
    pub(crate) slots: &'a [BufferSlot],
    /// Where the first record is.
    pub(crate) offset: u32,
}

fn records_offset(binding: &Binding) -> usize {
    binding.push_constants.bytes.len().next_multiple_of(BUFFER_RECORD as usize)
}

/// The most instructions of a kernel with all that it calls.
const SIZE_LIMIT: usize = 1 << 20;

/// A copy of a module whose specialization constants have the values of a launch.
pub(crate) fn specialized(
    module: &Module,
    constants: &[(u32, u32)],
    unsupported: impl Fn(String, Box<InstructionText>) -> RunError,
) -> Result<Module, RunError> {
    let mut module = module.clone();
    let values: Vec<(u32, u64)> = constants.iter().map(|&(id, value)| (id, value.into())).collect();
    match specialize(&mut module, &values) {
        Ok(()) => Ok(module),
        Err(error) => Err(unsupported(error.to_string(), place_of(&module, &error))),
    }
}

fn place_of(module: &Module, error: &LanesError) -> Box<InstructionText> {
    Box::new(match *error {
        LanesError::Unsupported { at, .. } => InstructionText::of(module, at),
        _ => InstructionText::default(),
    })
}

/// Makes machine code of an entry point.
pub(crate) fn compile_forms(
    module: &Module,
    entry_point: &str,
    known: &Known<'_>,
    options: CpuOptions,
) -> Result<KernelForms, RunError> {
    let unsupported = |message, place| RunError::CpuUnsupported { message, place };
    let mut module = specialized(module, known.constants, unsupported)?;
    let function = find_entry_point(&module, Some(entry_point))?;
    if !known.records.slots.is_empty() {
        let Records { slots, offset } = known.records;
        let bound = inline_calls(&mut module, function, SIZE_LIMIT)
            .and_then(|()| bind_buffers(&mut module, function, slots, offset));
        bound.map_err(|error| unsupported(error.to_string(), place_of(&module, &error)))?;
    }
    fix_arguments(&mut module, function, known.arguments);
    let specialization = Specialization {
        local: known.size.local,
        groups: known.size.groups,
        pack: Pack { isa: Isa::Scalar, vectors: 1 },
        features: Features {
            has_vector_popcnt: has_vector_popcnt(),
            has_avx512: Level::of_this_cpu() == Some(Level::Avx512),
        },
        is_checked: options.is_checked,
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
    let Measured { buffers, start, end, choice } = kernel.launch(reflection, launch, options.threads)?;
    Ok(CpuRun { buffers, compile: kernel.compile, execute: end - start, choice })
}

/// The buffers and the push constants, with addresses written in.
fn allocate(binding: &Binding) -> Result<(Arena, Vec<u8>), RunError> {
    let arena = Arena::new(binding.buffers.iter().map(|contents| &contents.bytes[..]));
    let mut arena = arena.map_err(|error| RunError::launch(format!("there is no memory for the buffers: {error}")))?;
    let mut push_constants = binding.push_constants.bytes.clone();
    let starts: Vec<u64> = (0..binding.buffers.len()).map(|buffer| arena.address(buffer)).collect();
    binding.push_constants.write_addresses(&mut push_constants, &starts);
    for (buffer, contents) in binding.buffers.iter().enumerate() {
        contents.write_addresses(arena.bytes_mut(buffer), &starts);
    }
    if !binding.descriptors.is_empty() {
        push_constants.resize(records_offset(binding), 0);
    }
    for descriptor in &binding.descriptors {
        let size = u32::try_from(binding.buffers[descriptor.buffer].bytes.len()).unwrap_or(u32::MAX);
        push_constants.extend(starts[descriptor.buffer].to_le_bytes());
        push_constants.extend([size.to_le_bytes(), [0; 4]].concat());
    }
    Ok((arena, push_constants))
}
