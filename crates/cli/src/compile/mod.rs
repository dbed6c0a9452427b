//! `reconverge compile`: reads a module, runs the pipeline, writes the result.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use reconverge::codegen::{BackEnd, CodegenError};
use reconverge::ir::{Module, Stage, text};
use reconverge::opencl::{BufferOffsets, Driver, Fma, GlobalOffset, KernelOptions, LaunchConstant};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Error, Format, OptionValues, Run, Step, Target, Unstructured};
use reconverge_run::launch::{Sampler, format_named};
use serde_json::json;

use self::needs::{Answers, FLAGS};
use self::reports::Around;
use crate::crash::{Trace, contained};
use crate::dependencies::DependencyFlags;
use crate::diagnostics::Reporter;
use crate::exit::{Exit, legend};
use crate::format_options::{ReadFlags, WriteFlags};
use crate::gains::{self, Size};
use crate::help::module_formats;
use crate::input::{Input, merges_of};
use crate::inspection::{ALL, Inspection};
use crate::link::read_linked;
use crate::lowering::{FusedMultiplyAdd, LongIntegers, PointerForm};
use crate::machine::{self, Code, Inspected, NoCode};
use crate::messages::Messages;
use crate::named::Named;
use crate::needs::{described, require};
use crate::output_format::{OutputFormat, output_format_parser};
use crate::recording::Recording;
use crate::source::{InputKind, Reading, SourceFlags, kind_parser};
use crate::structurizing::Structurizing;
use crate::terms::Terms;
use crate::{findings, moves, output, why};

mod keep_going;
mod needs;
mod outputs;
mod reports;
mod separate;

/// The pass that moves instructions between blocks.
const CODE_MOTION: &str = "gcm";

const EXAMPLES: &str = "Examples:
  reconverge compile kernel.cl -o kernel.spv --reflection kernel.json    # clang compiles the source first
  reconverge compile shader.comp -o shader.spv -DSIZE=64 -I include
  reconverge compile shader.spv -o shader.ir                 # the result as text
  reconverge compile shader.spv -o out.spv --why             # what was added and moved, and why
  reconverge compile shader.spv -o out.spv --strip-merges    # structurize again
  reconverge compile kernel.spv -o kernel.qpu --target vc4   # machine code of the VideoCore IV
  reconverge compile shader.spv -o shader.wgsl               # or .glsl, .hlsl, .metal
  reconverge compile shader.dxil -o shader.spv --shift t=100 --shift u=200    # from Direct3D
  reconverge compile kernel.spv library.spv -o kernel.vulkan.spv    # links first
  reconverge compile a.spv b.spv -o folder --separate        # each for itself
  cat shader.spv | reconverge compile - -o - > structured.spv";

