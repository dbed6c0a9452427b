//! Launches on the reference interpreter.

use crate::launch::{Argument, Launch};
use reconverge_codegen::{entry_points, required_size};
use reconverge_interpret::{
    BoundBuffer, Buffer, BufferAddress, Holder, Interpreter, KernelArgument, KernelFailure, KernelImage, KernelLaunch,
    KernelOutcome, Observer, Race, Races, UndefinedValues, UndefinedWrite,
};
use reconverge_ir::{Function, Module};
use reconverge_opencl::{LocalArgument, Printf, Reflection};

use crate::{Binding, PrintedOutput, RunError, bind, size::range_with_rest};

/// The options of a launch in the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InterpreterOptions {
    /// Lanes of a subgroup.
    pub subgroup_size: u32,
    /// Instructions that each work-item may execute.
    pub fuel: u64,
    /// The detection of data races.
    pub races: Races,
    /// The maximal number of bytes that the kernel prints.
    pub printed_limit: usize,
}

impl Default for InterpreterOptions {
    fn default() -> InterpreterOptions {
        let default = KernelLaunch::default();
        InterpreterOptions {
            subgroup_size: default.subgroup_size,
            fuel: default.fuel,
            races: Races::Report,
            printed_limit: default.printed_limit,
        }
    }
}

/// The result of a launch on the interpreter.
#[derive(Debug)]
pub struct Interpretation {
    /// The buffers of the launch, as the kernel left them.
    pub buffers: Vec<Vec<u8>>,
    /// For each byte of the buffers, whether it is defined.
    pub defined: Vec<Vec<bool>>,
    /// The stores that wrote undefined values to buffers; none for compiled kernels, in which a pass may have chosen these values.
    pub undefined: Vec<UndefinedWrite>,
    /// What the work-items print, in the order of their calls.
    pub printed: PrintedOutput,
    /// The first failure: undefined behaviour, an unsupported feature, or no fuel left. Execution ended there.
    pub failure: Option<KernelFailure>,
    /// Data races on plain accesses.
    pub races: Vec<Race>,
    /// Instructions executed by all work-items together.
    pub executed: u64,
    /// The largest number of loop iterations of one work-item, over all its loops: some drivers limit it.
    pub loop_iterations: u64,
}

/// Runs a kernel of the input, before any pass.
///
/// # Errors
/// The launch does not fit the kernel.
pub fn interpret(module: &Module, launch: &Launch, options: InterpreterOptions) -> Result<Interpretation, RunError> {
    interpret_reporting(module, launch, options, &mut |_, _| {})
}

