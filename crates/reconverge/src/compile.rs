//! Compiles a module: [`read`], [`run`] the pipeline, [`write()`]; [`compile`] does all three.

use std::mem::take;
use std::time::{Duration, Instant};

use reconverge_analysis::{MisalignedBarrier, find_misaligned_barriers};
use reconverge_ir::{Function, Module, Stage, text};
use reconverge_legalize::LegalizeFor;
use reconverge_opencl::{Context, Driver, Reflection, Repair, Repairs};
use reconverge_optimize::{Kept, Move, MoveLog};
use reconverge_restructure::{Options, Structurized, Structurizing};
use reconverge_rewrite::capabilities::declare_integers;
use reconverge_rewrite::debug_values;
use reconverge_rewrite::pass::Pass;
use reconverge_rewrite::session::{Failure, Session};
use reconverge_spirv::Merges;
use reconverge_verify::{Code, Finding, verify, verify_whole};

use crate::format::{Addition, ReadModule, Source, WrittenModule};
use crate::format_options::OptionValues;
use crate::levels;
use crate::nesting;
use crate::pipeline::{self, Level, PipelineStep, REPAIRS, When};
use crate::structure::{self, Styled, Unstructured};
use crate::{CompileOptions, Error, Exits, Format, LimitExceeded};

/// The result of compilation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Output {
    /// The module in the requested format.
    pub bytes: Vec<u8>,
    /// The module itself.
    pub module: Module,
    /// The report of the pipeline.
    pub run: Run,
}

/// The report of the pipeline.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Run {
    /// Functions of a shader that were declared structured but are not, each with the first rule that it breaks. They are structurized from
    /// stage Graph, with their merges as hints. Handles are those of the module as it was read.
    pub repaired: Vec<Finding>,
    /// Functions that were structurized, in order; functions that were already structured are not included.
    pub structurized: Vec<Structurized>,
    /// The passes that ran, in order.
    pub steps: Vec<Step>,
    /// The passes that the options schedule after the repairs of the input, in order. The last ones are those of the back end, which `lower`
    /// runs. Those that are not among the steps come after [`CompileOptions::stop_after`].
    pub due: Vec<&'static str>,
    /// The optimization passes that would follow those without [`CompileOptions::bisect_limit`], in order.
    pub excluded: Vec<&'static str>,
    /// The data that a host program needs, if OpenCL kernels were lowered.
    pub reflection: Option<Reflection>,
    /// The errors and doubtful places that [`repair`] found in the input.
    pub repairs: Vec<Repair>,
    /// Barriers that lanes may reach in different iterations of a loop.
    pub misaligned_barriers: Vec<MisalignedBarrier>,
}

/// One pass that ran.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The pass.
    pub pass: &'static str,
    /// Its index among the optimization passes that are scheduled, from 1, as [`CompileOptions::bisect_limit`] counts them; `None` for a
    /// pass that always runs.
    pub optimization: Option<usize>,
    /// The number of functions that it changed; a pass over the whole module counts as one function.
    pub functions_changed: usize,
    /// Its run time; zero if there is no clock (`wasm32-unknown-unknown`).
    pub time: Duration,
    /// The instructions that it moved to other blocks.
    pub moves: Vec<Move>,
    /// The instructions that it leaves in a loop, although their operands are the same in every iteration.
    pub kept: Vec<Kept>,
}

/// Reads a module.
///
/// # Errors
/// [`Error::Read`], with the place.
pub fn read(bytes: &[u8], format: Format) -> Result<Module, Error> {
    read_source(format, Source::new(bytes)).map(|read| read.module)
}

/// Reads a module with the options of its format. With [`Merges::Strip`] its functions have no structure, unless the module breaks rules: then
/// [`run`] and [`findings`](crate::findings) report them.
///
/// # Errors
/// [`Error::Read`], with the place; [`Error::ForeignOption`] for an option that the format does not have.
pub fn read_source(format: Format, source: Source<'_>) -> Result<ReadModule, Error> {
    format.read(source)
}