/// Structurize and optimize a module; OpenCL kernels become Vulkan compute shaders or machine code
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}\n\n{}", module_formats(), legend()))]
#[command(mut_args = |argument| described(FLAGS, argument))]
pub(crate) struct Arguments {
    /// Input: a module or a source, as a file, or - for stdin; several are linked first
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Output file, or - for stdout
    ///
    /// The file is written whole or not at all.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Compile each input alone, into the folder OUT; --reflection and --report name folders too
    #[arg(long, hide_short_help = true)]
    separate: bool,
    /// Format or source language of the input; the default depends on the extension
    #[arg(long, value_name = "FORMAT", value_parser = kind_parser())]
    from: Option<InputKind>,
    /// Format of the output; the default depends on the extension
    #[arg(long, value_name = "FORMAT", value_parser = output_format_parser())]
    to: Option<OutputFormat>,
    /// Optimization level: 0 (structurize only), 1 (speed), s (size)
    ///
    /// 1 is the highest level: -O, -O2 and -O3 mean -O1. The last one counts.
    #[arg(short = 'O', value_name = "LEVEL", value_parser = level_parser(), default_value = Level::Speed.name(), overrides_with = "level")]
    level: Level,
    /// Remove the merge instructions of the input and structurize it again
    #[arg(long)]
    strip_merges: bool,
    /// Reject a shader whose merge instructions break the rules of SPIR-V, instead of repairing it
    ///
    /// SPIR-V requires that branches nest like if, switch and loops of a source (structured control flow). Without this option, a shader that breaks
    /// a rule is structurized again, and a note names the rule.
    #[arg(long, conflicts_with = "strip_merges")]
    strict: bool,
    /// Target environment: vulkan, cpu, vc4, or input for the environment of the input
    ///
    /// vulkan (1.2): OpenCL kernels become compute shaders. cpu, vc4: a kernel becomes machine code. input: kernels stay kernels.
    #[arg(long, value_name = "TARGET", value_parser = target_parser(), default_value = Target::VULKAN.name())]
    target: Target,
    /// Keep this kernel and remove the others; may be repeated
    #[arg(long, value_name = "NAME")]
    kernel: Vec<String>,
    /// Leave out the kernels that cannot be compiled; the exit code is that of the first of them
    #[arg(long, hide_short_help = true)]
    keep_going: bool,
    /// Support a global offset, which the host passes as push constants (docs/kernel-abi.md)
    #[arg(long, hide_short_help = true)]
    global_offset: bool,
    /// Bytes of the buffer of printf; calls that do not fit print nothing [default: 1048576]
    #[arg(long, hide_short_help = true, value_name = "N")]
    printf_buffer: Option<u32>,
    /// Format of the images that an argument gets, by the number of the argument, as 0=rgba8: the code is for it alone; may be repeated
    #[arg(long, hide_short_help = true, value_name = "ARGUMENT=FORMAT", value_parser = image_format)]
    image_format: Vec<(usize, LaunchConstant)>,
    /// Sampler that an argument gets, by the number of the argument, as 1=repeat,linear: the code is for it alone; may be repeated
    #[arg(long, hide_short_help = true, value_name = "ARGUMENT=WORDS", value_parser = sampler)]
    sampler: Vec<(usize, LaunchConstant)>,
    /// Value of a specialization constant, by its id or its name; may be repeated [default: it stays one, or has its default]
    #[arg(long, hide_short_help = true, value_name = "ID=VALUE")]
    spec: Vec<String>,
    /// Lowering of 64-bit integers
    #[arg(long, value_name = "HOW", value_enum, default_value = "native", hide_short_help = true)]
    int64: LongIntegers,
    /// How the shader gets its buffers: addresses (64-bit numbers), bindings (numbered storage buffers) [default: bindings in a text language, else addresses]
    ///
    /// With `addresses` the host passes the device address of each buffer as a number, which needs the feature bufferDeviceAddress, and pointers may be
    /// stored and converted. With `bindings` the host binds each buffer in a descriptor set, which every device can do, and a pointer stays in its buffer.
    #[arg(long, value_name = "HOW", value_enum, hide_short_help = true)]
    pointers: Option<PointerForm>,
    /// Support offsets of buffer arguments in their bindings (docs/kernel-abi.md)
    #[arg(long, hide_short_help = true)]
    buffer_offsets: bool,
    /// Lowering of fused multiply-add [default: fused with --target cpu, else device]
    ///
    /// This applies to `fma` in the source, and to `a * b + c` if the front end contracted it to an fma.
    #[arg(long, value_name = "HOW", value_enum, hide_short_help = true)]
    fma: Option<FusedMultiplyAdd>,
    /// Driver that will run the output: known bugs of it are worked around
    ///
    /// `any` is for a driver that is not listed, and is right for most: code that only a bug needs makes the output longer and slower. `lavapipe` is Mesa's
    /// driver for the CPU, `swiftshader` Google's.
    #[arg(long, hide_short_help = true, value_name = "DRIVER", value_parser = driver_parser(), default_value = Driver::ANY.name())]
    driver: Driver,
    /// Write a description for the host program (docs/kernel-abi.md, docs/dxil.md)
    #[arg(long, value_name = "FILE.json")]
    reflection: Option<PathBuf>,
    /// Write a page that shows what every pass did; with .json the same as data (docs/report.md)
    ///
    /// It is also written when a pass fails.
    #[arg(long, value_name = "FILE.html", hide_short_help = true)]
    report: Option<PathBuf>,
    /// Print which blocks were added and which instructions moved, with the reasons, and the number of instructions saved
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    source: SourceFlags,
    #[command(flatten)]
    dependencies: DependencyFlags,
    #[command(flatten)]
    written: WriteFlags,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    machine: machine::Flags,
    #[command(flatten)]
    structurizing: Structurizing,
    #[command(flatten)]
    inspection: Inspection,
    #[command(flatten)]
    messages: Messages,
}

