//! `reconverge report`: one HTML page that shows what every pass made of a module.

use std::path::PathBuf;

use reconverge::codegen::BackEnd;
use reconverge::ir::Module;
use reconverge::opencl::KernelOptions;
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Error, Run, Step, Target};
use reconverge_run::{Launch, RunError, check_arguments};
use serde_json::json;

use crate::compile::{level_parser, target_parser};
use crate::crash::{Trace, contained};
use crate::diagnostics::{Diagnostic, Reporter};
use crate::exit::{Exit, legend};
use crate::findings;
use crate::format_options::ReadFlags;
use crate::input::{Input, merges_of};
use crate::lanes::GivenLaunch;
use crate::link::read_linked;
use crate::machine::{self, Code, Inspected, NoCode};
use crate::messages::Messages;
use crate::needs::{Flag, Need, require};
use crate::output::{self, Output};
use crate::output_format::OutputFormat;
use crate::pictures_of::pictures_of;
use crate::recording::{Ended, Recording, in_format_of, unknown_form};
use crate::run::{not_a_kernel, read_launch};
use crate::source::{InputKind, Reading, SourceFlags, StageFlags, kind_parser};
use crate::structurizing::Structurizing;

const EXAMPLES: &str = "Examples:
  reconverge report kernel.cl -g -o kernel.html
  reconverge report shader.wgsl -O0 -o shader.html --emit shader.json
  reconverge report kernel.spv -o kernel.html --launch kernel.json
  reconverge compile kernel.spv -o out.spv --report kernel.html";

/// Show what every pass does to a module, as one HTML page
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}", legend()))]
pub(crate) struct Arguments {
    /// Input: a module or a source, as a file, or - for stdin; several are linked first
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// The page, or - for stdout; with .json the same as data (docs/report.md)
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,
    /// Write the data of the page too, as JSON
    #[arg(long, value_name = "FILE.json")]
    emit: Option<PathBuf>,
    /// Launch of an OpenCL kernel whose lanes are shown (docs/launch.md); by default, one is generated
    #[arg(long, value_name = "FILE.json")]
    launch: Option<PathBuf>,
    /// Format or source language of the input; the default depends on the extension
    #[arg(long, value_name = "FORMAT", value_parser = kind_parser())]
    from: Option<InputKind>,
    /// Optimization level: 0 (structurize only), 1 (speed), s (size)
    #[arg(short = 'O', value_name = "LEVEL", value_parser = level_parser(), default_value = Level::Speed.name(), overrides_with = "level")]
    level: Level,
    /// Remove the merge instructions of the input and structurize it again
    #[arg(long)]
    strip_merges: bool,
    /// Target environment, as for `compile`
    #[arg(long, value_name = "TARGET", value_parser = target_parser(), default_value = Target::VULKAN.name())]
    target: Target,
    /// Keep this kernel and remove the others; may be repeated
    #[arg(long, value_name = "NAME")]
    kernel: Vec<String>,
    #[command(flatten)]
    machine: machine::Flags,
    #[command(flatten)]
    structurizing: Structurizing,
    #[command(flatten)]
    source: SourceFlags,
    #[command(flatten)]
    stage: StageFlags,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    messages: Messages,
}

/// What the flags need, and what they exclude.
const FLAGS: &[Flag<Arguments>] = &[
    Flag::always(&[Need::of(|given, _, _| given.structurizing.unmet_need())]),
    Flag::new("--strip-merges", |given| given.strip_merges, &[NO_ASSUMED_MERGES]),
    Flag::new("--local-size", |given| !given.machine.local_size.is_empty(), &[MACHINE_CODE]),
    Flag::new("--local-memory", |given| !given.machine.local_memory.is_empty(), &[MACHINE_CODE]),
    Flag::always(&[Need::of(|given, _, _| unknown_form(&given.output)), TWO_FILES, NO_INPUT]),
    Flag::always(&[Need::of(|given, _, _| given.reading().unmet_need(&given.inputs, &given.source))]),
];

const NO_ASSUMED_MERGES: Need<Arguments> =
    Need::of(|given, _, flag| given.structurizing.unmet_need_without_merges(flag));

const MACHINE_CODE: Need<Arguments> = Need::of(|given, _, flag| machine::unmet_need(given.target, flag));

const TWO_FILES: Need<Arguments> = Need::of(|given, _, _| {
    let same = given.emit.as_ref().filter(|emit| output::is_same(&given.output, emit))?;
    Some(format!("the page and its data cannot both be written to {}", same.display()))
});

const NO_INPUT: Need<Arguments> = Need::of(|given, _, _| {
    let mut outputs = std::iter::once(&given.output).chain(&given.emit);
    let same = outputs.find(|output| given.inputs.iter().any(|input| output::is_same(output, input)))?;
    Some(format!("the report would overwrite the input {}", same.display()))
});

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    let reporter = arguments.messages.reporter("report");
    require(FLAGS, arguments, None, reporter)?;
    let launch = arguments.launch.as_deref().map(|path| read_launch(path, reporter)).transpose()?;
    let mut input = read_linked(&arguments.inputs, &arguments.reading(), reporter)?;
    arguments.read.apply(&mut input, reporter)?;
    contained(&input, Some(&arguments.output), reporter, |trace| {
        Job { arguments, input: &input, launch, reporter, trace }.write()
    })
}

