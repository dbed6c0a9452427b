//! Launches on this CPU, in machine code.
//!
//! The buffers of a launch are in an arena, and code is guarded or checked: whatever a kernel computes, it writes to no other memory of the
//! process. Nothing that a caller gives is trusted: the module is verified, and a launch is compared with the one that the kernel was compiled for.

#![expect(unsafe_code, reason = "machine code reads and writes the buffers of the launch through their addresses")]

use std::time::{Duration, Instant};

use reconverge_codegen::{Request as CodeRequest, cpu};
use reconverge_ir::Module;
use reconverge_lanes::{BUFFER_RECORD, BufferSlot};
use reconverge_lanes_cpu::machine::Request;
use reconverge_lanes_cpu::select::{AddressWords, Bounds, Pack};
use reconverge_lanes_cpu::{Arena, ArenaLaunch, Choice, FormRequest, Kernel, KernelForms, LaunchError, Nearby};
use reconverge_opencl::Reflection;

use crate::cpu_failure::{Numbering, of_trap};
use crate::launch::Launch;
use crate::{Address, Binding, BufferText, Descriptor, PrintedOutput, RunError, bind};

/// The options of a launch on this CPU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CpuOptions {
    /// The number of 32-bit lanes of a vector register: 1, 8 or 16. If it is `None`, the first work-groups choose.
    pub width: Option<u32>,
    /// The number of vectors of a value: 1, 2 or 4. If it is `None`, the first work-groups choose.
    pub vectors: Option<u32>,
    /// The number of threads of the launch.
    pub threads: usize,
    /// True if every access to memory is checked before it is made: slower, and reports are exact. Also without it, no access of a launch
    /// on buffers of its own leads to other memory of the process (see `docs/lanes.md`).
    pub is_checked: bool,
    /// The time limit of the launch, if it has one. It ends in time on Linux; elsewhere at the end of a work-group.
    pub limit: Option<Duration>,
}

impl Default for CpuOptions {
    fn default() -> CpuOptions {
        CpuOptions { width: None, vectors: None, threads: 1, is_checked: false, limit: None }
    }
}

impl CpuOptions {
    /// The forms of the code.
    pub(crate) fn forms(self) -> FormRequest {
        FormRequest { width: self.width, vectors: self.vectors }
    }
}

/// The result of a launch on this CPU.
#[derive(Clone, Debug)]
pub struct CpuRun {
    /// The buffers of the launch, as the kernel left them.
    pub buffers: Vec<Vec<u8>>,
    /// What the work-items print.
    pub printed: PrintedOutput,
    /// The time to make machine code.
    pub compile: Duration,
    /// The time for which the kernel ran.
    pub execute: Duration,
    /// The form of the kernel that ran, and why.
    pub choice: Choice,
}

/// A launch, and what a clock said before and after the kernel.
#[derive(Clone, Debug)]
pub struct Measured<T> {
    /// The buffers of the launch, as the kernel left them.
    pub buffers: Vec<Vec<u8>>,
    /// What the work-items print; nothing if the launch is in the terms of the shader, which have no reflection.
    pub printed: PrintedOutput,
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
    /// The time to make machine code.
    pub compile: Duration,
}

/// The properties that a launch must have in common with the one that a kernel was compiled for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Compiled {
    entry_point: String,
    local: [u32; 3],
    specialization: Vec<(u32, u32)>,
    /// The bytes of the push constants.
    push_constants: usize,
    /// The places of addresses: in the push constants, then in each buffer.
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
    /// Those of [`CpuKernel::compile`].
    pub fn compile_bound(module: &Module, binding: &Binding, options: CpuOptions) -> Result<CpuKernel, RunError> {
        let start = Instant::now();
        binding.check()?;
        let slot = |one: &Descriptor| BufferSlot { set: one.set, binding: one.binding };
        let records_offset = u32::try_from(records_offset(binding));
        let records_offset =
            records_offset.map_err(|_| RunError::launch("the push constants are larger than 4 GiB"))?;
        let bounds = match options.is_checked || !Arena::can_guard(binding.buffers.len()) {
            true => Bounds::Checked,
            false => Bounds::Guarded(address_words(binding, records_offset)),
        };
        let request = CodeRequest {
            groups: binding.size.groups,
            constants: binding.specialization.clone(),
            buffers: binding.descriptors.iter().map(slot).collect(),
            records_offset,
            bounds,
            ..CodeRequest::new(&binding.entry_point, binding.size.local)
        };
        let kernel = cpu::compile(module, &request, options.forms()).map_err(RunError::of_cpu)?;
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
    /// Those of [`CpuKernel::launch`].
    pub fn launch_measured<T>(
        &self,
        reflection: &Reflection,
        launch: &Launch,
        threads: usize,
        clock: impl Fn() -> T,
    ) -> Result<Measured<T>, RunError> {
        let words = LaunchWords { offset: launch.offset, name: &|buffer| name_of(launch, buffer) };
        let binding = bind(launch, reflection)?;
        let mut measured = self.launch_with(&binding, threads, clock, &words)?;
        measured.printed = PrintedOutput::of_buffers(reflection, &binding, &measured.buffers);
        measured.buffers.truncate(launch.buffer_count());
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
            // SAFETY: `cpu::compile` verified the module.
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
        Ok(Measured { buffers, printed: PrintedOutput::default(), start, end, choice })
    }
}

/// The words for the parts of a launch in messages.
struct LaunchWords<'a> {
    offset: [u64; 3],
    /// The name of a buffer, and the bytes of its elements.
    name: &'a dyn Fn(usize) -> (String, Option<u64>),
}

/// The name of a buffer of a binding, and the bytes of its elements.
fn name_of(launch: &Launch, buffer: usize) -> (String, Option<u64>) {
    let numbered = launch.arguments.iter().enumerate();
    let mut buffers = numbered.filter_map(|(argument, kind)| kind.buffer().map(|buffer| (argument, buffer)));
    match buffers.nth(buffer) {
        Some((argument, buffer)) => {
            let name = buffer.name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
            (format!("argument {argument}{name}"), Some(buffer.element.size() as u64))
        }
        None => ("the memory of arguments and program-scope variables".to_owned(), None),
    }
}

/// Returns the offset of the records of bound buffers, after the push constants.
fn records_offset(binding: &Binding) -> usize {
    binding.push_constants.bytes.len().next_multiple_of(BUFFER_RECORD as usize)
}

/// The words of the push constants that hold addresses of buffers.
fn address_words(binding: &Binding, records_offset: u32) -> AddressWords {
    let given = binding.push_constants.addresses.iter().map(|address| address.at as u64);
    let slots = 0..binding.descriptors.len() as u64;
    AddressWords::at(given.chain(slots.map(|slot| u64::from(records_offset) + slot * u64::from(BUFFER_RECORD))))
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
    let Measured { buffers, printed, start, end, choice } = kernel.launch(reflection, launch, options.threads)?;
    Ok(CpuRun { buffers, printed, compile: kernel.compile, execute: end - start, choice })
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
