//! Traces of lanes in the states of a module, for the report: the module after each pass is kept, and run after the last pass.
//!
//! ```text
//! kernel:  input ─ lowering passes ─ … ─ output      the same launch, as arguments of the input, then bound as a driver would
//! shader:  input ─ … ─────────────────── output      generated inputs, by the interface
//! ```
//!
//! Only then is it known how kernels are bound. What is kept is limited; the first and the last state always are.

use reconverge::ir::text::Printer;
use reconverge::ir::{Function, Module, view};
use reconverge::opencl::Reflection;
use reconverge_report::lanes::{Ending, LaneLaunch, LaneLimits, LaneRecorder, LaneRun, Lanes, run_function};
use reconverge_run::{End, InterpreterOptions, KernelFailure, Launch, Races, Sample, interpret_observed};
use reconverge_verify::verify;
use spirv::ExecutionModel;

/// Instructions of all kept modules together, beside the first and the last one.
const KEPT: usize = 2_000_000;

/// The states of a module, as passes left them.
#[derive(Default)]
pub(crate) struct LaneStates {
    kept: Vec<State>,
    instructions: usize,
}

/// The module after a pass.
struct State {
    /// The number of the pass.
    pass: usize,
    module: Module,
    /// The reason why it cannot run, if there is one.
    fault: Option<String>,
}

/// A launch that the user gave.
pub(crate) struct GivenLaunch {
    pub(crate) launch: Launch,
    /// The name of its file.
    pub(crate) file: String,
}

impl LaneStates {
    /// Keeps the module after a pass that changed it.
    pub(crate) fn keep(&mut self, pass: usize, module: &Module, instructions: usize) {
        let is_first = self.kept.is_empty();
        if is_first || self.instructions + instructions <= KEPT {
            self.instructions += if is_first { 0 } else { instructions };
            self.push(pass, module);
        }
    }

    /// Keeps the module after the last pass that changed it, if it is not kept yet.
    pub(crate) fn keep_last(&mut self, pass: usize, module: &Module) {
        if self.kept.last().is_none_or(|state| state.pass != pass) {
            self.push(pass, module);
        }
    }

    fn push(&mut self, pass: usize, module: &Module) {
        self.kept.push(State { pass, module: module.clone(), fault: fault(module) });
    }

    /// Runs every state, from the same launches. `passes` is how many passes there are.
    pub(crate) fn run(&self, reflection: Option<&Reflection>, given: Option<&GivenLaunch>, passes: usize) -> Lanes {
        let Some(first) = self.kept.iter().find(|state| state.fault.is_none()) else {
            let fault = self.kept.first().and_then(|state| state.fault.clone());
            return Lanes { absent: fault.unwrap_or_default(), ..Lanes::default() };
        };
        let kernels = kernels(&first.module);
        let mut launches: Vec<LaneLaunch> = match (given, &kernels[..]) {
            (Some(given), _) => vec![self.launch(&given.launch, &format!("--launch {}", given.file), reflection)],
            (None, []) => self.functions(&first.module),
            (None, kernels) => kernels.iter().map(|kernel| self.sample(&first.module, kernel, reflection)).collect(),
        };
        launches.iter_mut().for_each(|launch| launch.finish(passes));
        let absent = if launches.is_empty() { "No function has a body." } else { "" };
        Lanes { absent: absent.to_owned(), launches, ..Lanes::default() }
    }