impl Arguments {
    fn reading(&self) -> Reading {
        self.stage.apply(self.source.reading(self.from))
    }

    fn options(&self) -> CompileOptions {
        CompileOptions::new()
            .strip_merges(self.strip_merges)
            .merges_are_hints(self.structurizing.merges_are_hints())
            .styled(self.structurizing.styled())
            .structurize(self.structurizing.options())
            .level(self.level)
            .target(self.target)
            .kernel(
                self.target
                    .back_end()
                    .map_or_else(KernelOptions::default, BackEnd::kernel_options)
                    .kernels(self.kernel.clone()),
            )
    }
}

/// The machine code of a module, if its target has code, or the reason why there is none.
type Made = Result<Option<Code>, NoCode>;

/// Compiles a module. A kernel becomes machine code if the target has code.
fn compile(
    module: &mut Module,
    options: &CompileOptions,
    machine: &machine::Flags,
    observe: &mut dyn FnMut(&Step, &Module),
) -> (Result<Run, Error>, Made) {
    let mut run = match reconverge::run(module, options, &mut *observe) {
        Ok(run) => run,
        Err(error) => return (Err(error), Ok(None)),
    };
    let inspected = Inspected { options, run: &mut run, observe };
    match machine.compile(module, inspected) {
        Err(NoCode::Pass(error)) => (Err(error), Ok(None)),
        made => (Ok(run), made),
    }
}

/// The writing of one report.
struct Job<'a> {
    arguments: &'a Arguments,
    input: &'a Input,
    launch: Option<Launch>,
    reporter: Reporter,
    trace: &'a Trace,
}

impl Job<'_> {
    fn write(mut self) -> Result<(), Exit> {
        let Job { arguments, input, reporter, trace, .. } = self;
        let mut module = self.read().map_err(|error| findings::refuse(&error, input, None, trace, reporter))?;
        trace.finished("read");
        let launch = self.fitting_launch(&module)?;
        let mut recording = Recording::start(&module, input);
        let options = arguments.options().for_input(input.format);
        let (ran, code) = compile(&mut module, &options, &arguments.machine, &mut |step, module| {
            trace.finished(step.pass);
            recording.step(step, module);
        });
        let made = machine::made(&code);
        let of_code = OutputFormat::of_target(options.target).next();
        let format = of_code.unwrap_or_else(|| OutputFormat::of_module(input.output_format));
        let ended = Ended { ran: ran.as_ref(), module: &module, code: made, launch: launch.as_ref(), format };
        let mut report = recording.finish(&ended);
        report.pictures = launch.iter().flat_map(|given| pictures_of(input, &given.launch)).collect();
        if let Err(NoCode::Usage(reason)) = &code {
            self.tell_no_code(reason);
        }
        let text = in_format_of(&report, &arguments.output);
        let mut outputs = vec![Output { path: &arguments.output, bytes: text.as_bytes() }];
        let data = arguments.emit.as_deref().map(|path| (path, report.json()));
        outputs.extend(data.iter().map(|(path, text)| Output { path, bytes: text.as_bytes() }));
        output::write_or_report(&outputs, reporter)?;
        if let Ok(Run { reflection: None, .. }) = &ran
            && !arguments.kernel.is_empty()
        {
            let message =
                "--kernel chooses among OpenCL kernels that become shaders or machine code, and there are none";
            return Err(reporter.wrong_usage(message.to_owned()));
        }
        // The page shows the failure as well; the exit code is that of a compilation.
        match (ran, code) {
            (Ok(_), Err(NoCode::Refused(error))) => Err(machine::report(&error, input, reporter)),
            (Ok(_), Err(NoCode::Usage(message))) if arguments.machine.is_given() => Err(reporter.wrong_usage(message)),
            (Ok(_), _) => Ok(()),
            (Err(error), _) => Err(findings::refuse(&error, input, Some(&module), trace, reporter)),
        }
    }

    /// Reports why there is no machine code.
    fn tell_no_code(&self, reason: &str) {
        let target = self.arguments.target.name();
        let text = format!("note: the report has no machine code: {reason}");
        self.reporter.remark(&text, &json!({ "kind": "no-code", "target": target, "reason": reason }));
    }

    /// The module. What a translation assumes is reported.
    fn read(&self) -> Result<Module, Error> {
        let read = self.input.read(merges_of(self.arguments.strip_merges))?;
        self.reporter.report(&findings::of_assumptions(&read.assumptions, self.input));
        Ok(read.module)
    }

    /// The launch that was given, checked against its kernel.
    fn fitting_launch(&mut self, module: &Module) -> Result<Option<GivenLaunch>, Exit> {
        let (Some(launch), Some(path)) = (self.launch.take(), &self.arguments.launch) else { return Ok(None) };
        let file = path.display().to_string();
        let fits = match not_a_kernel(module) {
            Some(message) => Err(RunError::no_kernel(message)),
            None => check_arguments(module, &launch),
        };
        match fits {
            Ok(()) => Ok(Some(GivenLaunch { launch, file })),
            Err(error) => {
                let (code, message) = (error.code(), error.to_string());
                self.reporter.report(&[Diagnostic { code, message, file: Some(file), ..Diagnostic::default() }]);
                Err(Exit::Rejected)
            }
        }
    }
}
