//! `reconverge compile`: reads a module, runs the pipeline, writes the result.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reconverge::codegen::BackEnd;
use reconverge::ir::text::{self, Printer};
use reconverge::ir::{Function, Module, Stage};
use reconverge::opencl::{BufferOffsets, Driver, Fma, GlobalOffset, Int64, KernelOptions};
use reconverge::pipeline::{self, Level};
use reconverge::{CompileOptions, Error, Format, Kind, Run, Step, Target, Unstructured, reflection_json, strip_lines};
use serde_json::json;

use crate::crash::{Trace, contained};
use crate::dependencies::DependencyFlags;
use crate::diagnostics::{Reporter, io_diagnostic};
use crate::exit::{Exit, LEGEND};
use crate::format_options::{Inputs, ReadFlags, WriteFlags};
use crate::gains::{self, Size};
use crate::input::{Input, merges_of};
use crate::inspection::{ALL, Inspection};
use crate::link::read_linked;
use crate::lowering::{FusedMultiplyAdd, LongIntegers, PointerForm};
use crate::machine::{self, Code, Inspected, NoCode};
use crate::messages::Messages;
use crate::named::Named;
use crate::output::Output;
use crate::output_format::{Contents, OutputFormat, output_format_parser};
use crate::recording::{self, Ended, Recording};
use crate::source::{InputKind, Reading, SourceFlags, kind_parser};
use crate::structurizing::Structurizing;
use crate::{findings, moves, output, why};

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
  cat shader.spv | reconverge compile - -o - > structured.spv";

/// The formats, for the help text.
fn formats() -> String {
    format!(
        "Formats:\n{}The extension determines the format, unless --from or --to is given. Without an extension, the content of the \
         input determines its format, and\nthe output has the format of the input. docs/ir.md describes the forms of the IR.",
        OutputFormat::table()
    )
}

/// Structurize and optimize a module; OpenCL kernels become Vulkan compute shaders
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}\n\n{LEGEND}", formats()))]
pub(crate) struct Arguments {
    /// Input: a module or a source, as a file, or - for stdin; several are linked first
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Output file, or - for stdout
    ///
    /// The file is written whole or not at all.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
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
    /// Reject a shader whose control flow is not structured
    ///
    /// Without this option, such a shader is structurized with its merge instructions as hints, and a note reports this.
    #[arg(long, conflicts_with = "strip_merges")]
    strict: bool,
    /// Target environment: vulkan, cpu, vc4, or input for the environment of the input
    ///
    /// vulkan (1.2): OpenCL kernels become compute shaders. cpu, vc4: a kernel becomes machine code. input: kernels stay kernels.
    #[arg(long, value_name = "TARGET", value_parser = target_parser(), default_value = Target::VULKAN.name())]
    target: Target,
    /// Keep this OpenCL kernel and remove the others; may be repeated
    #[arg(long, value_name = "NAME")]
    kernel: Vec<String>,
    /// Support a global offset, which the host passes as push constants (docs/kernel-abi.md)
    #[arg(long, hide_short_help = true)]
    global_offset: bool,
    /// Lowering of 64-bit integers of OpenCL kernels
    #[arg(long, value_name = "HOW", value_enum, default_value = "native", hide_short_help = true)]
    int64: LongIntegers,
    /// What pointers to global memory become: 64-bit addresses, or bindings of storage buffers [default: bindings in a text language, else addresses]
    #[arg(long, value_name = "HOW", value_enum, hide_short_help = true)]
    pointers: Option<PointerForm>,
    /// With --pointers bindings: support offsets of buffer arguments in their bindings (docs/kernel-abi.md)
    #[arg(long, hide_short_help = true)]
    buffer_offsets: bool,
    /// Lowering of fused multiply-add [default: fused with --target cpu, else device]
    ///
    /// This applies to `fma` in the source, and to `a * b + c` if the front end contracted it to an fma.
    #[arg(long, value_name = "HOW", value_enum, hide_short_help = true)]
    fma: Option<FusedMultiplyAdd>,
    /// Work around the known bugs of this driver; in shaders, values that loops lose
    #[arg(long, hide_short_help = true, value_name = "DRIVER", value_parser = driver_parser(), default_value = Driver::ANY.name())]
    driver: Driver,
    /// Write a description of the kernels for the host program (docs/kernel-abi.md), or of a shader that was DXIL (docs/dxil.md)
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

/// The message if `--stop-after` ends before machine code.
const STOPPED: &str =
    "--stop-after writes the module, and machine code is asked for: use the extension .ir, or --to text";

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