/// Reads a module as [`read_source`] does, and ignores merge instructions in places where no stage allows them. Returns the first of these as
/// the error that [`read`] would report.
///
/// # Errors
/// Those of [`read_source`].
pub fn read_repaired(format: Format, source: Source<'_>) -> Result<(ReadModule, Option<Error>), Error> {
    match format.read(source) {
        Err(error) if error.is_of_merges() && source.merges == Merges::Keep => {
            Ok((format.read(Source { merges: Merges::Mend, ..source })?, Some(error)))
        }
        read => Ok((read?, None)),
    }
}

/// Writes a module.
///
/// # Errors
/// [`Error::Write`] if the format cannot express it. SPIR-V has no shader whose control flow is not structured.
pub fn write(module: &Module, format: Format) -> Result<Vec<u8>, Error> {
    write_with(module, format, OptionValues::NONE)
}

/// Writes a module with the options of its format.
///
/// # Errors
/// Those of [`write()`], and [`Error::ForeignOption`] for an option that the format does not have.
pub fn write_with(module: &Module, format: Format, options: &OptionValues) -> Result<Vec<u8>, Error> {
    Ok(write_described(module, format, options)?.bytes)
}

/// Writes a module with the options of its format, and describes what was written: a text in a shading language has an interface.
///
/// # Errors
/// Those of [`write_with`].
pub fn write_described(module: &Module, format: Format, options: &OptionValues) -> Result<WrittenModule, Error> {
    format.require_own(options, format.write_options())?;
    match structure::first_unstructured(module) {
        Some(function) if !format.declares_stages() && !format.is_shading_language() => {
            Err(Error::Write(Error::unstructured(function)))
        }
        _ => format.write(module, options),
    }
}

/// What writing a module adds to what it does, and the cost: in WGSL, values that go through workgroup memory. Costs as much as writing.
///
/// # Errors
/// Those of [`write_with`].
pub fn additions(module: &Module, format: Format, options: &OptionValues) -> Result<Vec<Addition>, Error> {
    format.require_own(options, format.write_options())?;
    format.additions(module, options)
}

/// Reads and verifies a module, as [`findings`](crate::findings) does. Returns all findings, and the module for printing them.
///
/// # Errors
/// Those of [`read`].
pub fn check(bytes: &[u8], format: Format) -> Result<(Module, Vec<Finding>), Error> {
    let mut module = read(bytes, format)?;
    let findings = structure::findings(&mut module, format);
    Ok((module, findings))
}

/// Reads a module, runs the pipeline over it, and writes it.
///
/// # Errors
/// Those of [`read`], [`run`] and [`write()`].
pub fn compile(bytes: &[u8], from: Format, to: Format, options: &CompileOptions) -> Result<Output, Error> {
    let from = from.for_output(to);
    let merges = if options.strip_merges { Merges::Strip } else { Merges::Keep };
    let source = Source { merges, ..Source::new(bytes) };
    let mut module = match options.unstructured {
        Unstructured::Repaired => read_repaired(from, source)?.0.module,
        Unstructured::Refused => read_source(from, source)?.module,
    };
    let run = run(&mut module, &options.clone().for_input(from).for_output(to), &mut |_, _| ())?;
    let bytes = write(&module, to)?;
    Ok(Output { bytes, module, run })
}

/// Runs the pipeline over a module. The module is verified after the repairs of the input and after the last pass. `observe` gets every
/// pass that ran and the module as the pass left it, before it is verified.
///
/// # Errors
/// [`Error::UnknownPass`], with the module unchanged; [`Error::Invalid`] and [`Error::Generic`], with the module unchanged except for
/// stages and repairs; [`Error::Pass`] and [`Error::LimitExceeded`], with the module partly transformed; [`Error::Internal`], with the
/// module as the pass left it, which is a bug of the compiler.
pub fn run(
    module: &mut Module,
    options: &CompileOptions,
    observe: &mut dyn FnMut(&Step, &Module),
) -> Result<Run, Error> {
    let mut named = options.passes.iter().chain(&options.stop_after);
    if let Some(name) = named.find(|name| pipeline::find(name).is_none()) {
        return Err(Error::UnknownPass(name.clone()));
    }
    let (repairs, steps) = repair_by(module, observe)?;
    if options.merges_are_hints && options.unstructured == Unstructured::Repaired {
        take_merges_for_hints(module);
    }
    let repaired = structure::check_rules(module, options.unstructured)?;
    require_no_generics(module)?;
    let (lowers_kernels, mut passes) = (options.target.lowers_kernels(module), scheduled_passes(options, module));
    let mut run = Run { repaired, repairs, steps, ..Run::default() };
    (run.due, run.excluded) = names_of(&passes, options, module);
    passes.retain(|due| options.allows(due.optimization));
    if run.steps.iter().any(|step| options.stop_after.as_deref() == Some(step.pass)) {
        return Ok(run);
    }
    if options.merges_are_hints {
        take_merges_for_hints(module);
    }
    if options.styled == Styled::Everything {
        structure::take_for_hints(module, &options.structurize);
    }
    let mut session = Session::new(module);
    session.set(Context::new(options.kernel.clone()));
    session.set(LegalizeFor::from(options.kernel.machine()));
    session.set(Structurizing { options: options.structurize.clone(), structurized: Vec::new() });
    run_passes(&mut session, &passes, options, &mut run, observe)?;
    run.structurized = take(&mut session.state::<Structurizing>().structurized);
    run.reflection = lowers_kernels.then(|| take(&mut session.state::<Context>().reflection));
    Ok(run)
}

