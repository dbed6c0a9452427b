//! Launches on this CPU, in machine code.
//!
//! The buffers of a launch are in an arena, and code is guarded or checked: whatever a kernel computes, it writes to no other memory of the
//! process. Nothing that a caller gives is trusted: the module is verified, and a launch is compared with the one that the kernel was compiled for.

#![expect(unsafe_code, reason = "machine code reads and writes the buffers of the launch through their addresses")]

use std::time::{Duration, Instant};

use reconverge_ir::{Function, Module};
use reconverge_lanes::{
    BUFFER_RECORD, BufferSlot, FixedArgument, LanesError, bind_buffers, fix_arguments, inline_calls, specialize,
};
use reconverge_lanes_cpu::machine::Request;
use reconverge_lanes_cpu::select::arithmetic::Features;
use reconverge_lanes_cpu::select::{AddressWords, Bounds, Isa, Pack, Specialization};
use reconverge_lanes_cpu::{
    Arena, ArenaLaunch, Choice, CompileError, Kernel, KernelForms, LaunchError, Nearby, Wanted,
};
use reconverge_opencl::Reflection;
use reconverge_verify::verify;

use crate::cpu_failure::{Numbering, of_trap};
use crate::interpreter::{find_entry_point, required_size};
use crate::launch::{Argument, Launch};
use crate::{Address, Binding, BufferText, Descriptor, InstructionText, RunError, Size, bind};

/// How a launch runs on this CPU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CpuOptions {
    /// How many 32-bit lanes a vector register has: 1, 8 or 16; none: the first work-groups choose.
    pub width: Option<u32>,
    /// How many vectors a value has: 1, 2 or 4; none: the first work-groups choose.
    pub vectors: Option<u32>,
    /// How many threads work on the launch.
    pub threads: usize,
    /// Whether every access to memory is checked before it is made: slower, and reports are exact. Also without it, no access of a launch
    /// on buffers of its own leads to other memory of the process (see `docs/lanes.md`).
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
    /// The launch that it was compiled for, without contents.
    compiled: Compiled,
    /// How long it took to make machine code.
    pub compile: Duration,
}

/// What a launch must have in common with the one that a kernel was compiled for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Compiled {
    entry_point: String,
    local: [u32; 3],
    specialization: Vec<(u32, u32)>,
    /// The bytes of the push constants.
    push_constants: usize,
    /// Where addresses are: in the push constants, then in each buffer.
    addresses: Vec<Vec<Address>>,
    descriptors: Vec<Descriptor>,
}

impl Compiled {
    fn of(binding: &Binding) -> Compiled {
        let contents = std::iter::once(&binding.push_constants).chain(&binding.buffers);
        Compiled {
            entry_point: binding.entry_point.clone(),
            local: binding.size.local,
            specialization: binding.specialization.clone(),
            push_constants: binding.push_constants.bytes.len(),
            addresses: contents.map(|contents| contents.addresses.clone()).collect(),
            descriptors: binding.descriptors.clone(),
        }
    }

    /// Compares it with that of a launch.
    fn check(&self, launch: &Compiled) -> Result<(), RunError> {
        let other = |what: &str, mine: &dyn std::fmt::Debug, its: &dyn std::fmt::Debug| {
            Err(RunError::launch(format!("the kernel is compiled for {what} {mine:?}, but the launch has {its:?}")))
        };
        if self.entry_point != launch.entry_point {
            return other("the entry point", &self.entry_point, &launch.entry_point);
        }
        if self.local != launch.local {
            return other("work-groups of", &self.local, &launch.local);
        }
        if self.specialization != launch.specialization {
            return other("the specialization constants", &self.specialization, &launch.specialization);
        }
        match self == launch {
            true => Ok(()),
            false => {
                Err(RunError::launch("the kernel is compiled for arguments of another layout than the launch has"))
            }
        }
    }
}

