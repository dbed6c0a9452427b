//! The main job: [`read`], [`run`] the pipeline, [`write()`]; [`compile`] is the three in one.

use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use reconverge_analysis::{RoundsApart, find_rounds_apart};
use reconverge_ir::{Function, Inst, Module, Stage, text};
use reconverge_opencl::{Context, KernelOptions, Reflection};
use reconverge_optimize::structured::StructuredError;
use reconverge_optimize::{Analyses, Move};
use reconverge_restructure::{Options, StructurizeError, StructurizeReport, forget_structure};
use reconverge_rewrite::RepairError;
use reconverge_rewrite::declare_integers;
use reconverge_spirv::{Assembled, Merges, ReadCode, ReadError, ReadOptions, WriteOptions, disassemble};
use reconverge_verify::{Code, Finding, verify, verify_whole};

use crate::levels;
use crate::nesting;
use crate::pipeline::{self, Changes, Level, Optimized, PASSES, Pass, Work};
use crate::structure::{self, Styled, Unstructured};
use crate::{Error, Format, Outgrown, Target};

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Forget the structure that the input has, and find it again.
    pub strip_merges: bool,
    /// Structurize every function anew, and take the merges that it has for hints: where lanes come together stays as it is, also
    /// where the merges make no structure.
    pub merges_are_hints: bool,
    /// Which functions [`Options::policy`] and [`Options::nesting_limit`] hold for.
    pub styled: Styled,
    /// What becomes of a function of a shader that is not structured as it comes.
    pub unstructured: Unstructured,
    /// Hold the rules after every pass, not only at the end.
    pub verify_each: bool,
    /// Stop after the pass of this name.
    pub stop_after: Option<String>,
    /// Passes of [`pipeline::ON_REQUEST`] that run behind the pipeline, by name, in this order; one may come several times.
    pub on_request: Vec<String>,
    /// What the module is compiled for.
    pub target: Target,
    /// How OpenCL kernels are lowered, where the target is another than theirs.
    pub kernel: KernelOptions,
    /// Limits and style of the structurizer.
    pub structurize: Options,
    /// How much to optimize, around the structurizer.
    pub level: Level,
}

/// What compiling gave.
#[derive(Debug)]
pub struct Output {
    /// The module in the format asked for.
    pub bytes: Vec<u8>,
    /// The module itself.
    pub module: Module,
    /// What the pipeline did.
    pub run: Run,
}

/// What the pipeline did.
#[derive(Debug, Default)]
pub struct Run {
    /// Functions of a shader that said that they are structured and are not, each by the first rule that it broke. They went back to stage
    /// Graph, with their merges as hints. Handles are those of the module as it was read.
    pub repaired: Vec<Finding>,
    /// Functions that were structurized, in order; those that were structured already are not in it.
    pub structurized: Vec<Structurized>,
    /// The passes that ran, in order.
    pub steps: Vec<Step>,
    /// What a host program has to know, if OpenCL kernels were lowered.
    pub reflection: Option<Reflection>,
    /// What [`repair`] put right in the input.
    pub repairs: Vec<Inst>,
    /// Barriers that lanes may come to in different rounds of a loop.
    pub rounds_apart: Vec<RoundsApart>,
}

/// A function that was structurized.
#[derive(Debug)]
pub struct Structurized {
    /// The function.
    pub function: Function,
    /// The plan that was applied, and what came of it.
    pub report: StructurizeReport,
    /// Block parameters before: those of edge blocks, which are no phis in SPIR-V, not counted.
    pub parameters_before: usize,
    /// Block parameters after, counted the same way.
    pub parameters_after: usize,
}

/// One pass that ran.
#[derive(Clone, Debug)]
pub struct Step {
    /// The pass.
    pub pass: &'static str,
    /// In how many functions it changed something; a pass over the whole module counts as one.
    pub functions_changed: usize,
    /// How long it took.
    pub time: Duration,
    /// The instructions that it moved to other blocks.
    pub moves: Vec<Move>,
}

/// Reads a module.
///
/// # Errors
/// [`Error::Text`] or [`Error::Spirv`], with the place.
pub fn read(bytes: &[u8], format: Format, strip_merges: bool) -> Result<Module, Error> {
    read_as(bytes, format, if strip_merges { Merges::Strip } else { Merges::Keep })
}