    /// The entry points, or the functions of a library.
    fn functions(&self, module: &Module) -> Vec<LaneLaunch> {
        let entries = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst));
        let entries = entries.filter_map(|entry| module.cast::<Function>(entry.function));
        let others = module.functions().filter(|&function| module.entry(function).is_some());
        let mut functions: Vec<Function> = Vec::new();
        for function in entries {
            if functions.len() < LaneLimits::LAUNCHES as usize && !functions.contains(&function) {
                functions.push(function);
            }
        }
        if functions.is_empty() {
            functions.extend(others.take(LaneLimits::LAUNCHES as usize));
        }
        let printer = Printer::by_handle(module);
        let launch = |&function: &Function| {
            let name = printer.operand_text(function.into());
            let mut launch = LaneLaunch::new(&name, "generated, small pseudo-random numbers, the same in every state");
            for state in &self.kept {
                launch.add(state.pass, state.run(|module| run_function(module, function)));
            }
            launch
        };
        functions.iter().map(launch).collect()
    }

    /// A kernel that no launch was given for.
    fn sample(&self, module: &Module, kernel: &str, reflection: Option<&Reflection>) -> LaneLaunch {
        match Sample::of_kernel(module, kernel) {
            Ok(sample) => self.launch(&sample.launch, &sample.flags.join(" "), reflection),
            Err(error) => {
                let mut launch = LaneLaunch::new(&function_name(module, Some(kernel)), "");
                launch.add(0, Err(format!("{error}.")));
                launch
            }
        }
    }

    fn launch(&self, launch: &Launch, inputs: &str, reflection: Option<&Reflection>) -> LaneLaunch {
        let last = self.kept.len() - 1;
        let name = function_name(&self.kept[last].module, launch.kernel.as_deref());
        let mut recorded = LaneLaunch::new(&name, inputs);
        for (index, state) in self.kept.iter().enumerate() {
            let is_whole = index == 0 || index == last;
            let interface = if is_whole { KernelInterface::Whole } else { KernelInterface::Between };
            let run = state.run(|module| run_kernel(module, reflection, launch, interface));
            recorded.add(state.pass, run);
        }
        recorded
    }
}

impl State {
    fn run(&self, run: impl FnOnce(&Module) -> Result<LaneRun, String>) -> Result<LaneRun, String> {
        match &self.fault {
            None => run(&self.module),
            Some(fault) => Err(fault.clone()),
        }
    }
}

/// Returns the reason why the interpreter cannot run a module, if there is one.
fn fault(module: &Module) -> Option<String> {
    if module.generic_use().is_some() {
        return Some("Generic code is not run.".to_owned());
    }
    let finding = verify(module).into_iter().next()?;
    Some(format!("The module breaks a rule here, and is not run: {}.", finding.message))
}

/// The names of the OpenCL kernels of a module, as many as are recorded.
fn kernels(module: &Module) -> Vec<String> {
    let entries = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst));
    let kernels = entries.filter(|entry| entry.execution_model == Some(ExecutionModel::Kernel));
    kernels.map(|entry| entry.name.to_string()).take(LaneLimits::LAUNCHES as usize).collect()
}

/// The function of an entry point, in the names of the report; the only one, if none is named.
fn function_name(module: &Module, kernel: Option<&str>) -> String {
    let mut entries = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst));
    let entry = entries.find(|entry| kernel.is_none_or(|name| entry.name == name));
    entry.map_or_else(String::new, |entry| Printer::by_handle(module).operand_text(entry.function))
}

/// The interface of a kernel in a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KernelInterface {
    /// That of the input or of the output.
    Whole,
    /// Neither: passes lower it.
    Between,
}

/// Runs a kernel: with its arguments as long as it has parameters, and bound as a driver would after that. In between a failure says nothing.
fn run_kernel(
    module: &Module,
    reflection: Option<&Reflection>,
    launch: &Launch,
    interface: KernelInterface,
) -> Result<LaneRun, String> {
    let is_kernel = !kernels(module).is_empty();
    let size = launch.local.unwrap_or([64, 1, 1]).iter().fold(1_u64, |size, &axis| size.saturating_mul(axis.into()));
    let options = InterpreterOptions {
        subgroup_size: LaneLimits::LANES as u32,
        fuel: (LaneLimits::INSTRUCTIONS / size.max(1)).max(1),
        races: Races::Ignore,
        ..InterpreterOptions::default()
    };
    let mut recorder = LaneRecorder::new(module);
    let reflection = reflection.filter(|_| !is_kernel);
    let ran = interpret_observed(module, reflection, launch, options, &mut recorder);
    let failure = ran.map_err(|error| format!("It is not run: {error}."))?.failure;
    match failure {
        Some(failure) if interface == KernelInterface::Between => {
            Err(format!("Kernels are being lowered here; it ends early: {failure}."))
        }
        failure => Ok(recorder.finish(|_| failure.as_ref().map(ending).unwrap_or_default())),
    }
}

fn ending(failure: &KernelFailure) -> Ending {
    Ending { text: failure.to_string(), is_limit: matches!(failure.end, End::OutOfFuel(_)) }
}
