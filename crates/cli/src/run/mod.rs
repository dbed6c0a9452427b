//! `reconverge run`: runs a kernel, on the interpreter or on a Vulkan device.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use reconverge::diagnose::Severity;
use reconverge::ir::Module;
use reconverge::launch::{
    Interpretation, InterpreterOptions, Launch, Races, RunError, VulkanOptions, interpret, interpret_compiled,
    iterations_past_limit, options_for, run_on_vulkan,
};
use reconverge::passes::kernel::{Driver, GlobalOffset, KernelOptions, Reflection};
use reconverge::vulkan::{DeviceChoice, Validation, VulkanError};
use reconverge::{CompileOptions, Error, ErrorKind, Format};

use crate::compile::FusedMultiplyAdd;
use crate::crash::{Trace, contained};
use crate::diagnostics::{Diagnostic, ErrorFormat, Reporter};
use crate::exit::{Exit, LEGEND};
use crate::findings;
use crate::input::{Input, format_parser};

mod launch;
mod outcome;

const EXAMPLES: &str = "Examples:
  reconverge run scale.spv --global 64 --arg 'out:f32[64]=lcg(1,100)' --arg f32=0.5
  reconverge run scale.spv --launch scale.json                  # compare with what the launch expects
  reconverge run scale.spv --launch scale.json --on vulkan --device llvmpipe --time
  reconverge run scale.spv --launch scale.json --dump out.bin

How launches and arguments are written: docs/launch.md.";

/// Run an OpenCL kernel and look at what it gives
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{LEGEND}"))]
pub(crate) struct Arguments {
    /// The module with the kernel, as clang made it: a file (.spv, .ir), or - for stdin
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The format of the input, whatever its name says
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    #[command(flatten)]
    launch: launch::Flags,
    #[command(flatten)]
    outcome: outcome::Flags,
    /// What runs the kernel
    #[arg(long, value_name = "ENGINE", value_enum, default_value = "interpreter")]
    on: Engine,
    /// Interpreter: run what the compiler makes of the kernel, bound as a driver would, and not the kernel as it came
    #[arg(long)]
    compiled: bool,
    /// Interpreter: lanes of a subgroup
    #[arg(long, value_name = "N")]
    subgroup_size: Option<u32>,
    /// Interpreter: instructions that each work-item may execute
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
    /// Interpreter: what to do about data races [default: warn]
    #[arg(long, value_name = "HOW", value_enum)]
    races: Option<RacePolicy>,
    /// How `fma` is computed once the kernel is compiled
    #[arg(long, value_name = "HOW", value_enum, default_value = "device")]
    fma: FusedMultiplyAdd,
    /// Vulkan: the device, by its number or a part of its name
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Vulkan: let the validation layer watch
    #[arg(long)]
    validation: bool,
    /// Vulkan: give up after this many seconds [default: 60]
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// Say how long compiling and executing took
    #[arg(long)]
    time: bool,
    /// Whom messages are for
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    error_format: ErrorFormat,
}

/// How long a device may take, in seconds.
const TIMEOUT: u64 = 60;

impl Arguments {
    /// What is wrong with the arguments together: what one engine is told, the other would not hear.
    fn contradiction(&self) -> Option<String> {
        let flags = [
            ("--compiled", self.compiled, Engine::Interpreter),
            ("--subgroup-size", self.subgroup_size.is_some(), Engine::Interpreter),
            ("--fuel", self.fuel.is_some(), Engine::Interpreter),
            ("--races", self.races.is_some(), Engine::Interpreter),
            ("--device", self.device.is_some(), Engine::Vulkan),
            ("--validation", self.validation, Engine::Vulkan),
            ("--timeout", self.timeout.is_some(), Engine::Vulkan),
        ];
        let unheard = flags.into_iter().find(|&(_, is_said, engine)| is_said && engine != self.on);
        if let Some((flag, _, engine)) = unheard {
            let engine = if engine == Engine::Vulkan { "vulkan" } else { "interpreter" };
            return Some(format!("{flag} is for --on {engine}"));
        }
        let is_exact = self.fma != FusedMultiplyAdd::Device;
        (is_exact && self.on == Engine::Interpreter && !self.compiled)
            .then(|| "--fma is for kernels that are compiled: say --compiled or --on vulkan as well".to_owned())
    }
}

/// What runs the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Engine {
    /// The reference: every rule of the language is held
    Interpreter,
    /// A device that the Vulkan loader finds
    Vulkan,
}

