//! `reconverge run`: runs a kernel, on the interpreter, on this CPU or on a Vulkan device.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use self::needs::{OF_ENGINES, OF_INTERPRETER, OF_OUTPUTS};
use reconverge::codegen::{BackEnd, CpuCode, vc4};
use reconverge::ir::{Module, Op};
use reconverge::opencl::{Fma, GlobalOffset, KernelOptions, Pointers, Reflection};
use reconverge::{CompileOptions, Error, Format, Kind, Level, Others, Target};
use reconverge_diagnose::Severity;
use reconverge_qpu_check::disassemble;
use reconverge_run::{
    CpuKernel, CpuOptions, Interpretation, InterpreterOptions, Launch, PrintedOutput, Races, RunError, check_arguments,
    cpu, interpret_compiled_reporting, interpret_reporting, parameter_names, run_on_vc4,
};
use serde_json::json;

use crate::crash::{Trace, contained};
use crate::diagnostics::{Diagnostic, Reporter, io_diagnostic};
use crate::exit::{Exit, legend};
use crate::findings;
use crate::input::Input;
use crate::link::read_linked;
use crate::lowering::{FusedMultiplyAdd, PointerForm};
use crate::messages::Messages;
use crate::needs::{described, require};
use crate::output;
use crate::run::outcome::Results;
use crate::source::{InputKind, Reading, SourceFlags, StageFlags, kind_parser};

pub(crate) mod code;
mod launch;
mod needs;
mod outcome;
#[cfg_attr(not(feature = "vulkan"), path = "without_vulkan.rs")]
mod vulkan;

pub(crate) use launch::read_launch;
pub(crate) use outcome::point_out_text;

const EXAMPLES: &str = "Examples:
  reconverge run scale.cl --global 4 --arg 'out:f32[4]=list(1,2,3,4)' --arg f32=0.5
  reconverge run scale.spv --global 64 --arg 'out:f32[64]=zero' --arg 'in:f32[64]=@input.bin' --json
  reconverge run scale.spv --launch scale.json                  # compare with the expected outputs of the launch
  reconverge run scale.spv --launch scale.json --on vulkan --device llvmpipe --time";

const ARGUMENTS: &str = "Arguments of the kernel, in order:
  --arg 'out:f32[4]=zero'              a buffer whose content is printed at the end
  --arg 'in:f32[4]=list(1,2,3,4)'      a buffer that is only read
  --arg f32=0.5                        a scalar
  --arg hex=0000803f                   any argument by value, as bytes
  --arg local=256                      bytes of local memory
  --arg 'image:rgba8[]=@photo.png'     an image that is read; image:rgba8[8,4]=zero has a size
  --arg 'out:image:rgba8[8,4]=zero'    an image that is printed at the end; --dump FILE.png writes it
  --arg sampler=repeat,linear          a sampler
Types are i8, u8, i16, u16, i32, u32, i64, u64, f16, f32 and f64. Contents are zero, fill(V), list(V,V,...), lcg(SEED,MOD) and @FILE,
which may be an array of NumPy, or a picture for an image. Formats of images and words of samplers are in docs/launch.md.";