/// Checks that a module has no generics and interfaces, as all passes after stage Generic require.
///
/// # Errors
/// [`Error::Generic`], with the shortest chain of uses from an entry point or a function.
pub fn require_no_generics(module: &Module) -> Result<(), Error> {
    module.generic_use().map_or(Ok(()), |found| Err(Error::Generic(found)))
}

/// A scheduled pass.
#[derive(Clone, Copy)]
pub(crate) struct Due {
    pass: &'static Pass,
    /// The functions that it runs over.
    over: Over,
    /// Its index among the optimization passes, from 1, if it is one.
    optimization: Option<usize>,
    /// True if the options name it.
    is_named: bool,
}

/// Functions that a pass runs over.
#[derive(Clone, Copy)]
enum Over {
    /// All.
    All,
    /// Those at a stage.
    Stage(Stage),
    /// One.
    #[cfg_attr(not(feature = "codegen"), expect(dead_code, reason = "only back ends run passes over one function"))]
    One(Function),
}

impl Due {
    /// A pass that runs with any options.
    fn always(name: &str) -> Due {
        Due { pass: pipeline::named(name), over: Over::All, optimization: None, is_named: false }
    }

    /// As [`Due::always`], over one function; with the index of an optimization.
    #[cfg(feature = "codegen")]
    pub(crate) fn over(name: &str, function: Function, optimization: Option<usize>) -> Due {
        Due { over: Over::One(function), optimization, ..Due::always(name) }
    }
}

/// Runs passes, and verifies the module after the last one. With [`CompileOptions::stop_after`] the last one is that of this name.
pub(crate) fn run_passes(
    session: &mut Session<'_>,
    passes: &[Due],
    options: &CompileOptions,
    run: &mut Run,
    observe: &mut dyn FnMut(&Step, &Module),
) -> Result<(), Error> {
    for (index, &due) in passes.iter().enumerate() {
        let name = due.pass.name;
        let step = run_pass(session, due)?;
        if name == pipeline::SHARED_HEADERS {
            run.misaligned_barriers = find_misaligned_barriers(session.module);
        }
        observe(&step, session.module);
        run.steps.push(step);
        let is_last = index + 1 == passes.len() || options.stop_after.as_deref() == Some(name);
        if is_last {
            declare_integers(session.module);
            debug_values::attach(session.module);
        }
        if is_last || options.verify_each {
            // The module may be invalid between these passes.
            let is_done = index + 1 == passes.len();
            let findings = if is_done { verify_whole(session.module) } else { verify(session.module) };
            if !findings.is_empty() {
                return Err(broken_by(name, session.module, findings));
            }
        }
        if is_last {
            break;
        }
    }
    Ok(())
}

/// Takes a module that was read from stage Generic to stage Graph, and repairs known errors of front ends; [`run`] does this as well.
/// Returns the repaired errors and the doubtful places, by pass and in the order of the module; handles are those of the module as it was
/// read.
///
/// # Errors
/// [`Error::Pass`] for an error that cannot be repaired, with the module partly transformed.
pub fn repair(module: &mut Module) -> Result<Vec<Repair>, Error> {
    repair_by(module, &mut |_, _| ()).map(|(repairs, _)| repairs)
}

