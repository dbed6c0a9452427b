//! `; test pass NAME [option=value …]`: the result of a pass for a module, or why the pass rejects it.
//!
//! Besides the expectation: the verifier has no finding before and after, every function has the same behaviour before and after (for a
//! pass over structured functions: lane by lane, with 1, 4 and 16 lanes), the printed module reads back, and a second run of the pass
//! changes nothing. Passes over kernels are checked by the launches of the file (`launch.rs`). For a pass over input, the module before may
//! be invalid, and the launches have the outputs after the pass.
//!
//! After the module comes the reflection, as a comment, if the pass creates any.

use reconverge::opencl::{self, Context, Reflection};
use reconverge::reflection_json;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, text};
use reconverge_legalize::LegalizeFor;
use reconverge_restructure::Structurizing;
use reconverge_rewrite::pass::{Pass, Work};
use reconverge_rewrite::session::Session;
use reconverge_verify::verify;

use super::case::{Case, difference};
use super::launch;
use super::print::round_trip;
use super::setting::Setting;
use super::steps::{MASK, REPAIR_SSA};
use super::verify::Lines;
use crate::behaviour::Version;
use crate::equivalence::compare_versions;
use crate::lanes::Versions;

/// The file with the module after the pass, or with the error of the pass.
pub(super) fn run(case: &Case, words: &[&str]) -> Result<String, String> {
    let setting = Setting::parse(words)?;
    let before = case.module()?;
    // The input of a pass that repairs modules may be invalid.
    let kind = PassKind::of(setting.pass);
    if !matches!(kind, PassKind::Repair | PassKind::Ssa) {
        check_valid("before", &before)?;
    }
    let mut after = before.clone();
    let mut context = Context::new(setting.kernel.clone());
    for &pass in &setting.first {
        apply(pass, &mut after, &mut context, &setting).map_err(|error| error.message)?;
        check_valid("before the pass that is tested", &after)?;
    }
    let (untouched, told_before) = (text::print(&after), context.reflection.clone());
    let changed = match apply(setting.pass, &mut after, &mut context, &setting) {
        Ok(changed) => changed,
        Err(error) => return refused(case, &before, error),
    };
    let printed = text::print(&after);
    let with_output = |message: String| format!("{message}\n{printed}");
    if changed != (printed != untouched || context.reflection != told_before) {
        return Err(with_output(format!("the pass says changed = {changed}, which is not so")));
    }
    check_valid("after", &after).map_err(with_output)?;
    round_trip(&printed)?;
    let launched = launch::After { module: &after, reflection: &context.reflection };
    let case = match kind {
        PassKind::Restructuring => check_same_functions(&before, &after).map(|()| case.clone()),
        PassKind::Masking => Ok(case.clone()),
        PassKind::Ssa => check_same_lanes(&before, &after).map(|()| case.clone()),
        PassKind::Optimization => check_same_functions(&before, &after)
            .and_then(|()| check_same_lanes(&before, &after))
            .map(|()| case.clone()),
        PassKind::Repair => launch::check_same(case, &after, launched),
        PassKind::Kernel => launch::check_same(case, &before, launched),
    };
    let case = case.map_err(with_output)?;
    check_done(&setting, &after, &context, &printed)?;
    Ok(case.with_output(&format!("{printed}{}", told(&told_before, &context.reflection))))
}

/// The file with the error below its instruction; an error at an instruction that the pass created, or without one, is below the first
/// line.
fn refused(case: &Case, before: &Module, error: Diagnostic) -> Result<String, String> {
    let Some(at) = Inst::of_place(error.place) else { return Err(error.message) };
    let line = Lines::compute(before, &case.input).line_of(at).unwrap_or(Ok(0))?;
    let code = error.code.name.strip_prefix("kernel-").unwrap_or(error.code.name);
    Ok(case.with_marks(&[(line, format!("{code}: {}", error.message))]))
}

/// The kind of a pass, which determines its checks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PassKind {
    Repair,
    /// The interpreter keeps the last value of every instruction, so a value that does not dominate its use is still defined if it was
    /// computed before.
    Ssa,
    Kernel,
    Restructuring,
    /// Tests of the CPU engine check the behaviour of masked functions; the interpreter does not run them.
    Masking,
    Optimization,
}