/// Run an OpenCL kernel and print or compare its outputs
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ARGUMENTS}"), after_long_help = format!("{EXAMPLES}\n\n{ARGUMENTS}\n\n{}", legend()))]
#[command(mut_args = |argument| needs::TABLES.iter().fold(argument, |argument, rows| described(rows, argument)))]
pub(crate) struct Arguments {
    /// Input with the kernel: a source in OpenCL C or a module, as a file, or - for stdin; several are linked first
    ///
    /// A module is what clang writes, before `compile`.
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Format or source language of the input; the default depends on the extension
    #[arg(long, value_name = "FORMAT", value_parser = kind_parser())]
    from: Option<InputKind>,
    /// Engine that runs the kernel [default: cpu; interpreter if one of its options is given, or if the CPU engine cannot run the kernel]
    #[arg(long, value_name = "ENGINE", value_enum)]
    on: Option<Engine>,
    /// Compile the kernel first and run the result
    #[arg(long, hide_short_help = true)]
    compiled: bool,
    /// Lanes in a subgroup
    #[arg(long, hide_short_help = true, value_name = "N")]
    subgroup_size: Option<u32>,
    /// Limit of instructions per work-item
    #[arg(long, hide_short_help = true, value_name = "N")]
    fuel: Option<u64>,
    /// Bytes of the buffer of printf; calls that do not fit print nothing [default: 1048576]
    #[arg(long, hide_short_help = true, value_name = "N")]
    printf_buffer: Option<u32>,
    /// Value of a specialization constant, by its id or its name; may be repeated [default: its own]
    #[arg(long, hide_short_help = true, value_name = "ID=VALUE")]
    spec: Vec<String>,
    /// Handling of data races [default: warn]
    #[arg(long, hide_short_help = true, value_name = "HOW", value_enum)]
    races: Option<RacePolicy>,
    /// What pointers to global memory become, with --compiled or --on vulkan [default: addresses]
    #[arg(long, hide_short_help = true, value_name = "HOW", value_enum)]
    pointers: Option<PointerForm>,
    /// Lowering of fused multiply-add [default: fused with --on cpu, else device]
    #[arg(long, hide_short_help = true, value_name = "HOW", value_enum)]
    fma: Option<FusedMultiplyAdd>,
    /// Lanes of a vector register, 1, 8 or 16 [default: as the launch chooses]
    #[arg(long, hide_short_help = true, value_name = "N")]
    width: Option<u32>,
    /// Vectors of a value, 1, 2 or 4 [default: as the launch chooses]
    #[arg(long, hide_short_help = true, value_name = "N")]
    vectors: Option<u32>,
    /// Threads that work on the launch [default: 1]
    #[arg(long, hide_short_help = true, value_name = "N")]
    threads: Option<usize>,
    /// Check every access to memory before it is made; slower, and reports are exact
    #[arg(long)]
    checked: bool,
    /// Print the form of the kernel that was chosen, and why
    #[arg(long, hide_short_help = true)]
    why: bool,
    /// Write the machine code as text to this file, or - for stdout, before it runs
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    assembly: Option<PathBuf>,
    /// Device, by number or part of its name
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Enable the validation layer
    #[arg(long, hide_short_help = true)]
    validation: bool,
    /// Time limit in seconds [default: 60]
    #[arg(long, hide_short_help = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Print the time of compilation and execution
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    launch: launch::Flags,
    #[command(flatten)]
    outcome: outcome::Flags,
    #[command(flatten)]
    source: SourceFlags,
    #[command(flatten)]
    stage: StageFlags,
    #[command(flatten)]
    messages: Messages,
}

/// The time limit of a launch, in seconds.
const TIMEOUT: u64 = 60;

impl Arguments {
    /// The time limit of the launch.
    fn time_limit(&self) -> Duration {
        Duration::from_secs(self.timeout.unwrap_or(TIMEOUT))
    }

    /// The engine that is to run the kernel.
    fn engine(&self) -> Engine {
        match self.on {
            Some(engine) => engine,
            None if OF_INTERPRETER.iter().any(|flag| flag.is_given(self)) => Engine::Interpreter,
            None => Engine::Cpu,
        }
    }

    /// Returns the options with which the inputs are read: with source lines where reports are exact.
    fn reading(&self) -> Reading {
        let is_exact = self.checked || self.engine() == Engine::Interpreter;
        let reading = self.stage.apply(self.source.reading(self.from));
        if is_exact { reading.with_lines() } else { reading }
    }
}

/// The engine that runs the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Engine {
    /// The reference interpreter: finds undefined behaviour and data races
    Interpreter,
    /// Machine code of this CPU
    Cpu,
    /// A Vulkan device of this machine
    Vulkan,
    /// The emulator of the VC4: machine code of the first Raspberry Pis
    #[value(alias = "vc4")]
    Vc4Emulator,
}