/// Reads a module whose control flow may be damaged in a way that no stage can hold: merge instructions stand where none may be. They are
/// left out, and the first comes back as the error that it is to [`read`].
///
/// # Errors
/// [`Error::Text`] or [`Error::Spirv`], with the place.
pub fn read_mended(bytes: &[u8], format: Format) -> Result<(Module, Option<Error>), Error> {
    match read_as(bytes, format, Merges::Keep) {
        Err(error @ Error::Spirv(ReadError { code: ReadCode::Merge, .. })) => {
            Ok((read_as(bytes, format, Merges::Mend)?, Some(error)))
        }
        read => Ok((read?, None)),
    }
}

fn read_as(bytes: &[u8], format: Format, merges: Merges) -> Result<Module, Error> {
    match format {
        Format::Spirv => reconverge_spirv::read(bytes, &ReadOptions { merges }).map_err(Error::Spirv),
        Format::Assembly => {
            let text = String::from_utf8_lossy(bytes);
            let assembled = Assembled::of(&text).map_err(Error::Assembly)?;
            let bytes: Vec<u8> = assembled.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let read = reconverge_spirv::read(&bytes, &ReadOptions { merges });
            read.map_err(|error| Error::Spirv(error.in_assembly(&assembled)))
        }
        Format::Text => {
            let text = String::from_utf8_lossy(bytes);
            let mut module = text::parse(&text).map_err(Error::Text)?;
            if merges == Merges::Strip {
                let functions: Vec<Function> = module.functions().collect();
                functions.into_iter().for_each(|function| forget_structure(&mut module, function));
            }
            Ok(module)
        }
    }
}

/// Writes a module.
///
/// # Errors
/// [`Error::Write`] if the format cannot express it.
pub fn write(module: &Module, format: Format) -> Result<Vec<u8>, Error> {
    match format {
        Format::Spirv => reconverge_spirv::write(module, &WriteOptions::default()).map_err(Error::Write),
        Format::Assembly => {
            let bytes = reconverge_spirv::write(module, &WriteOptions::default()).map_err(Error::Write)?;
            disassemble(&bytes).map(String::into_bytes).map_err(Error::Disassembly)
        }
        Format::Text => Ok(text::print(module).into_bytes()),
    }
}

/// Reads a module and holds the rules against it, as [`findings`](crate::findings) does. Every finding comes back, with the module to print
/// them from.
///
/// # Errors
/// Those of [`read`].
pub fn check(bytes: &[u8], format: Format) -> Result<(Module, Vec<Finding>), Error> {
    let mut module = read(bytes, format, false)?;
    let findings = structure::findings(&mut module, format);
    Ok((module, findings))
}

/// Reads a module, runs the pipeline over it, and writes it.
///
/// # Errors
/// Those of [`read`], [`run`] and [`write()`].
pub fn compile(bytes: &[u8], from: Format, to: Format, options: &CompileOptions) -> Result<Output, Error> {
    let mut module = match options.unstructured {
        Unstructured::Repaired if !options.strip_merges => read_mended(bytes, from)?.0,
        _ => read(bytes, from, options.strip_merges)?,
    };
    let run = run(&mut module, options, &mut |_, _| ())?;
    let bytes = write(&module, to)?;
    Ok(Output { bytes, module, run })
}

/// Runs the pipeline over a module that was read. The rules are held before the first pass and after the last; `observe` sees
/// every pass that ran and the module as the pass left it, before the rules are held against that.
///
/// # Errors
/// [`Error::Invalid`], with the module untouched but for stages; [`Error::Kernel`], [`Error::Structurize`], [`Error::Structured`],
/// [`Error::NoTree`] and [`Error::Outgrown`], with the module half done; [`Error::Internal`], with the module as the pass left it, which is a bug of ours.
///
/// # Panics
/// If a name in `on_request` is none of a pass on request.
pub fn run(
    module: &mut Module,
    options: &CompileOptions,
    observe: &mut dyn FnMut(&Step, &Module),
) -> Result<Run, Error> {
    let (repairs, steps) = repair_by(module, observe)?;
    // What is refused has to be looked at as it came.
    if options.merges_are_hints && options.unstructured == Unstructured::Repaired {
        take_merges_for_hints(module);
    }
    let repaired = structure::hold_rules(module, options.unstructured)?;
    let mut run = Run { repaired, repairs, steps, ..Run::default() };
    if run.steps.iter().any(|step| options.stop_after.as_deref() == Some(step.pass)) {
        return Ok(run);
    }
    if options.merges_are_hints {
        take_merges_for_hints(module);
    }
    if options.styled == Styled::Everything {
        structure::take_for_hints(module, &options.structurize);
    }
    let mut context = options.target.lowers_kernels(module).then(|| Context::new(options.kernel.clone()));
    let mut analyses = Analyses::default();
    let passes = due_passes(options, context.is_some());
    for (index, &(pass, stage)) in passes.iter().enumerate() {
        let step = run_pass(module, (pass, stage), (options, &mut context, &mut analyses), &mut run.structurized)?;
        if pass.name == pipeline::SHARED_HEADERS {
            run.rounds_apart = find_rounds_apart(module);
        }
        observe(&step, module);
        run.steps.push(step);
        let is_last = index + 1 == passes.len() || options.stop_after.as_deref() == Some(pass.name);
        if is_last {
            declare_integers(module);
        }
        if is_last || options.verify_each {
            // Between passes a module need not be whole.
            let is_done = index + 1 == passes.len();
            let findings = if is_done { verify_whole(module) } else { verify(module) };
            if !findings.is_empty() {
                return Err(broken_by(pass.name, module, findings));
            }
        }
        if is_last {
            break;
        }
    }
    run.reflection = context.map(|context| context.reflection);
    Ok(run)
}