impl Arguments {
    /// The format that flags or the extension of the output name.
    fn named_format(&self) -> Option<OutputFormat> {
        self.to.or_else(|| OutputFormat::from_path(&self.output).ok().flatten())
    }

    /// The format of the output.
    fn output_format(&self, input: &Input) -> OutputFormat {
        let code = || OutputFormat::of_target(self.target).next().filter(|_| self.inspection.stop_after.is_none());
        self.named_format().or_else(code).unwrap_or_else(|| OutputFormat::of_module(input.output_format))
    }

    /// Returns the options with which the inputs are read.
    fn reading(&self) -> Reading {
        let reading = self.written.apply(self.source.reading(self.from)).with_dependencies(&self.dependencies);
        if is_shading_language(self.named_format()) { reading.with_other_use() } else { reading }
    }

    /// The options that lower kernels, for an output in a format.
    fn kernel_options(&self, format: Option<OutputFormat>) -> KernelOptions {
        let of_target = self.target.back_end().map_or_else(KernelOptions::default, BackEnd::kernel_options);
        let fma = self.fma.map_or(of_target.fma, Fma::from);
        let printf_buffer =
            self.printf_buffer.filter(|_| of_target.printf_buffer > 0).unwrap_or(of_target.printf_buffer);
        of_target
            .kernels(self.kernel.clone())
            .global_offset(if self.global_offset { GlobalOffset::Passed } else { GlobalOffset::Zero })
            .int64(self.int64.into())
            .pointers(self.pointers_of(format).into())
            .buffer_offsets(if self.buffer_offsets { BufferOffsets::Passed } else { BufferOffsets::Zero })
            .fma(fma)
            .printf_buffer(printf_buffer)
            .launch_constants(self.image_format.iter().chain(&self.sampler).copied().collect())
            .driver(self.driver)
    }

    /// Returns the form of pointers. Most text languages have no addresses, and GLSL needs an extension for them, so in
    /// all of them they are bindings unless the user says otherwise.
    fn pointers_of(&self, format: Option<OutputFormat>) -> PointerForm {
        let is_text = is_shading_language(format);
        let default =
            if is_text && self.target == Target::VULKAN { PointerForm::Bindings } else { PointerForm::Addresses };
        self.pointers.unwrap_or(default)
    }
}

/// The number of an argument, and what is behind it.
fn argument(text: &str) -> Result<(usize, &str), String> {
    let parts = text.split_once('=').ok_or("expected the number of an argument, as in 0=rgba8 or 1=repeat,linear")?;
    let number =
        parts.0.parse().map_err(|_| format!("{} is not the number of an argument, which begins at 0", parts.0))?;
    Ok((number, parts.1))
}

fn image_format(text: &str) -> Result<(usize, LaunchConstant), String> {
    let (number, format) = argument(text)?;
    Ok((number, LaunchConstant::Format(format_named(format)?)))
}

fn sampler(text: &str) -> Result<(usize, LaunchConstant), String> {
    let (number, words) = argument(text)?;
    Ok((number, LaunchConstant::Sampler(Sampler::from_words(words)?.bits())))
}

fn is_shading_language(format: Option<OutputFormat>) -> bool {
    format.and_then(OutputFormat::module_format).is_some_and(Format::is_shading_language)
}

pub(crate) fn target_parser() -> Named<Target> {
    Named::new(|| Target::all().map(Target::name).collect(), Target::from_name).with_summaries(Target::summary)
}

pub(crate) fn level_parser() -> Named<Level> {
    // Levels above the highest one mean the highest one.
    let find = |name: &str| if matches!(name, "2" | "3") { Some(Level::Speed) } else { Level::from_name(name) };
    Named::new(|| vec!["0", "1", "2", "3", "s"], find)
}

fn driver_parser() -> Named<Driver> {
    Named::new(|| Driver::all().map(Driver::name).collect(), Driver::from_name)
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    let reporter = arguments.messages.reporter("compile");
    match arguments.separate {
        true => separate::run(arguments, reporter),
        false => run_one(arguments, reporter),
    }
}