impl Engine {
    /// The name on the command line.
    fn name(self) -> &'static str {
        match self {
            Engine::Interpreter => "interpreter",
            Engine::Cpu => "cpu",
            Engine::Vulkan => "vulkan",
            Engine::Vc4Emulator => "vc4-emulator",
        }
    }

    /// The back end whose code it runs.
    fn back_end(self) -> Option<BackEnd> {
        match self {
            Engine::Interpreter | Engine::Vulkan => None,
            Engine::Cpu => Some(BackEnd::CPU),
            Engine::Vc4Emulator => Some(BackEnd::VC4),
        }
    }
}

/// The treatment of data races.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum RacePolicy {
    /// Do not check for data races
    Ignore,
    /// Report them
    Warn,
    /// Report them and fail
    Deny,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    let reporter = arguments.messages.reporter("run");
    needs::TABLES.iter().try_for_each(|rows| require(rows, arguments, None, reporter))?;
    let launch = arguments.launch.read(reporter)?;
    require(OF_OUTPUTS, arguments, Some(&launch), reporter)?;
    let mut input = read_linked(&arguments.inputs, &arguments.reading(), reporter)?;
    input.specialization.clone_from(&arguments.spec);
    input.others = Others::Fixed;
    contained(&input, None, reporter, |trace| Job { arguments, launch, input: &input, reporter, trace }.run())
}

/// The execution of one launch.
struct Job<'a> {
    arguments: &'a Arguments,
    launch: Launch,
    input: &'a Input,
    reporter: Reporter,
    trace: &'a Trace,
}

/// The result of an engine.
struct Ran {
    results: Results,
    times: Vec<(&'static str, Duration)>,
    /// The exit code after the outputs.
    exit: Exit,
}

impl Ran {
    /// A launch that an engine which reports nothing has finished.
    fn finished(buffers: Vec<Vec<u8>>, printed: PrintedOutput, times: Vec<(&'static str, Duration)>) -> Ran {
        Ran { results: Results { buffers, printed, ..Results::default() }, times, exit: Exit::Done }
    }
}

/// A compiled kernel.
struct Compiled {
    module: Module,
    reflection: Reflection,
    time: Duration,
}

/// The reason why a kernel did not run, or did not finish.
enum Refused {
    /// It is not compiled.
    Compilation { error: Box<Error>, module: Box<Module> },
    /// It is compiled, and not launched or not finished.
    Launch(RunError),
    /// Its machine code could not be written, which is reported.
    Output(Exit),
}

impl Refused {
    fn is_unsupported(&self) -> bool {
        match self {
            Refused::Compilation { error, .. } => error.kind() == Kind::Unsupported,
            Refused::Launch(error) => error.is(CpuCode::Unsupported),
            Refused::Output(_) => false,
        }
    }

    fn message(&self) -> String {
        match self {
            Refused::Compilation { error, .. } => error.message(),
            Refused::Launch(error) => error.to_string(),
            Refused::Output(_) => String::new(),
        }
    }
}

impl Job<'_> {
    fn run(mut self) -> Result<(), Exit> {
        let module = self.fitting_module()?;
        let ran = match (self.arguments.engine(), self.arguments.compiled) {
            (Engine::Interpreter, false) => self.interpret(module),
            (Engine::Interpreter, true) => {
                let compiled = self.compile(module, KernelOptions::default()).map_err(|refused| self.explain(refused));
                compiled.and_then(|compiled| self.interpret_compiled(&compiled))
            }
            (Engine::Cpu, _) => self.run_on_cpu_or_interpreter(module),
            (Engine::Vulkan, _) => self.run_on_vulkan(module),
            (Engine::Vc4Emulator, _) => self.run_on_vc4(module),
        }?;
        if self.arguments.time {
            ran.times.iter().for_each(|&(step, time)| outcome::report_time(step, time, self.reporter));
        }
        self.arguments.outcome.settle(&self.launch, &ran.results, self.reporter)?;
        ran.exit.result()
    }