/// Puts right in a module, as it was read, what compilers are known to get wrong; [`run`] does it as well. The instructions that were wrong
/// come back, in the order of the module, by their handles in the module as it was read.
///
/// # Errors
/// [`Error::Kernel`] for what nobody can put right, with the module half done.
pub fn repair(module: &mut Module) -> Result<Vec<Inst>, Error> {
    repair_by(module, &mut |_, _| ()).map(|(repairs, _)| repairs)
}

fn repair_by(module: &mut Module, observe: &mut dyn FnMut(&Step, &Module)) -> Result<(Vec<Inst>, Vec<Step>), Error> {
    let (mut repairs, mut steps) = (Vec::new(), Vec::new());
    for pass in PASSES {
        let Work::Input(work) = pass.work else { continue };
        let start = Instant::now();
        let repaired = within_limits(pass.name, None, module, work)?;
        repairs.extend(repaired.map_err(|error| Error::Kernel { pass: pass.name, error })?);
        let functions_changed = usize::from(!repairs.is_empty());
        let step = Step { pass: pass.name, functions_changed, time: start.elapsed(), moves: Vec::new() };
        observe(&step, module);
        steps.push(step);
    }
    Ok((repairs, steps))
}

/// The passes that are to run once the input keeps the rules, each with the stage at which functions are due for it.
///
/// ```text
/// kernels … ─▶ remove_dead_ends ─▶ structurize what sees other lanes ─▶ optimize at stage Graph ─▶ remove_unreachable ─▶ structurize
///         ─▶ optimize what is structured ─▶ loop_results ─▶ on request
/// ```
///
/// Which lanes are together is the same at every level so: it is decided in front of all optimizations, and they keep it.
/// What is behind the structurizer keeps clear of faults of drivers, which an optimization would undo. Where somebody asks for less nesting, no
/// optimization nests deeper.
fn due_passes(options: &CompileOptions, lowers_kernels: bool) -> Vec<(&'static Pass, Stage)> {
    let is_due = move |pass: &&Pass| match pass.work {
        Work::Input(_) => false,
        Work::Kernels(_) => lowers_kernels,
        _ => pass.name != pipeline::DECIDING || options.level != Level::None,
    };
    let own = |passes: &'static [Pass]| passes.iter().filter(is_due).map(|pass| (pass, pass.from));
    let nests_deeper =
        options.styled == Styled::Structurized && options.structurize.nesting_limit >= Options::default().nesting_limit;
    let is_allowed = move |name: &&str| *name != levels::NESTING || nests_deeper;
    let optimize =
        |stage: Stage| options.level.sequence(stage).filter(is_allowed).map(move |name| (levels::find(name), stage));
    let decided = PASSES.iter().position(|pass| pass.name == pipeline::DECIDING).unwrap_or(0) + 1;
    let structured = PASSES.iter().position(|pass| pass.from == Stage::Structured).unwrap_or(PASSES.len());
    own(&PASSES[..decided])
        .chain(optimize(Stage::Graph))
        .chain(own(&PASSES[decided..structured]))
        .chain(optimize(Stage::Structured))
        .chain(own(&PASSES[structured..]))
        .chain(asked_for(&options.on_request).map(|pass| (pass, pass.from)))
        .collect()
}