/// As [`interpret`]; after each work-group, `progress` gets the number of finished work-groups and of all.
///
/// # Errors
/// The launch does not fit the kernel.
pub fn interpret_reporting(
    module: &Module,
    launch: &Launch,
    options: InterpreterOptions,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Interpretation, RunError> {
    prepare(module, launch, options)?.run(module, Watcher::Progress(progress))
}

/// Runs a compiled kernel, bound to its interface as a driver would.
///
/// # Errors
/// The launch does not fit the kernel.
pub fn interpret_compiled(
    module: &Module,
    reflection: &Reflection,
    launch: &Launch,
    options: InterpreterOptions,
) -> Result<Interpretation, RunError> {
    interpret_compiled_reporting(module, reflection, launch, options, &mut |_, _| {})
}

/// As [`interpret_compiled`]; after each work-group, `progress` gets the number of finished work-groups and of all.
///
/// # Errors
/// The launch does not fit the kernel.
pub fn interpret_compiled_reporting(
    module: &Module,
    reflection: &Reflection,
    launch: &Launch,
    options: InterpreterOptions,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Interpretation, RunError> {
    prepare_compiled(module, reflection, launch, options)?.run(module, Watcher::Progress(progress))
}

/// As [`interpret`], with an observer, which may end the launch early. With a reflection the kernel is run as [`interpret_compiled`] does.
///
/// # Errors
/// The launch does not fit the kernel.
pub fn interpret_observed(
    module: &Module,
    reflection: Option<&Reflection>,
    launch: &Launch,
    options: InterpreterOptions,
    observer: &mut dyn Observer,
) -> Result<Interpretation, RunError> {
    let prepared = match reflection {
        None => prepare(module, launch, options)?,
        Some(reflection) => prepare_compiled(module, reflection, launch, options)?,
    };
    prepared.run(module, Watcher::Observer(observer))
}

/// A launch in the terms of the interpreter.
struct Prepared {
    function: Function,
    launch: KernelLaunch,
    /// The sizes of the buffers of the launch, which come first.
    sizes: Vec<usize>,
    /// Where a compiled kernel prints.
    prints_to: Option<PrintsTo>,
}

/// Where a compiled kernel prints.
struct PrintsTo {
    printf: Printf,
    /// The index of the buffer with the program data.
    buffer: usize,
}

/// The observer of a launch.
enum Watcher<'a> {
    /// Gets the number of finished work-groups and of all.
    Progress(&'a mut dyn FnMut(u32, u32)),
    Observer(&'a mut dyn Observer),
}

fn prepare(module: &Module, launch: &Launch, options: InterpreterOptions) -> Result<Prepared, RunError> {
    for (index, argument) in launch.arguments.iter().enumerate() {
        let checked = match argument {
            &Argument::Local(bytes) => {
                LocalArgument::require_bytes(bytes).map(|_| ()).map_err(|error| error.to_string())
            }
            Argument::Image(image) => image.check(),
            Argument::Sampler(sampler) => sampler.check(),
            Argument::Buffer(_) | Argument::Value(_) => Ok(()),
        };
        checked.map_err(|message| RunError::launch(format!("argument {index}: {message}")))?;
    }
    let function = find_entry_point(module, launch.kernel.as_deref())?;
    let size = range_with_rest(launch, required_size(module, function))?;
    let mut next_buffer = 0;
    let arguments = launch.arguments.iter().map(|argument| {
        let buffer = next_buffer;
        next_buffer += usize::from(argument.buffer().is_some());
        match argument {
            Argument::Buffer(_) => Ok(KernelArgument::Buffer { index: buffer, offset: 0 }),
            Argument::Value(value) => Ok(KernelArgument::Bytes(value.bytes.clone())),
            Argument::Local(bytes) => Ok(KernelArgument::Local { bytes: *bytes }),
            Argument::Image(image) => {
                let shape = image.shape().map_err(RunError::launch)?;
                let [width, height, depth, row_pitch, slice_pitch] = shape;
                let image = KernelImage {
                    order: image.format.order as u32,
                    data_type: image.format.data_type as u32,
                    size: [width, height, depth],
                    row_pitch,
                    slice_pitch,
                };
                Ok(KernelArgument::Image { buffer, image })
            }
            Argument::Sampler(sampler) => Ok(KernelArgument::Sampler(sampler.bits())),
        }
    });
    let arguments = arguments.collect::<Result<Vec<_>, RunError>>()?;
    let kernel_launch = KernelLaunch {
        groups: size.groups,
        local: size.local,
        global: Some(launch.global),
        undefined: UndefinedValues::Report,
        offset: launch.offset,
        work_dim: launch.dimensions,
        arguments,
        buffers: launch.buffers()?,
        ..base(options)
    };
    let sizes = kernel_launch.buffers.iter().map(Vec::len).collect();
    Ok(Prepared { function, launch: kernel_launch, sizes, prints_to: None })
}

fn prepare_compiled(
    module: &Module,
    reflection: &Reflection,
    launch: &Launch,
    options: InterpreterOptions,
) -> Result<Prepared, RunError> {
    let Binding { entry_point, size, push_constants, buffers, descriptors, program_data, specialization, .. } =
        bind(launch, reflection)?;
    let function = find_entry_point(module, Some(&entry_point))?;
    let holders = std::iter::once((Holder::PushConstants, &push_constants));
    let holders = holders.chain(buffers.iter().enumerate().map(|(index, buffer)| (Holder::Buffer(index), buffer)));
    let addresses = holders.flat_map(|(holder, contents)| {
        contents.addresses.iter().map(move |address| BufferAddress {
            holder,
            at: address.at,
            buffer: address.buffer,
            offset: address.target,
        })
    });
    let kernel_launch = KernelLaunch {
        groups: size.groups,
        local: size.local,
        addresses: addresses.collect(),
        specialization: specialization.into_iter().map(|(id, value)| (id, u64::from(value))).collect(),
        push_constants: push_constants.bytes,
        buffers: buffers.into_iter().map(|buffer| buffer.bytes).collect(),
        bindings: descriptors
            .iter()
            .map(|one| BoundBuffer { set: one.set, binding: one.binding, buffer: one.buffer })
            .collect(),
        ..base(options)
    };
    let sizes = launch.buffers()?.iter().map(Vec::len).collect();
    let printf = reflection.program_data.as_ref().and_then(|data| data.printf.clone());
    let prints_to = program_data.zip(printf).map(|(buffer, printf)| PrintsTo { printf, buffer });
    Ok(Prepared { function, launch: kernel_launch, sizes, prints_to })
}

fn base(options: InterpreterOptions) -> KernelLaunch {
    let InterpreterOptions { subgroup_size, fuel, races, printed_limit } = options;
    KernelLaunch { subgroup_size, fuel, races, printed_limit, ..KernelLaunch::default() }
}

impl Prepared {
    fn run(&self, module: &Module, watcher: Watcher<'_>) -> Result<Interpretation, RunError> {
        let (interpreter, function, launch) = (Interpreter::new(module), self.function, &self.launch);
        let outcome = match watcher {
            Watcher::Progress(progress) => interpreter.launch_kernel_reporting(function, launch, progress)?,
            Watcher::Observer(observer) => interpreter.launch_kernel_observed(function, launch, observer)?,
        };
        let KernelOutcome { buffers, failure, races, undefined, printed, lost, executed, loop_iterations, .. } =
            outcome;
        let printed = match &self.prints_to {
            None => PrintedOutput::of_lanes(printed, lost),
            Some(PrintsTo { printf, buffer }) => PrintedOutput::of_records(printf, &buffers[*buffer].bytes),
        };
        // Bindings are whole words.
        let cut = |(Buffer { mut bytes, mut defined }, &size): (Buffer, &usize)| {
            bytes.truncate(size);
            defined.truncate(size);
            (bytes, defined)
        };
        let (buffers, defined) = buffers.into_iter().zip(&self.sizes).map(cut).unzip();
        Ok(Interpretation { buffers, defined, undefined, printed, failure, races, executed, loop_iterations })
    }
}

/// The function of the entry point of that name, or of the only one.
pub(super) fn find_entry_point(module: &Module, name: Option<&str>) -> Result<Function, RunError> {
    let names: Vec<String> = entry_points(module).map(|entry| entry.name.to_string()).collect();
    let name = match (name, names.as_slice()) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, []) => return Err(RunError::no_kernel("the module has no OpenCL kernel")),
        (None, _) => {
            let message = format!("the module has several kernels: {}; choose one with --kernel", names.join(", "));
            return Err(RunError::launch(message));
        }
    };
    reconverge_codegen::find_entry_point(module, name).map_err(|error| RunError::launch(error.message))
}