/// Compiles the inputs as one module.
fn run_one(arguments: &Arguments, reporter: Reporter) -> Result<(), Exit> {
    require(FLAGS, arguments, None, reporter)?;
    let mut input = read_linked(&arguments.inputs, &arguments.reading(), reporter)?;
    arguments.read.apply(&mut input, reporter)?;
    input.specialization.clone_from(&arguments.spec);
    let mut options = OptionValues::default();
    if let Some(format) = arguments.output_format(&input).module_format() {
        input.format = input.format.for_output(format);
        // An error in a file of an option is found before the work. The file may be a pipe, so it is read once.
        options = arguments.written.values(format, reporter)?;
    }
    contained(&input, Some(&arguments.output), reporter, |trace| {
        let kernels = arguments.kernel.clone();
        let job = Job { arguments, input: &input, reporter, trace, options, kernels, interface: OnceCell::new() };
        let is_text = job.output_format().is_text;
        match output::binary_for_terminal(&arguments.output).filter(|_| !is_text) {
            Some(message) => Err(reporter.wrong_usage(message)),
            None if arguments.keep_going => job.keep_going(),
            None => job.run(),
        }
    })
}

/// The result of a compilation for its report.
#[derive(Clone, Copy)]
struct Compiled<'a> {
    run: &'a Run,
    /// The machine code, if the target has any, or the reason why there is none.
    code: Result<Option<&'a Code>, &'a CodegenError>,
}

/// The compilation of one module.
struct Job<'a> {
    arguments: &'a Arguments,
    input: &'a Input,
    reporter: Reporter,
    trace: &'a Trace,
    /// The options of the format that is written.
    options: OptionValues,
    /// The kernels to compile; none for all.
    kernels: Vec<String>,
    /// The interface of a shader that was DXIL, as JSON.
    interface: OnceCell<String>,
}