/// What to do about data races.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum RacePolicy {
    /// Do not look for them
    Ignore,
    /// Say where they are
    Warn,
    /// Say where they are, and fail
    Deny,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Exit {
    let reporter = Reporter::new(arguments.error_format);
    if let Some(message) = arguments.outcome.contradiction().or_else(|| arguments.contradiction()) {
        return reporter.wrong_usage(message);
    }
    let launch = match arguments.launch.read() {
        Ok(launch) => launch,
        Err(error) => return error.report(reporter),
    };
    if let Some(message) = arguments.outcome.contradiction_with(&launch) {
        return reporter.wrong_usage(message);
    }
    let input = match Input::read_or_report(&arguments.input, arguments.from, reporter) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    contained(&input, None, reporter, |trace| Job { arguments, launch: &launch, input: &input, reporter, trace }.run())
}

/// One launch on its way.
struct Job<'a> {
    arguments: &'a Arguments,
    launch: &'a Launch,
    input: &'a Input,
    reporter: Reporter,
    trace: &'a Trace,
}

/// What an engine gave.
struct Ran {
    buffers: Vec<Vec<u8>>,
    times: Vec<(&'static str, Duration)>,
}

/// A kernel that went through the compiler.
struct Compiled {
    module: Module,
    reflection: Reflection,
    time: Duration,
}

impl Job<'_> {
    fn run(&self) -> Exit {
        let ran = match (self.arguments.on, self.arguments.compiled) {
            (Engine::Interpreter, false) => self.interpret(),
            (Engine::Interpreter, true) => {
                self.compile(KernelOptions::default()).and_then(|compiled| self.interpret_compiled(&compiled))
            }
            (Engine::Vulkan, _) => self.run_on_vulkan(),
        };
        let ran = match ran {
            Ok(ran) => ran,
            Err(exit) => return exit,
        };
        if self.arguments.time {
            ran.times.iter().for_each(|&(step, time)| outcome::report_time(step, time, self.reporter));
        }
        self.arguments.outcome.settle(self.launch, &ran.buffers, self.reporter)
    }

    fn read(&self) -> Result<Module, Exit> {
        let read = reconverge::read(&self.input.bytes, self.input.format, false);
        self.trace.finished("read");
        read.map_err(|error| self.refuse(&error, None))
    }

    fn interpret(&self) -> Result<Ran, Exit> {
        let mut module = self.read()?;
        let repairs = reconverge::repair(&mut module).map_err(|error| self.refuse(&error, Some(&module)))?;
        findings::report_repairs(&repairs, self.input, self.reporter);
        let broken = reconverge::findings(&mut module, self.input.format);
        if !broken.is_empty() {
            return Err(self.refuse(&Error::Invalid(broken), Some(&module)));
        }
        let start = Instant::now();
        let interpretation = interpret(&module, self.launch, self.interpreter_options());
        let time = start.elapsed();
        let interpretation = interpretation.map_err(|error| self.not_run(&error))?;
        outcome::judge(
            &interpretation,
            self.arguments.races == Some(RacePolicy::Deny),
            (&module, self.input),
            self.reporter,
        )?;
        Ok(Ran { buffers: interpretation.buffers, times: vec![("execute", time)] })
    }

    fn interpret_compiled(&self, compiled: &Compiled) -> Result<Ran, Exit> {
        let Compiled { module, reflection, time } = compiled;
        let start = Instant::now();
        let interpretation = interpret_compiled(module, reflection, self.launch, self.interpreter_options());
        let execute = start.elapsed();
        let interpretation = interpretation.map_err(|error| self.not_run(&error))?;
        self.count(&interpretation);
        outcome::judge(
            &interpretation,
            self.arguments.races == Some(RacePolicy::Deny),
            (module, self.input),
            self.reporter,
        )?;
        Ok(Ran { buffers: interpretation.buffers, times: vec![("compile", *time), ("execute", execute)] })
    }

    /// With the times, what a slow machine does not change.
    fn count(&self, interpretation: &Interpretation) {
        if self.arguments.time {
            outcome::report_counts(interpretation, self.reporter);
        }
    }

    /// The kernel is compiled for the device that runs it.
    fn run_on_vulkan(&self) -> Result<Ran, Exit> {
        let options = options_for(&self.vulkan_options()).map_err(|error| self.not_run(&error))?;
        let compiled = self.compile(options)?;
        let bytes = reconverge::write(&compiled.module, Format::Spirv);
        let bytes = bytes.map_err(|error| self.refuse(&error, Some(&compiled.module)))?;
        let ran = run_on_vulkan(&bytes, &compiled.reflection, self.launch, &self.vulkan_options());
        let ran = ran.map_err(|error| self.not_run(&error))?;
        self.warn_of_limit(&compiled, &ran.device);
        let times = vec![("compile", compiled.time), ("driver", ran.compile), ("execute", ran.execute)];
        Ok(Ran { buffers: ran.buffers, times })
    }