    /// The module, after the launch is checked against its kernel; buffers have the names of the kernel's parameters.
    fn fitting_module(&mut self) -> Result<Module, Exit> {
        let module = self.read()?;
        if let Some(message) = not_a_kernel(&module) {
            return Err(self.not_run(&RunError::no_kernel(message)));
        }
        check_arguments(&module, &self.launch).map_err(|error| self.not_run(&error))?;
        let names = parameter_names(&module, &self.launch).map_err(|error| self.not_run(&error))?;
        self.launch.name_buffers(names);
        Ok(module)
    }

    fn read(&self) -> Result<Module, Exit> {
        // A shader of Direct3D is refused before its bindings are read.
        if self.input.format == Format::DXIL {
            return Err(self.not_run(&RunError::no_kernel(SHADER)));
        }
        let read = self.input.module();
        self.trace.finished("read");
        read.map_err(|error| self.refuse(&error, None))
    }

    fn interpret(&self, mut module: Module) -> Result<Ran, Exit> {
        let repairs = reconverge::repair(&mut module).map_err(|error| self.refuse(&error, Some(&module)))?;
        findings::report_repairs(&repairs, self.input, self.reporter);
        let broken = reconverge::findings(&mut module, self.input.format);
        if !broken.is_empty() {
            return Err(self.refuse(&Error::Invalid(broken), Some(&module)));
        }
        reconverge::require_no_generics(&module).map_err(|error| self.refuse(&error, Some(&module)))?;
        let start = Instant::now();
        let interpretation =
            interpret_reporting(&module, &self.launch, self.interpreter_options(), &mut self.show_groups());
        let time = start.elapsed();
        let interpretation = interpretation.map_err(|error| self.not_run(&error))?;
        self.judged(interpretation, &module, vec![("execute", time)])
    }

    /// Shows how many work-groups have run.
    fn show_groups(&self) -> impl FnMut(u32, u32) {
        self.trace.progress().at("executing");
        |done, all| self.trace.progress().parts("work-groups", done, all)
    }

    fn interpret_compiled(&self, compiled: &Compiled) -> Result<Ran, Exit> {
        let Compiled { module, reflection, time } = compiled;
        let start = Instant::now();
        let interpretation = interpret_compiled_reporting(
            module,
            reflection,
            &self.launch,
            self.interpreter_options(),
            &mut self.show_groups(),
        );
        let execute = start.elapsed();
        let interpretation = interpretation.map_err(|error| self.not_run(&error))?;
        self.count(&interpretation);
        self.judged(interpretation, module, vec![("compile", *time), ("execute", execute)])
    }