impl CpuKernel {
    /// Makes machine code of a compiled kernel, for launches of the size of this one and of smaller ones with the same work-groups.
    ///
    /// # Errors
    /// The module is invalid, the launch does not fit the kernel, or the engine does not support it.
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
        binding.check()?;
        let slot = |one: &Descriptor| BufferSlot { set: one.set, binding: one.binding };
        let slots: Vec<BufferSlot> = binding.descriptors.iter().map(slot).collect();
        let offset = u32::try_from(records_offset(binding));
        let offset = offset.map_err(|_| RunError::launch("the push constants are larger than 4 GiB"))?;
        let records = Records { slots: &slots, offset };
        let bounds = match options.is_checked || !Arena::can_guard(binding.buffers.len()) {
            true => Bounds::Checked,
            false => Bounds::Guarded(address_words(binding, &records)),
        };
        let known = Known { constants: &binding.specialization, size: binding.size, arguments: &[], records, bounds };
        let kernel = compile_forms(module, &binding.entry_point, &known, options)?;
        Ok(CpuKernel { kernel, options, compiled: Compiled::of(binding), compile: start.elapsed() })
    }

    /// The code as text: every form in the order of NASM's operands, after a comment with its lanes.
    pub fn assembly(&self) -> String {
        let text = |form: &Kernel| {
            let pack = form.specialization().pack;
            format!("; lanes of a pack: {}, vectors of a value: {}\n{}", pack.lanes(), pack.vectors, form.code())
        };
        self.kernel.forms().iter().map(text).collect()
    }

    /// The lanes that execute together, in the form that is compiled first.
    pub fn pack(&self) -> Pack {
        self.kernel.forms()[0].specialization().pack
    }

    /// Runs a launch of the work-groups that the kernel was compiled for, or fewer. Gives the buffers, as the kernel left them, and how long it
    /// ran. Several threads can launch a kernel at once.
    ///
    /// # Errors
    /// The launch does not fit the kernel or what it was compiled for, or the kernel ended early.
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
        binding.check()?;
        self.compiled.check(&Compiled::of(binding))?;
        let (mut arena, push_constants) = allocate(binding)?;
        let groups = binding.size.groups;
        let start = clock();
        let result = Request::after(self.options.limit, |request| {
            let launch = ArenaLaunch { push_constants: &push_constants, groups, threads, request };
            // SAFETY: `compile_forms` verified the module.
            unsafe { self.kernel.launch_on(&mut arena, &launch) }
        });
        let end = clock();
        let nearby = |address| {
            let Nearby { buffer, offset } = arena.nearby(address)?;
            let (name, element) = (words.name)(buffer);
            Some((BufferText { name, bytes: arena.bytes(buffer).len() as u64, element }, offset))
        };
        let numbering = Numbering { local: self.compiled.local, offset: words.offset };
        let choice = result.map_err(|error| match error {
            LaunchError::Misfit(text) => RunError::launch(text),
            LaunchError::Trap(trap) => of_trap(&trap, numbering, &nearby),
        })?;
        let buffers = (0..arena.count()).map(|buffer| arena.bytes(buffer).to_vec()).collect();
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
    /// Which accesses are tested.
    pub(crate) bounds: Bounds,
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

/// The words of the push constants that hold addresses of buffers.
fn address_words(binding: &Binding, records: &Records<'_>) -> AddressWords {
    let given = binding.push_constants.addresses.iter().map(|address| address.at as u64);
    let bound = (0..records.slots.len() as u64).map(|slot| u64::from(records.offset) + slot * u64::from(BUFFER_RECORD));
    AddressWords::at(given.chain(bound))
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
    if let Some(finding) = verify(module).first() {
        return Err(RunError::launch(format!("the module is invalid: {finding}")));
    }
    let mut module = specialized(module, known.constants, unsupported)?;
    let function = find_entry_point(&module, Some(entry_point))?;
    check_local_size(&module, function, known.size.local)?;
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
        features: Features::default(),
        bounds: known.bounds,
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

/// Compares the size of a work-group with the one that the module has, after its specialization.
fn check_local_size(module: &Module, function: Function, local: [u32; 3]) -> Result<(), RunError> {
    match required_size(module, function).filter(|&required| required != local) {
        None => Ok(()),
        Some(required) => Err(RunError::launch(format!(
            "the kernel requires work-groups of {required:?}, but the launch has {local:?}"
        ))),
    }
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