    /// The error if arguments contradict each other.
    fn contradiction(&self) -> Option<String> {
        let inspected = self.inspection.contradiction().or_else(|| self.structurizing.contradiction());
        let unknown = || self.to.is_none().then(|| OutputFormat::from_path(&self.output).err()).flatten();
        let stripped = || self.structurizing.contradiction_with_removed_merges().filter(|_| self.strip_merges);
        let strict = || {
            let is_undone = self.strict && self.structurizing.merges_are_hints();
            is_undone.then(|| {
                "--strict and --assume merges=... exclude each other: the first treats merges as the structure, the second does not".to_owned()
            })
        };
        let format = || self.named_format();
        let not_code = || self.code_contradiction(format());
        let no_reflection = || {
            let is_unheard = self.reflection.is_some() && format().is_some_and(OutputFormat::is_graph);
            is_unheard.then(|| "--reflection describes shaders, and the output is a graph".to_owned())
        };
        let not_limited = || {
            let inspection = &self.inspection;
            let is_unheard = inspection.opt_bisect_limit.is_some() && self.level == Level::None;
            (is_unheard && inspection.passes.is_empty())
                .then(|| "--opt-bisect-limit counts optimization passes, and -O0 without --passes runs none".to_owned())
        };
        let not_of_format = || {
            let is_source = |path: &PathBuf| matches!(self.reading().kind(path), Some(InputKind::Source(_)));
            let inputs = if self.inputs.iter().any(is_source) { Inputs::Sources } else { Inputs::Modules };
            let of_sources = || self.reading().contradiction(&self.inputs, &self.source);
            self.written.contradiction(format(), inputs).or_else(of_sources)
        };
        let not_bound = || {
            let is_vulkan = self.target == Target::VULKAN;
            match self.pointers_of(format()) {
                PointerForm::Addresses if self.buffer_offsets => {
                    Some("--buffer-offsets is for --pointers bindings".to_owned())
                }
                PointerForm::Bindings if !is_vulkan => Some("--pointers bindings is for --target vulkan".to_owned()),
                _ => None,
            }
        };
        let not_for_machines = || {
            let flags = [("--int64", self.int64 != LongIntegers::Native), ("--driver", self.driver != Driver::ANY)];
            let flag = flags.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag));
            let target = self.target.back_end().map(|_| self.target.name())?;
            flag.map(|flag| format!("{flag} is about devices of Vulkan, and --target {target} is another machine"))
        };
        inspected
            .or_else(not_bound)
            .or_else(not_for_machines)
            .or_else(not_limited)
            .or_else(not_of_format)
            .or_else(no_reflection)
            .or_else(not_code)
            .or_else(unknown)
            .or_else(stripped)
            .or_else(strict)
            .or_else(|| self.collision())
            .or_else(|| self.dependencies.contradiction(&self.output, &self.inputs))
    }

    /// Returns the options with which the inputs are read.
    fn reading(&self) -> Reading {
        let reading = self.written.apply(self.source.reading(self.from)).with_dependencies(&self.dependencies);
        if is_shading_language(self.named_format()) { reading.with_other_use() } else { reading }
    }

    /// Returns the form of pointers. A text language has no addresses, so there they are bindings unless the user says otherwise.
    fn pointers_of(&self, format: Option<OutputFormat>) -> PointerForm {
        let is_text = is_shading_language(format);
        let default =
            if is_text && self.target == Target::VULKAN { PointerForm::Bindings } else { PointerForm::Addresses };
        self.pointers.unwrap_or(default)
    }

    /// The error if machine code is requested of another target, or something else of the target that has machine code.
    fn code_contradiction(&self, format: Option<OutputFormat>) -> Option<String> {
        let own: Vec<OutputFormat> = OutputFormat::of_target(self.target).collect();
        if own.is_empty() {
            let of_format = || {
                let format = format?;
                Some((format!("the output {}", format.name), format.code_target()?.name()))
            };
            let of_flag = self.machine.first().map(|flag| (flag.to_owned(), "cpu or --target vc4"));
            return of_flag.or_else(of_format).map(|(what, target)| format!("{what} requires --target {target}"));
        }
        let is_other = format.is_some_and(|format| format.code_target() != Some(self.target));
        let list =
            |prefix: &str| own.iter().map(|format| format!("{prefix}{}", format.name)).collect::<Vec<_>>().join(" or ");
        (is_other && self.inspection.stop_after.is_none()).then(|| {
            let (target, extensions, names) = (self.target.name(), list("."), list("--to "));
            format!("--target {target} writes machine code: use the extension {extensions}, or {names}")
        })
    }

    /// The flags that are given and are for OpenCL kernels compiled for Vulkan.
    fn flags_of_kernels(&self) -> impl Iterator<Item = &'static str> {
        let flags = [
            ("--reflection", self.reflection.is_some()),
            ("--kernel", !self.kernel.is_empty()),
            ("--global-offset", self.global_offset),
            ("--int64", self.int64 != LongIntegers::Native),
            ("--pointers", self.pointers == Some(PointerForm::Bindings)),
            ("--buffer-offsets", self.buffer_offsets),
            ("--fma", self.fma.is_some()),
            ("--driver", self.driver != Driver::ANY),
        ];
        flags.into_iter().filter_map(|(flag, is_said)| is_said.then_some(flag))
    }

    /// The error if the arguments require something that did not happen for this input.
    fn contradiction_with(&self, run: &Run, interface: Option<&String>) -> Option<String> {
        let has_run = |name: &&String| run.steps.iter().any(|step| step.pass == name.as_str());
        let inspection = &self.inspection;
        let mut named = inspection.stop_after.iter().chain(inspection.print_after.iter().filter(|name| *name != ALL));
        if let Some(name) = named.find(|name| !has_run(name)) {
            let why = match inspection.passes.contains(name) && pipeline::lowers_kernels(name) {
                true => "it lowers OpenCL kernels, and none was lowered".to_owned(),
                false if pipeline::leads_to_code(name) => {
                    "it leads to machine code: --target cpu or --target vc4".to_owned()
                }
                false => format!(
                    "neither -O{} nor --target {} nor the input needs it",
                    self.level.name(),
                    self.target.name()
                ),
            };
            return Some(format!("{name} did not run: {why}"));
        }
        let of_code = |name: &&String| pipeline::leads_to_code(name);
        if let Some(name) = inspection.passes.iter().find(of_code).filter(|_| run.reflection.is_some()) {
            return Some(format!(
                "--passes {name} does not know the launches of a kernel: --target cpu --stop-after {name} runs it in its place"
            ));
        }
        let is_limited = inspection.stop_after.is_some() || inspection.opt_bisect_limit.is_some();
        if let Some(name) = inspection.passes.iter().find(|name| !is_limited && !has_run(name)) {
            return Some(format!("{name} did not run: it lowers OpenCL kernels, and none was lowered"));
        }
        if self.strict && run.reflection.is_some() {
            return Some(
                "--strict is for shaders: the control flow of OpenCL kernels is always structurized".to_owned(),
            );
        }
        // A shader that was DXIL is described too, and loops of all shaders may lose values.
        let is_of_shader = |flag: &str| match flag {
            "--reflection" => interface.is_some(),
            "--driver" => has_run(&&"loop_results".to_owned()),
            _ => false,
        };
        let flag = self.flags_of_kernels().find(|&flag| run.reflection.is_none() && !is_of_shader(flag))?;
        let why = if self.target.has_kernel_passes() {
            "the module has no OpenCL kernel".to_owned()
        } else {
            format!("--target {} keeps kernels as they are", self.target.name())
        };
        Some(format!("{flag} is for OpenCL kernels that become shaders, and {why}"))
    }

    /// The error if one output would overwrite the other.
    fn collision(&self) -> Option<String> {
        if let Some(report) = &self.report {
            let others = [Some(&self.output), self.reflection.as_ref()].into_iter().flatten().chain(&self.inputs);
            if let Some(other) = others.into_iter().find(|other| output::is_same(other, report)) {
                return Some(format!("--report would overwrite {}", other.display()));
            }
        }
        let reflection = self.reflection.as_ref()?;
        if let Some(input) = self.inputs.iter().find(|input| output::is_same(input, reflection)) {
            return Some(format!("--reflection would overwrite the input {}", input.display()));
        }
        output::is_same(&self.output, reflection)
            .then(|| format!("the module and its reflection cannot both be written to {}", reflection.display()))
    }
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
pub(crate) fn run(arguments: &Arguments) -> Exit {
    let reporter = arguments.messages.reporter();
    if let Some(message) = arguments.contradiction() {
        return reporter.wrong_usage(message);
    }
    let mut input = match read_linked(&arguments.inputs, &arguments.reading(), reporter) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    if let Err(exit) = arguments.read.apply(&mut input, reporter) {
        return exit;
    }
    if let Some(format) = arguments.output_format(&input).module_format() {
        input.format = input.format.for_output(format);
    }
    contained(&input, Some(&arguments.output), reporter, |trace| {
        let job = Job { arguments, input: &input, reporter, trace, interface: OnceCell::new() };
        let is_text = job.output_format().is_text;
        match output::binary_for_terminal(&arguments.output).filter(|_| !is_text) {
            Some(message) => reporter.wrong_usage(message),
            None => job.run(),
        }
    })
}