/// Puts every function back to stage Graph, with its merges.
fn take_merges_for_hints(module: &mut Module) {
    let functions: Vec<Function> = module.functions().collect();
    for function in functions {
        if module.stage(function) == Stage::Structured && module.entry(function).is_some() {
            module.edit().set_stage(function, Stage::Graph);
        }
    }
}

/// The error for what a pass left behind, which keeps the rules no longer. Where limits of SPIR-V are all that it breaks, the
/// pass did its work, and there is no room for it.
pub(crate) fn broken_by(pass: &'static str, module: &Module, findings: Vec<Finding>) -> Error {
    match findings.first() {
        Some(first) if findings.iter().all(|finding| finding.code == Code::R13) => {
            let function = first.function.map(|function| name_of(module, function));
            Error::Outgrown {
                pass,
                function,
                limit: Outgrown::Rule { code: first.code, message: first.message.clone() },
            }
        }
        _ => Error::Internal { pass, findings },
    }
}

fn name_of(module: &Module, function: Function) -> String {
    text::Printer::new(module).operand_text(function.into())
}

/// What stood in the way of the structurizer, with values called as the text form does.
fn in_names(module: &Module, error: &StructurizeError) -> String {
    let StructurizeError::Repair(RepairError::Opaque { value, .. }) = error else { return error.to_string() };
    let value = text::Printer::new(module).operand_text(*value);
    format!(
        "{value} does not dominate this use of it once the function is structured, and its type can be neither a block parameter \
         nor computed again"
    )
}

/// The passes on request that are asked for.
fn asked_for(names: &[String]) -> impl Iterator<Item = &'static Pass> {
    let find = |name: &String| pipeline::ON_REQUEST.iter().find(|pass| pass.name == name);
    names.iter().map(move |name| find(name).unwrap_or_else(|| panic!("no pass on request is called {name}")))
}

pub(crate) fn run_pass(
    module: &mut Module,
    (pass, stage): (&Pass, Stage),
    (options, context, analyses): (&CompileOptions, &mut Option<Context>, &mut Analyses),
    structurized: &mut Vec<Structurized>,
) -> Result<Step, Error> {
    let start = Instant::now();
    let Optimized { functions_changed, moves } = match (pass.work, context) {
        (Work::Functions(work), _) => {
            run_on_functions(module, pass.name, work, &options.structurize, structurized)?.into()
        }
        (Work::Structured(work), _) => run_on_structured(module, pass.name, work)?.into(),
        (Work::Kernels(work), Some(context)) => {
            let changed = within_limits(pass.name, None, module, |module| work(module, context))?;
            usize::from(changed.map_err(|error| Error::Kernel { pass: pass.name, error })?).into()
        }
        (Work::Input(_), _) | (Work::Kernels(_), None) => Optimized::default(),
        (Work::Optimization(work), _) => {
            let functions = functions_at(module, stage);
            within_limits(pass.name, None, module, |module| work(module, &functions, analyses))?
        }
    };
    if functions_changed > 0 && !matches!(pass.work, Work::Optimization(_)) {
        analyses.forget_all();
    }
    Ok(Step { pass: pass.name, functions_changed, time: start.elapsed(), moves })
}

/// Does the work of a pass. Instructions have limits that no pass can foresee in all it does; the IR holds them when an instruction is
/// made, and panics with a message that begins with `limit: `. That is no bug, and comes back as an error; other panics go on. The module
/// may be in any state then, and is not looked at again.
pub(crate) fn within_limits<T>(
    pass: &'static str,
    function: Option<Function>,
    module: &mut Module,
    work: impl FnOnce(&mut Module) -> T,
) -> Result<T, Error> {
    let name = function.map(|function| module.name(function).unwrap_or_else(|| function.inst().index().to_string()));
    let payload = match panic::catch_unwind(AssertUnwindSafe(|| work(module))) {
        Ok(done) => return Ok(done),
        Err(payload) => payload,
    };
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    let Some(limit) = text.and_then(|text| text.strip_prefix("limit: ")) else { panic::resume_unwind(payload) };
    let allowed = limit.split_once(": ").map_or(limit, |(allowed, _)| allowed).to_owned();
    let function = name.map(|name| format!("%{name}"));
    Err(Error::Outgrown { pass, function, limit: Outgrown::Instruction { allowed } })
}