    /// Reports what the interpreter found.
    fn judged(
        &self,
        interpretation: Interpretation,
        module: &Module,
        times: Vec<(&'static str, Duration)>,
    ) -> Result<Ran, Exit> {
        let severity = match self.arguments.races {
            Some(RacePolicy::Deny) => Severity::Error,
            _ => Severity::Warning,
        };
        let exit = outcome::judge(&interpretation, severity, module, self.input, self.reporter);
        let Interpretation { buffers, defined, printed, .. } = interpretation;
        let results = Results { buffers, defined, printed };
        match exit {
            Ok(exit) => Ok(Ran { results, times, exit }),
            // What was printed before the launch ended helps to find out why.
            Err(exit) => {
                let _: Result<(), Exit> = self.arguments.outcome.show_printed(&results);
                Err(exit)
            }
        }
    }

    /// Prints counts, which do not depend on the speed of the machine, along with the times.
    fn count(&self, interpretation: &Interpretation) {
        if self.arguments.time {
            outcome::report_counts(interpretation, self.reporter);
        }
    }

    /// Runs the kernel on this CPU. If this engine does not support the kernel, and nothing that the user gave is for it alone, the interpreter
    /// runs the kernel.
    fn run_on_cpu_or_interpreter(&self, module: Module) -> Result<Ran, Exit> {
        let mut of_engines = OF_INTERPRETER.iter().chain(OF_ENGINES);
        let is_asked = self.arguments.on.is_some() || of_engines.any(|flag| flag.is_given(self.arguments));
        match self.run_on_cpu(module) {
            Err(refused) if refused.is_unsupported() && !is_asked => {
                let reason = refused.message();
                let text = format!("note: the interpreter runs the kernel: {reason}");
                self.reporter.remark(&text, &json!({ "kind": "engine", "engine": "interpreter", "reason": reason }));
                // The passes have changed the module.
                self.read().and_then(|module| self.interpret(module))
            }
            ran => ran.map_err(|refused| self.explain(refused)),
        }
    }

    fn run_on_cpu(&self, module: Module) -> Result<Ran, Refused> {
        let compiled = self.compile(module, cpu::kernel_options())?;
        let options = CpuOptions {
            width: self.arguments.width,
            vectors: self.arguments.vectors,
            threads: self.arguments.threads.unwrap_or(1),
            is_checked: self.arguments.checked,
            limit: Some(self.arguments.time_limit()),
        };
        let kernel = CpuKernel::compile(&compiled.module, &compiled.reflection, &self.launch, options);
        let kernel = kernel.map_err(Refused::Launch)?;
        self.write_assembly(|| kernel.assembly()).map_err(Refused::Output)?;
        let ran = kernel.launch(&compiled.reflection, &self.launch, options.threads).map_err(Refused::Launch)?;
        if self.arguments.why {
            outcome::report_choice(&ran.choice, self.reporter);
        }
        let execute = ran.end - ran.start;
        let times = vec![("compile", compiled.time), ("machine code", kernel.compile), ("execute", execute)];
        Ok(Ran::finished(ran.buffers, ran.printed, times))
    }

    /// The kernel is compiled for the QPUs of the VC4, and emulated.
    fn run_on_vc4(&self, module: Module) -> Result<Ran, Exit> {
        let compiled = self.compile(module, vc4::kernel_options()).map_err(|refused| self.explain(refused))?;
        let ran = run_on_vc4(&compiled.module, &compiled.reflection, &self.launch);
        let ran = ran.map_err(|error| self.not_run(&error))?;
        self.write_assembly(|| disassemble(&ran.program.words))?;
        if self.arguments.time {
            let text = format!("{} words of code, {} cycles", ran.program.words.len(), ran.report.cycles);
            let counts = json!({ "kind": "vc4", "words": ran.program.words.len(), "cycles": ran.report.cycles });
            self.reporter.remark(&text, &counts);
        }
        let times = vec![("compile", compiled.time), ("machine code", ran.compile), ("execute", ran.execute)];
        Ok(Ran::finished(ran.buffers, PrintedOutput::default(), times))
    }

    /// Writes machine code as text, if a flag requests it.
    fn write_assembly(&self, text: impl FnOnce() -> String) -> Result<(), Exit> {
        let Some(path) = &self.arguments.assembly else { return Ok(()) };
        output::write(path, text().as_bytes()).map_err(|error| {
            let name = path.display().to_string();
            self.reporter.report(&[io_diagnostic("cannot write the machine code", &error, Some(&name))]);
            Exit::Io
        })
    }

    fn compile(&self, mut module: Module, options: KernelOptions) -> Result<Compiled, Refused> {
        let start = Instant::now();
        let global_offset = if self.launch.offset == [0; 3] { GlobalOffset::Zero } else { GlobalOffset::Passed };
        let fma = self.arguments.fma.map_or(options.fma, Fma::from);
        let pointers = self.arguments.pointers.map_or(options.pointers, Pointers::from);
        let kernel =
            options.kernels(self.launch.kernel.clone()).global_offset(global_offset).pointers(pointers).fma(fma);
        let printf_buffer = self.arguments.printf_buffer.filter(|_| kernel.printf_buffer > 0);
        let printf_buffer = printf_buffer.unwrap_or(kernel.printf_buffer);
        let kernel = kernel.printf_buffer(printf_buffer).launch_constants(self.launch.constants());
        let driver = kernel.driver;
        let options = CompileOptions::new().kernel(kernel).level(Level::None);
        let run = reconverge::run(&mut module, &options, &mut |step, _| self.trace.finished(step.pass));
        let time = start.elapsed();
        match run {
            Err(error) => Err(Refused::Compilation { error: Box::new(error), module: Box::new(module) }),
            Ok(run) => {
                findings::report_repairs(&run.repairs, self.input, self.reporter);
                self.reporter.report(&findings::of_barriers(&run, self.input, &module));
                self.reporter.report(&findings::of_uneven_barriers(&module, driver, self.input));
                match run.reflection {
                    Some(reflection) => Ok(Compiled { module, reflection, time }),
                    None => Err(Refused::Launch(RunError::no_kernel("the module has no OpenCL kernel"))),
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
            printed_limit: self.arguments.printf_buffer.map_or(default.printed_limit, |bytes| bytes as usize),
        }
    }

    fn explain(&self, refused: Refused) -> Exit {
        match refused {
            Refused::Compilation { error, module } => self.refuse(&error, Some(&module)),
            Refused::Launch(error) => self.not_run(&error),
            Refused::Output(exit) => exit,
        }
    }

    fn refuse(&self, error: &Error, module: Option<&Module>) -> Exit {
        findings::refuse(error, self.input, module, self.trace, self.reporter)
    }

    fn not_run(&self, error: &RunError) -> Exit {
        let mut diagnostic = Diagnostic { code: error.code(), message: error.to_string(), ..Diagnostic::default() };
        match error {
            RunError::NoCode(error) => outcome::point_out_text(&mut diagnostic, &error.place, self.input),
            RunError::CpuEnded(failure) => {
                outcome::point_out_text(&mut diagnostic, &failure.place, self.input);
                let is_exact = failure.items.is_some_and(|[first, last]| first == last);
                let suggestion = match (is_exact, self.arguments.checked) {
                    (false, false) => {
                        "--checked names the work-item; --on interpreter reports all undefined behaviour and data races"
                    }
                    _ => "--on interpreter reports all undefined behaviour and data races",
                };
                diagnostic.suggestion = Some(suggestion.to_owned());
            }
            RunError::Failed(error) if error.is(reconverge_run::RunCode::Time) => {
                diagnostic.file = Some(self.input.name.clone());
                let suggestion =
                    "--timeout SECONDS raises the limit; --on interpreter --fuel N finds a loop that does not end";
                diagnostic.suggestion = Some(suggestion.to_owned());
            }
            RunError::Failed(_) => {}
        }
        self.reporter.report(&[diagnostic]);
        match error {
            RunError::Failed(error) => match vulkan::exit_of(error.code) {
                Some(exit) => exit,
                None if error.is(reconverge_run::LaunchCode::Launch) && self.arguments.launch.is_stated() => {
                    Exit::Usage
                }
                None => error.kind().into(),
            },
            RunError::NoCode(error) => error.code.kind.into(),
            RunError::CpuEnded(_) => Exit::Rejected,
        }
    }
}

const SHADER: &str = "the module has no OpenCL kernel, it is a shader: `run` takes a `.cl` source, or the module that clang writes of one";

/// The error for a module that has entry points, but no OpenCL kernel.
pub(crate) fn not_a_kernel(module: &Module) -> Option<String> {
    let has_entries = module.globals().any(|inst| module.op(inst) == Op::EntryPoint);
    (has_entries && !Target::VULKAN.lowers_kernels(module)).then(|| SHADER.to_owned())
}