    /// Says if the device ended loops before they were done, which it does without a word.
    fn warn_of_limit(&self, compiled: &Compiled, device: &str) {
        let driver = Driver::of_device(device);
        let past = iterations_past_limit(&compiled.module, &compiled.reflection, self.launch, driver);
        let (Some(taken), Some(limit)) = (past, driver.iteration_limit()) else { return };
        let message = format!(
            "a work-item goes round its loops {taken} times or more, and {device} ends every loop after {limit}: the result is wrong"
        );
        let suggestion = Some("let each work-item do less, or run the kernel on another device".to_owned());
        let (severity, code) = (Severity::Warning, "run-limit".to_owned());
        self.reporter.report(&[Diagnostic { severity, code, message, suggestion, ..Diagnostic::default() }]);
    }

    fn vulkan_options(&self) -> VulkanOptions {
        VulkanOptions {
            device: self.device(),
            validation: if self.arguments.validation { Validation::On } else { Validation::Off },
            timeout: Duration::from_secs(self.arguments.timeout.unwrap_or(TIMEOUT)),
        }
    }

    fn compile(&self, options: KernelOptions) -> Result<Compiled, Exit> {
        let mut module = self.read()?;
        let start = Instant::now();
        let global_offset = if self.launch.offset == [0; 3] { GlobalOffset::Zero } else { GlobalOffset::Passed };
        let kernels = self.launch.kernel.iter().cloned().collect();
        let kernel = KernelOptions { kernels, global_offset, fma: self.arguments.fma.into(), ..options };
        let options = CompileOptions { kernel, ..CompileOptions::default() };
        let run = reconverge::run(&mut module, &options, &mut |step, _| self.trace.finished(step.pass));
        let time = start.elapsed();
        match run {
            Err(error) => Err(self.refuse(&error, Some(&module))),
            Ok(run) => {
                findings::report_repairs(&run.repairs, self.input, self.reporter);
                self.reporter.report(&findings::of_barriers(&run, self.input, &module));
                match run.reflection {
                    Some(reflection) => Ok(Compiled { module, reflection, time }),
                    None => Err(self.not_run(&RunError::Launch("the module has no OpenCL kernel".to_owned()))),
                }
            }
        }
    }

    fn interpreter_options(&self) -> InterpreterOptions {
        let races = if self.arguments.races == Some(RacePolicy::Ignore) { Races::Ignore } else { Races::Report };
        let default = InterpreterOptions::default();
        InterpreterOptions {
            subgroup_size: self.arguments.subgroup_size.unwrap_or(default.subgroup_size),
            fuel: self.arguments.fuel.unwrap_or(default.fuel),
            races,
        }
    }

    fn device(&self) -> DeviceChoice {
        match &self.arguments.device {
            None => DeviceChoice::Default,
            Some(device) => device.parse().map_or_else(|_| DeviceChoice::Name(device.clone()), DeviceChoice::Index),
        }
    }

    fn refuse(&self, error: &Error, module: Option<&Module>) -> Exit {
        self.reporter.report(&findings::of_error(error, self.input, module));
        if error.kind() == ErrorKind::Internal {
            self.trace.failed(&error.message());
        }
        error.kind().into()
    }

    fn not_run(&self, error: &RunError) -> Exit {
        let diagnostic =
            Diagnostic { code: error.code().to_owned(), message: error.to_string(), ..Diagnostic::default() };
        self.reporter.report(&[diagnostic]);
        match error {
            RunError::Launch(_) => Exit::Rejected,
            RunError::Vulkan(error) => exit_of(error),
        }
    }
}

/// What a device cannot do is not supported; that there is none, or that it failed, may be different next time.
fn exit_of(error: &VulkanError) -> Exit {
    match error {
        VulkanError::MissingFeature { .. }
        | VulkanError::MissingExtension { .. }
        | VulkanError::OldDevice { .. }
        | VulkanError::OldLoader { .. }
        | VulkanError::NoComputeQueue { .. } => Exit::Unsupported,
        VulkanError::Limit { .. } => Exit::Limit,
        VulkanError::Rejected { .. } | VulkanError::Validation { .. } | VulkanError::BadRequest { .. } => {
            Exit::Rejected
        }
        _ => Exit::Io,
    }
}