fn run_on_functions(
    module: &mut Module,
    pass: &'static str,
    work: fn(&mut Module, Function, &Options) -> Result<Changes, StructurizeError>,
    options: &Options,
    structurized: &mut Vec<Structurized>,
) -> Result<usize, Error> {
    let functions: Vec<Function> = module.functions().collect();
    let mut functions_changed = 0;
    for function in functions {
        let parameters_before = block_parameters(module, function);
        let changes = within_limits(pass, Some(function), module, |module| work(module, function, options))?;
        let changes = changes.map_err(|error| {
            let (function, message) = (name_of(module, function), in_names(module, &error));
            Error::Structurize { function, message, error }
        })?;
        functions_changed += usize::from(changes.changed);
        structurized.extend(changes.structurized.map(|report| Structurized {
            function,
            report,
            parameters_before,
            parameters_after: block_parameters(module, function),
        }));
    }
    Ok(functions_changed)
}

fn run_on_structured(
    module: &mut Module,
    pass: &'static str,
    work: fn(&mut Module, Function) -> Result<bool, StructuredError>,
) -> Result<usize, Error> {
    let mut functions_changed = 0;
    for function in functions_at(module, Stage::Structured) {
        let changed = within_limits(pass, Some(function), module, |module| work(module, function))?;
        let changed = changed.map_err(|error| refused_by(pass, module, function, error))?;
        let depth = if changed { nesting::depth(module, function) } else { 0 };
        if depth > nesting::LIMIT {
            let limit = Outgrown::Nesting { depth, limit: nesting::LIMIT };
            return Err(Error::Outgrown { pass, function: Some(name_of(module, function)), limit });
        }
        functions_changed += usize::from(changed);
    }
    Ok(functions_changed)
}

/// The error for a function that a pass on request refused. The rules were held before the first pass: where ways meet, that is the limit
/// of the control tree.
fn refused_by(pass: &'static str, module: &Module, function: Function, error: StructuredError) -> Error {
    let printer = text::Printer::new(module);
    let function = printer.operand_text(function.into());
    match error {
        StructuredError::WaysMeet { block: at } => {
            Error::NoTree { pass, function, block: printer.operand_text(at.into()), at }
        }
        error => Error::Structured { pass, function, error },
    }
}

/// The functions with a body that are at a stage.
fn functions_at(module: &Module, stage: Stage) -> Vec<Function> {
    let is_there = |&function: &Function| module.entry(function).is_some() && module.stage(function) == stage;
    module.functions().filter(is_there).collect()
}

fn block_parameters(module: &Module, function: Function) -> usize {
    let blocks = module.blocks(function).filter(|&block| !module.is_bare_edge(block));
    blocks.map(|block| module.parameters(block).count()).sum()
}

#[cfg(test)]
mod tests {
    use reconverge_ir::Op;

    use super::*;
    use crate::ErrorKind;

    #[test]
    fn what_outgrows_a_limit_is_no_bug() {
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
        assert_eq!((error.kind(), error.code().as_str()), (ErrorKind::Limit, "growth-limit"));
        let wanted =
            "inline_calls exceeds a limit of SPIR-V (R13): the function has 600000 variables, more than 524287";
        assert_eq!(error.message(), wanted);
        let error = broken_by("inline_calls", &module, vec![finding(Code::R13), finding(Code::R2)]);
        assert_eq!(error.kind(), ErrorKind::Internal);
    }

    #[test]
    fn an_instruction_that_outgrows_the_ir_is_a_limit_and_names_the_pass() {
        let mut module =
            text::parse("%void = type_void\nfunc %f: %void () stage graph {\nblock ^a:\n  return\n}\n").unwrap();
        let function = module.functions().next();
        let error = within_limits("grow", function, &mut module, |module| {
            let mut editor = module.edit();
            let word = editor.word(32);
            editor.create(Op::TypeStruct, None, &vec![word; 65_536])
        });
        let error = error.expect_err("65,535 operands are allowed");
        assert_eq!((error.kind(), error.code().as_str()), (ErrorKind::Limit, "growth-limit"));
        assert_eq!(
            error.to_string(),
            "in function %f: grow would exceed a limit: at most 65,535 operands an instruction"
        );
    }

    #[test]
    #[should_panic(expected = "invariant: not held")]
    fn a_bug_stays_a_panic() {
        let _ = within_limits("broken", None, &mut Module::new(), |_| panic!("invariant: not held"));
    }
}