/// The result of a compilation for its report.
#[derive(Clone, Copy)]
struct Compiled<'a> {
    run: &'a Run,
    /// The machine code, if the target has any; none if there is none because of an error.
    code: Option<&'a Option<Code>>,
}

/// The times of a compilation beside those of its passes.
struct Around {
    read: Duration,
    verify: Duration,
    /// Selection and assembly; zero for a target without machine code.
    assemble: Duration,
    write: Duration,
}

/// The compilation of one module.
struct Job<'a> {
    arguments: &'a Arguments,
    input: &'a Input,
    reporter: Reporter,
    trace: &'a Trace,
    /// The interface of a shader that was DXIL, as JSON.
    interface: OnceCell<String>,
}

impl Job<'_> {
    fn run(&self) -> Exit {
        let start = Instant::now();
        let mut module = match self.read() {
            Ok(module) => module,
            Err(error) => return self.refuse(&error, None),
        };
        self.trace.finished("read");
        let time_read = start.elapsed();
        self.trace.progress().expect(self.expected_steps());
        let start = Instant::now();
        let size_before = Size::of(&module);
        let (mut structurized, mut moves) = (None, BTreeMap::new());
        let mut recording = self.arguments.report.as_ref().map(|_| Recording::start(&module, self.input));
        let options = self.options();
        let mut observe = |step: &Step, module: &Module| {
            self.observe(step, module);
            gains::count(&step.moves, &mut moves);
            if let Some(recording) = &mut recording {
                recording.step(step, module);
            }
            if self.arguments.why && step.pass == "structurize" {
                structurized = Some(module.clone());
            }
        };
        let mut run = match reconverge::run(&mut module, &options, &mut observe) {
            Ok(run) => run,
            Err(error) => return self.fail(&error, recording, &module),
        };
        self.report_findings(&run, &module, &options);
        let lowered = Inspected { options: &options, run: &mut run, observe: &mut observe };
        let code = self.arguments.machine.compile(&mut module, lowered);
        if let Err(NoCode::Pass(error)) = &code {
            return self.fail(error, recording, &module);
        }
        if let Some(recording) = recording
            && let Err(exit) =
                self.write_report(recording, Ok(Compiled { run: &run, code: code.as_ref().ok() }), &module)
        {
            return exit;
        }
        let time_run = start.elapsed();
        let start = Instant::now();
        let code = match code {
            Ok(code) => code,
            Err(error) => return self.refuse_code(error, &module),
        };
        if let Some(message) = self.arguments.contradiction_with(&run, self.interface.get()) {
            return self.reporter.wrong_usage(message);
        }
        let time_assemble = code.as_ref().map_or(Duration::ZERO, |code| code.time);
        if let Err(exit) = self.write(&module, &run, code) {
            return exit;
        }
        let time_write = start.elapsed();
        self.detail_run(&run, &module);
        if self.arguments.why {
            why::explain(
                &run,
                structurized.as_ref().unwrap_or(&module),
                self.arguments.structurizing.policy(),
                self.reporter,
            );
            gains::explain(size_before, Size::of(&module), &moves, self.reporter);
        }
        if self.arguments.inspection.time_passes {
            let in_passes: Duration = run.steps.iter().map(|step| step.time).sum();
            let verify = time_run.saturating_sub(in_passes + time_assemble);
            self.report_times(&run, &Around { read: time_read, verify, assemble: time_assemble, write: time_write });
        }
        Exit::Done
    }

    /// Reports what the passes found in the input.
    fn report_findings(&self, run: &Run, module: &Module, options: &CompileOptions) {
        findings::report_repairs(&run.repairs, self.input, self.reporter);
        self.tell_repaired(run);
        let library = findings::of_library(run, options.target, self.input, module);
        self.reporter.report(library.as_slice());
        self.tell_bindings(run);
        self.reporter.report(&findings::of_barriers(run, self.input, module));
        self.reporter.report(&findings::of_uneven_barriers(module, options.kernel.driver, self.input));
    }

    /// Ends after a pass that failed: the report shows it too.
    fn fail(&self, error: &Error, recording: Option<Recording>, module: &Module) -> Exit {
        match recording.map(|recording| self.write_report(recording, Err(error), module)) {
            Some(Err(exit)) => exit,
            _ => self.refuse(error, Some(module)),
        }
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

    /// Reports what was done and written, if the reporter is verbose.
    fn detail_run(&self, run: &Run, module: &Module) {
        for step in run.steps.iter().filter(|step| step.functions_changed > 0) {
            let (pass, changed) = (step.pass, step.functions_changed);
            let number = step.optimization.map_or_else(String::new, |number| format!(" (optimization {number})"));
            let text = format!("{pass}{number}: functions changed {changed}");
            let object = json!({
                "kind": "pass", "pass": pass, "optimization": step.optimization, "functions_changed": changed,
            });
            self.reporter.detail(&text, &object);
        }
        let (file, functions) = (self.arguments.output.display().to_string(), module.functions().count());
        let object = json!({ "kind": "written", "file": file, "functions": functions });
        self.reporter.detail(&format!("wrote {file}: functions {functions}"), &object);
    }

    /// Reports the functions that were not structured in the input.
    fn tell_repaired(&self, run: &Run) {
        // The findings are about the module as it was read, which no longer exists.
        if !run.repaired.is_empty()
            && let Ok((origin, _)) = self.input.repaired_module()
        {
            self.reporter.report(&findings::of_repaired(&run.repaired, self.input, &origin));
        }
    }

    /// Reports that pointers of kernels are bindings, if no flag requests it.
    fn tell_bindings(&self, run: &Run) {
        let Some(format) = self.output_format().module_format() else { return };
        let pointers = self.arguments.pointers_of(Some(self.output_format()));
        if run.reflection.is_some() && self.arguments.pointers.is_none() && pointers == PointerForm::Bindings {
            let text = format!(
                "note: pointers of kernels become bindings, as with --pointers bindings: {} has no addresses; --reflection lists the bindings",
                format.title()
            );
            self.reporter
                .remark(&text, &json!({ "kind": "pointers", "pointers": "bindings", "format": format.name() }));
        }
    }

    fn options(&self) -> CompileOptions {
        let global_offset = if self.arguments.global_offset { GlobalOffset::Passed } else { GlobalOffset::Zero };
        let buffer_offsets = if self.arguments.buffer_offsets { BufferOffsets::Passed } else { BufferOffsets::Zero };
        let int64 = match self.arguments.int64 {
            LongIntegers::Native => Int64::Native,
            LongIntegers::Split => Int64::Split,
        };
        let kernels = self.arguments.kernel.clone();
        let kernel = self.arguments.target.back_end().map_or_else(KernelOptions::default, BackEnd::kernel_options);
        let options = CompileOptions {
            strip_merges: self.arguments.strip_merges,
            merges_are_hints: self.arguments.structurizing.merges_are_hints(),
            styled: self.arguments.structurizing.styled(),
            unstructured: if self.arguments.strict { Unstructured::Refused } else { Unstructured::Repaired },
            verify_each: self.arguments.inspection.verify_each,
            stop_after: self.arguments.inspection.stop_after.clone(),
            passes: self.arguments.inspection.passes.clone(),
            bisect_limit: self.arguments.inspection.opt_bisect_limit,
            structurize: self.arguments.structurizing.options(),
            level: self.arguments.level,
            target: self.arguments.target,
            kernel: KernelOptions {
                kernels,
                global_offset,
                int64,
                pointers: self.arguments.pointers_of(Some(self.output_format())).into(),
                buffer_offsets,
                fma: self.arguments.fma.map_or(kernel.fma, Fma::from),
                driver: self.arguments.driver,
                ..kernel
            },
        };
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

    /// Writes the module, and the reflection with it.
    fn write(&self, module: &Module, run: &Run, code: Option<Code>) -> Result<(), Exit> {
        let format = match (self.output_format().contents, code) {
            (Contents::Module(format), _) => format,
            (Contents::Graphs, _) => return self.write_dot(module),
            (Contents::Code { bytes, .. }, Some(code)) => return self.write_code(&code, &bytes(&*code.code)),
            (Contents::Code { .. }, None) => return Err(self.reporter.wrong_usage(STOPPED.to_owned())),
        };
        let module = &*self.without_lines(module);
        let options = self.arguments.written.values(format).map_err(|message| self.reporter.wrong_usage(message))?;
        let written = reconverge::write_with(module, format, &options);
        let asks_for_addresses = format.is_shading_language()
            && run.reflection.is_some()
            && self.arguments.pointers == Some(PointerForm::Addresses);
        let bytes = written.map_err(|error| match asks_for_addresses {
            true => self.reporter.wrong_usage(format!(
                "{} has no addresses, which --pointers addresses asks for: leave it out, or give --pointers bindings",
                format.title()
            )),
            false => self.refuse(&error, Some(module)),
        })?;
        let text = || run.reflection.as_ref().map(reflection_json).or_else(|| self.interface.get().cloned());
        let reflection = self.arguments.reflection.as_deref().and_then(|path| Some((path, text()?)));
        let mut outputs = vec![Output { path: &self.arguments.output, bytes: &bytes }];
        outputs.extend(reflection.iter().map(|(path, text)| Output { path, bytes: text.as_bytes() }));
        self.write_all(&outputs)
    }

    /// The module as it is written. The lines of a source are for messages, unless they are requested.
    fn without_lines<'m>(&self, module: &'m Module) -> Cow<'m, Module> {
        if !self.input.is_source || self.arguments.source.keeps_lines() {
            return Cow::Borrowed(module);
        }
        let mut stripped = module.clone();
        strip_lines(&mut stripped);
        Cow::Owned(stripped)
    }

    /// Writes outputs, and the rule with what they depend on.
    fn write_all(&self, outputs: &[Output<'_>]) -> Result<(), Exit> {
        let rule = self.arguments.dependencies.rule(&self.arguments.output, std::slice::from_ref(self.input));
        let rule = rule.iter().map(|(path, bytes)| Output { path, bytes });
        let outputs: Vec<Output<'_>> = outputs.iter().copied().chain(rule).collect();
        output::write_all(&outputs).map_err(|(index, error)| self.not_written(outputs[index].path, &error))
    }

    /// Writes the report, also of a compilation that failed.
    fn write_report(
        &self,
        recording: Recording,
        ran: Result<Compiled<'_>, &Error>,
        module: &Module,
    ) -> Result<(), Exit> {
        let Some(path) = &self.arguments.report else { return Ok(()) };
        let code = ran.ok().and_then(|compiled| compiled.code?.as_ref());
        let ended = Ended { ran: ran.map(|compiled| compiled.run), module, code, launch: None };
        let mut report = recording.finish(&ended);
        if ran.is_ok() {
            let named = self.arguments.named_format().and_then(OutputFormat::module_format);
            let format = named.unwrap_or(self.input.output_format);
            report.output = match code {
                Some(code) => recording::text(self.output_format().name, &code.code.assembly()),
                None => recording::written(module, format),
            };
        }
        let is_data = path.extension().is_some_and(|extension| extension == "json");
        let text = if is_data { report.json() } else { report.page() };
        output::write(path, text.as_bytes()).map_err(|error| self.not_written(path, &error))
    }

    /// Writes machine code, and its interface with it.
    fn write_code(&self, code: &Code, bytes: &[u8]) -> Result<(), Exit> {
        let mut outputs = vec![Output { path: &self.arguments.output, bytes }];
        let path = self.arguments.reflection.as_deref();
        outputs.extend(path.map(|path| Output { path, bytes: code.interface.as_bytes() }));
        self.write_all(&outputs)
    }

    /// Writes the control flow graphs of the named functions, or of all.
    fn write_dot(&self, module: &Module) -> Result<(), Exit> {
        let printer = Printer::new(module);
        let name = |function: Function| printer.operand_text(function.into());
        let asked = self.arguments.written.all("function");
        let is_called =
            |function: Function, wanted: &str| wanted.trim_start_matches('%') == name(function).trim_start_matches('%');
        let missing = asked.iter().find(|wanted| !module.functions().any(|function| is_called(function, wanted)));
        if let Some(missing) = missing {
            let names = module.functions().map(name).collect::<Vec<_>>().join(", ");
            let message = format!("no function {missing} in the output; there are {names}");
            return Err(self.reporter.wrong_usage(message));
        }
        let is_asked =
            |&function: &Function| asked.is_empty() || asked.iter().any(|wanted| is_called(function, wanted));
        let functions: Vec<Function> = module.functions().filter(is_asked).collect();
        let text = text::dot(module, functions);
        self.write_all(&[Output { path: &self.arguments.output, bytes: text.as_bytes() }])
    }

    fn observe(&self, step: &Step, module: &Module) {
        self.trace.finished(step.pass);
        if self.arguments.why && !step.moves.is_empty() {
            moves::explain(&step.moves, module, self.reporter);
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
        self.reporter.report(&findings::of_error(error, self.input, module));
        if error.kind() == Kind::Internal {
            self.trace.failed(&error.message());
        }
        error.kind().into()
    }

    fn not_written(&self, path: &Path, error: &io::Error) -> Exit {
        if error.kind() != io::ErrorKind::BrokenPipe {
            let name = path.display().to_string();
            self.reporter.report(&[io_diagnostic("cannot write the output", error, Some(&name))]);
        }
        Exit::Io
    }

    fn report_times(&self, run: &Run, around: &Around) {
        let passes = run.steps.iter().map(|step| (step.pass, step.time, Some(step.functions_changed)));
        let in_passes: Duration = run.steps.iter().map(|step| step.time).sum();
        let all = around.read + around.verify + around.assemble + around.write + in_passes;
        let totals = [("all passes", in_passes), ("all", all)].map(|(name, time)| (name, time, None));
        let before = [("read", around.read, None), ("verify", around.verify, None)];
        let assemble = (around.assemble > Duration::ZERO).then_some(("assemble", around.assemble, None));
        let after = assemble.into_iter().chain([("write", around.write, None)]).chain(totals);
        for (name, time, changed) in before.into_iter().chain(passes).chain(after) {
            let note = changed.map_or_else(String::new, |count| format!("  ({count} functions changed)"));
            let text = format!("{:>10.3} ms  {name}{note}", time.as_secs_f64() * 1e3);
            let object = json!({
                "kind": "time", "step": name, "microseconds": u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
                "functions_changed": changed,
            });
            self.reporter.note(&text, &object);
        }
    }
}