fn repair_by(module: &mut Module, observe: &mut dyn FnMut(&Step, &Module)) -> Result<(Vec<Repair>, Vec<Step>), Error> {
    let has_generics = module.generic_use().is_some();
    if has_generics {
        let findings = verify(module);
        if !findings.is_empty() {
            return Err(Error::Invalid(findings));
        }
    }
    let (mut session, mut steps) = (Session::new(module), Vec::new());
    for &name in REPAIRS.iter().filter(|&&name| has_generics || name != pipeline::GENERICS) {
        let step = run_pass(&mut session, Due::always(name))?;
        observe(&step, session.module);
        steps.push(step);
    }
    Ok((take(&mut session.state::<Repairs>().0), steps))
}

/// The names of the scheduled passes, with those of the back end if kernels are lowered: those that are due, and those that the limit excludes.
fn names_of(passes: &[Due], options: &CompileOptions, module: &Module) -> (Vec<&'static str>, Vec<&'static str>) {
    let first = 1 + passes.iter().filter_map(|due| due.optimization).max().unwrap_or(0);
    let of_back_end = options.target.scheduled_in_back_end(options.level, first);
    let lowers_kernels = options.target.lowers_kernels(module);
    let of_back_end = of_back_end.into_iter().filter(|_| lowers_kernels);
    let all = passes.iter().map(|due| (due.pass.name, due.optimization)).chain(of_back_end);
    let (due, excluded): (Vec<_>, Vec<_>) = all.partition(|&(_, optimization)| options.allows(optimization));
    let names = |passes: Vec<(&'static str, _)>| passes.into_iter().map(|(name, _)| name).collect();
    (names(due), names(excluded))
}

/// The passes over a valid module, if no limit excludes some: the pipeline with the optimizations of the level, then the optional passes. If a
/// nesting limit is given, no optimization exceeds it.
fn scheduled_passes(options: &CompileOptions, module: &Module) -> Vec<Due> {
    let lowers_kernels = options.target.lowers_kernels(module);
    let nests_deeper =
        options.styled == Styled::Structurized && options.structurize.nesting_limit >= Options::default().nesting_limit;
    let mut due = Vec::new();
    let mut optimizations = 1..;
    for step in options.target.pipeline() {
        match step {
            PipelineStep::Pass(when, name) => {
                let runs = match when {
                    When::WithKernels => lowers_kernels,
                    When::Always => true,
                    When::WithOptimizations => options.level != Level::None,
                    When::WithInlinedExits => options.exits == Exits::InEntryPoints,
                    When::WithFaults => lowers_kernels || options.kernel.driver != Driver::ANY,
                };
                due.extend(runs.then(|| Due::always(name)));
            }
            PipelineStep::Optimizations(stage) => {
                let is_allowed = |name: &&str| *name != levels::NESTING || nests_deeper;
                let names = options.level.sequence(stage).filter(is_allowed);
                due.extend(names.zip(optimizations.by_ref()).map(|(name, number)| Due {
                    over: Over::Stage(stage),
                    optimization: Some(number),
                    ..Due::always(name)
                }));
            }
        }
    }
    // The passes that lower kernels treat every pointer as an OpenCL pointer.
    let is_fit = |pass: &&'static Pass| lowers_kernels || !pipeline::lowers_kernels(pass.name);
    let named = options.passes.iter().map(|name| pipeline::named(name)).filter(is_fit);
    let numbered = named.zip(optimizations);
    due.extend(numbered.map(|(pass, number)| Due {
        pass,
        over: Over::All,
        optimization: Some(number),
        is_named: true,
    }));
    due
}

/// Returns every function to stage Graph, with its merges.
fn take_merges_for_hints(module: &mut Module) {
    let functions: Vec<Function> = module.functions().collect();
    for function in functions {
        if module.stage(function) == Stage::Structured && module.entry(function).is_some() {
            module.edit().set_stage(function, Stage::Graph);
        }
    }
}

/// The error for an invalid module after a pass. If the module only exceeds limits of SPIR-V, the pass is correct and the result is too
/// large.
pub(crate) fn broken_by(pass: &'static str, module: &Module, findings: Vec<Finding>) -> Error {
    match findings.first() {
        Some(first) if findings.iter().all(|finding| finding.code == Code::R13) => {
            let function = first.function.map(|function| name_of(module, function));
            Error::LimitExceeded {
                pass,
                function,
                limit: LimitExceeded::Rule { code: first.code, message: first.message.clone() },
            }
        }
        _ => Error::Internal { pass, findings },
    }
}

fn name_of(module: &Module, function: Function) -> String {
    text::Printer::new(module).operand_text(function.into())
}

fn run_pass(session: &mut Session<'_>, due: Due) -> Result<Step, Error> {
    let start = clock();
    let is_due = |&function: &Function| match due.over {
        Over::All => true,
        Over::Stage(stage) => session.module.stage(function) == stage,
        Over::One(one) => function == one,
    };
    let functions: Vec<Function> = session.module.functions().filter(is_due).collect();
    let pass = due.pass.name;
    let functions_changed = session.run(due.pass, &functions).map_err(|Failure { function, error }| {
        let function = function.map(|function| name_of(session.module, function));
        Error::Pass { pass, function, error }
    })?;
    if due.is_named && functions_changed > 0 {
        check_nesting(session.module, pass)?;
    }
    let MoveLog { moves, kept } = take(session.state::<MoveLog>());
    let time = start.map_or(Duration::ZERO, |start| start.elapsed());
    Ok(Step { pass, optimization: due.optimization, functions_changed, time, moves, kept })
}

/// The current time; `None` on `wasm32-unknown-unknown`, where reading the clock panics.
fn clock() -> Option<Instant> {
    (!cfg!(target_family = "wasm")).then(Instant::now)
}

/// SPIR-V limits the nesting of constructs. The passes of a level stay within the limit; optional passes may exceed it.
fn check_nesting(module: &Module, pass: &'static str) -> Result<(), Error> {
    let is_structured =
        |&function: &Function| module.entry(function).is_some() && module.stage(function) == Stage::Structured;
    for function in module.functions().filter(is_structured) {
        let depth = nesting::depth(module, function);
        let depth = depth.expect("invariant: passes leave functions structured that say so");
        if depth > nesting::LIMIT {
            let limit = LimitExceeded::Nesting { depth, limit: nesting::LIMIT };
            return Err(Error::LimitExceeded { pass, function: Some(name_of(module, function)), limit });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use reconverge_ir::{Op, Position};

    use super::*;
    use crate::Kind;

    #[test]
    fn an_exceeded_limit_is_no_bug() {
        let module = Module::new();
        let finding = |code: Code| Finding {
            code,
            function: None,
            block: None,
            inst: None,
            edge: None,
            message: "the function has 600000 variables, more than 524287".to_owned(),
            context: String::new(),
            suggestion: None,
        };
        let error = broken_by("inline_calls", &module, vec![finding(Code::R13), finding(Code::R13)]);
        assert_eq!((error.kind(), error.code().name), (Kind::Limit, "growth-limit"));
        let wanted =
            "inline_calls exceeds a limit of SPIR-V (R13): the function has 600000 variables, more than 524287";
        assert_eq!(error.message(), wanted);
        let error = broken_by("inline_calls", &module, vec![finding(Code::R13), finding(Code::R2)]);
        assert_eq!(error.kind(), Kind::Internal);
    }

    #[test]
    fn an_instruction_that_outgrows_spirv_is_a_limit() {
        let mut module =
            text::parse("%void = type_void\nfunc %f: %void () stage graph {\nblock ^a:\n  return\n}\n").unwrap();
        let block = module.functions().next().and_then(|function| module.entry(function)).unwrap();
        let mut editor = module.edit();
        // An unknown opcode, and words after it.
        let word = editor.word(60_000);
        editor.insert(Position::AtStart(block.inst()), Op::OpaquePlain, None, &vec![word; 65_536]);
        let error = broken_by("grow", &module, verify(&module));
        assert_eq!((error.kind(), error.code().name), (Kind::Limit, "growth-limit"));
        let wanted =
            "in function %f: grow exceeds a limit of SPIR-V (R13): `opaque` has 65536 operands, more than 65535";
        let text = error.to_string();
        assert_eq!(text.strip_prefix(wanted), Some(&*format!(" [growth-limit]\n  help: {}", error.help())), "{text}");
    }
}