impl PassKind {
    fn of(pass: &Pass) -> PassKind {
        let stands_in = |table: &[Pass]| table.iter().any(|other| other.name == pass.name);
        match () {
            () if matches!(pass.name, "known_faults" | "missing_conversions") => PassKind::Repair,
            () if pass.name == REPAIR_SSA => PassKind::Ssa,
            () if pass.name == MASK => PassKind::Masking,
            () if stands_in(opencl::PASSES) => PassKind::Kernel,
            () if stands_in(reconverge_legalize::PASSES) && matches!(pass.work, Work::Module(_)) => PassKind::Kernel,
            () if stands_in(reconverge_restructure::PASSES) => PassKind::Restructuring,
            () => PassKind::Optimization,
        }
    }
}

fn check_valid(version: &str, module: &Module) -> Result<(), String> {
    let findings = verify(module);
    match findings.is_empty() {
        true => Ok(()),
        false => {
            let lines = findings
                .iter()
                .map(|finding| format!("  {}: {}\n    {}", finding.code, finding.message, finding.context));
            Err(format!("the verifier objects {version}:\n{}", lines.collect::<Vec<_>>().join("\n")))
        }
    }
}

fn check_same_functions(before: &Module, after: &Module) -> Result<(), String> {
    let versions = (Version::new(before), Version::new(after));
    for function in functions_of_both(before, after) {
        compare_versions(&versions.0, &versions.1, function, 1)
            .map_err(|message| format!("function {}: {message}", before.name(function).unwrap_or_default()))?;
    }
    Ok(())
}

/// The numbers of lanes with which structured functions run, and the number of environments for each.
const LANES: [usize; 3] = [1, 4, 16];
const SURROUNDINGS: u64 = 8;
/// The maximal number of instructions of a lane.
const LANE_FUEL: u64 = 10_000;

/// Checks that lanes make the same calls with the same arguments, end in the same way and leave the same memory, unless the function before
/// has undefined behaviour.
fn check_same_lanes(before: &Module, after: &Module) -> Result<(), String> {
    let versions = Versions::new(before, after).with_fuel(LANE_FUEL);
    for function in functions_of_both(before, after) {
        let name = before.name(function).unwrap_or_default();
        for (lanes, seed) in LANES.into_iter().flat_map(|lanes| (0..SURROUNDINGS).map(move |seed| (lanes, seed))) {
            versions
                .compare(function, lanes, seed)
                .map_err(|message| format!("function {name}, {lanes} lanes, surroundings {seed}: {message}"))?;
        }
    }
    Ok(())
}

/// Functions with a body that still exist. The verifier checks that removed functions have no uses.
fn functions_of_both(before: &Module, after: &Module) -> Vec<Function> {
    functions(before).into_iter().filter(|&function| after.is_live(function)).collect()
}

/// Functions with a body.
fn functions(module: &Module) -> Vec<Function> {
    module.functions().filter(|&function| module.entry(function).is_some()).collect()
}

/// Checks that a second run of the pass changes nothing.
fn check_done(setting: &Setting, after: &Module, context: &Context, printed: &str) -> Result<(), String> {
    let (mut again, mut same) = (after.clone(), context.clone());
    apply(setting.pass, &mut again, &mut same, setting).map_err(|error| error.message)?;
    let twice = text::print(&again);
    if twice != printed {
        return Err(format!("a second run changes it again: {}", difference(printed, &twice)));
    }
    match same.reflection == context.reflection {
        true => Ok(()),
        false => Err(format!("a second run tells something else: {:?}", same.reflection)),
    }
}

/// The reflection as a comment, if the pass created any.
fn told(before: &Reflection, after: &Reflection) -> String {
    if before == after {
        return String::new();
    }
    reflection_json(after).lines().map(|line| format!("; {line}\n")).collect()
}

/// Runs a pass. Returns whether the pass reports a change.
fn apply(pass: &Pass, module: &mut Module, context: &mut Context, setting: &Setting) -> Result<bool, Diagnostic> {
    let functions = functions(module);
    let mut session = Session::new(module);
    session.set(context.clone());
    session.set(LegalizeFor::from(setting.machine()));
    session.set(Structurizing { options: setting.structurize.clone(), structurized: Vec::new() });
    let changed = session.run(pass, &functions).map_err(|failure| failure.error);
    *context = std::mem::take(session.state());
    Ok(changed? > 0)
}