impl Job<'_> {
    fn run(&self) -> Result<(), Exit> {
        let start = Instant::now();
        let mut module = self.read().map_err(|error| self.refuse(&error, None))?;
        self.trace.finished("read");
        let time_read = start.elapsed();
        self.trace.progress().expect(self.expected_steps());
        let start = Instant::now();
        let size_before = Size::of(&module);
        let (mut structurized, mut moves, mut kept) = (None, BTreeMap::new(), Vec::new());
        // The numbers of a source's module are of no use to its author.
        let numbered = if self.input.is_source { 0 } else { module.capacity() };
        let mut recording = self.arguments.report.as_ref().map(|_| Recording::start(&module, self.input));
        let options = self.options();
        let mut observe = |step: &Step, module: &Module| {
            self.observe(step, module, numbered);
            gains::count(&step.moves, &mut moves);
            if step.pass == CODE_MOTION {
                kept.clone_from(&step.kept);
            }
            if let Some(recording) = &mut recording {
                recording.step(step, module);
            }
            if self.arguments.why && step.pass == "structurize" {
                structurized = Some(module.clone());
            }
        };
        let mut run = match reconverge::run(&mut module, &options, &mut observe) {
            Ok(run) => run,
            Err(error) => return Err(self.fail(&error, recording, &module)),
        };
        self.report_findings(&run, &module, &options);
        let lowered = Inspected { options: &options, run: &mut run, observe: &mut observe };
        let code = self.arguments.machine.compile(&mut module, lowered);
        if let Err(NoCode::Pass(error)) = &code {
            return Err(self.fail(error, recording, &module));
        }
        if let Some(recording) = recording {
            self.write_report(recording, Ok(Compiled { run: &run, code: machine::made(&code) }), &module)?;
        }
        let time_run = start.elapsed();
        let start = Instant::now();
        let code = code.map_err(|error| self.refuse_code(error, &module))?;
        let answers = Answers::new(&run, self.interface.get());
        require(FLAGS, self.arguments, Some(&answers), self.reporter)?;
        let time_assemble = code.as_ref().map_or(Duration::ZERO, |code| code.time);
        self.write(&module, &run, code)?;
        let time_write = start.elapsed();
        self.detail_run(&run, &module);
        if self.arguments.why {
            let structurized = structurized.as_ref().unwrap_or(&module);
            moves::explain_kept(&kept, &module, numbered, self.reporter);
            let terms = Terms::new(structurized, numbered);
            why::explain(&run, structurized, &terms, self.arguments.structurizing.policy(), self.reporter);
            self.explain_writing(&module);
            gains::explain(size_before, Size::of(&module), &moves, self.reporter);
        }
        if self.arguments.inspection.time_passes {
            let in_passes: Duration = run.steps.iter().map(|step| step.time).sum();
            let verify = time_run.saturating_sub(in_passes + time_assemble);
            self.report_times(&run, &Around { read: time_read, verify, assemble: time_assemble, write: time_write });
        }
        Ok(())
    }

    /// Ends after a pass that failed: the report shows it too.
    fn fail(&self, error: &Error, recording: Option<Recording>, module: &Module) -> Exit {
        // A report that cannot be written is one more message.
        let _ = recording.map(|recording| self.write_report(recording, Err(error), module));
        self.refuse(error, Some(module))
    }

    /// Reports the error of a kernel without code.
    fn refuse_code(&self, error: NoCode, module: &Module) -> Exit {
        match error {
            NoCode::Usage(message) => self.reporter.wrong_usage(message),
            NoCode::Pass(error) => self.refuse(&error, Some(module)),
            NoCode::Refused(error) => machine::report(&error, self.input, self.reporter),
        }
    }

    fn read(&self) -> Result<Module, Error> {
        let merges = merges_of(self.arguments.strip_merges);
        let (read, misplaced) = match self.arguments.strict {
            true => (self.input.read(merges)?, None),
            false => self.input.read_repaired(merges)?,
        };
        if let Some(error) = misplaced {
            self.reporter.report(&findings::of_left_out_merge(&error, self.input));
        }
        self.reporter.report(&findings::of_assumptions(&read.assumptions, self.input));
        if let Some(interface) = read.interface {
            self.interface.get_or_init(|| interface);
        }
        Ok(read.module)
    }

    /// The approximate number of steps, with reading and writing.
    fn expected_steps(&self) -> usize {
        let stages = [Stage::Graph, Stage::Structured];
        let of_level: usize = stages.map(|stage| self.arguments.level.sequence(stage).count()).iter().sum();
        self.arguments.target.pipeline().count() + of_level + self.arguments.inspection.passes.len() + 2
    }

    fn options(&self) -> CompileOptions {
        let options = CompileOptions::new()
            .strip_merges(self.arguments.strip_merges)
            .merges_are_hints(self.arguments.structurizing.merges_are_hints())
            .styled(self.arguments.structurizing.styled())
            .unstructured(if self.arguments.strict { Unstructured::Refused } else { Unstructured::Repaired })
            .verify_each(self.arguments.inspection.verify_each)
            .stop_after(self.arguments.inspection.stop_after.clone())
            .passes(self.arguments.inspection.passes.clone())
            .bisect_limit(self.arguments.inspection.opt_bisect_limit)
            .structurize(self.arguments.structurizing.options())
            .level(self.arguments.level)
            .target(self.arguments.target)
            .kernel(self.arguments.kernel_options(Some(self.output_format())).kernels(self.kernels.clone()));
        let options = options.for_input(self.input.format);
        match self.output_format().module_format() {
            Some(format) => options.for_output(format),
            None => options,
        }
    }

    /// The format of the output.
    fn output_format(&self) -> OutputFormat {
        self.arguments.output_format(self.input)
    }

    fn observe(&self, step: &Step, module: &Module, numbered: usize) {
        self.trace.finished(step.pass);
        if self.arguments.why && !step.moves.is_empty() {
            moves::explain(&step.moves, module, numbered, self.reporter);
        }
        let inspection = &self.arguments.inspection;
        let is_printed = |name: &String| name == step.pass || (name == ALL && step.functions_changed > 0);
        if inspection.print_after.iter().any(is_printed) {
            let text = text::print(module);
            let object = json!({ "kind": "print", "pass": step.pass, "text": text });
            self.reporter.note(&format!("; after {}\n{text}", step.pass), &object);
        }
        if inspection.crash_after.as_deref() == Some(step.pass) {
            panic!("requested after {}", step.pass);
        }
    }

    fn refuse(&self, error: &Error, module: Option<&Module>) -> Exit {
        findings::refuse(error, self.input, module, self.trace, self.reporter)
    }
}
