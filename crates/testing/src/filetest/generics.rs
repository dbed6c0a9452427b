//! `; test specialize`: a module after its generics were specialized, or why they cannot be; `; test lower_generics`: after the values of
//! interface type were replaced as well.
//!
//! Besides the expectation: the verifier has no finding before and after, the printed module reads back, and a second run changes nothing.
//! Lines `; run %f(1, 2) = 3` run functions of the module after.

use reconverge_diagnostic::Diagnostic;
use reconverge_generics::{Specialized, lower_generics, specialize};
use reconverge_ir::{Inst, Module, text};
use reconverge_verify::verify;

use super::case::{Case, difference};
use super::print::round_trip;
use super::run::with_results;
use super::verify::Lines;

type Pass = fn(&mut Module) -> Result<Specialized, Diagnostic>;

/// The file after specialization.
pub(super) fn specialized(case: &Case) -> Result<String, String> {
    run(case, specialize)
}

/// The file after specialization and dispatch.
pub(super) fn lowered(case: &Case) -> Result<String, String> {
    run(case, lower_generics)
}

/// The file with the module after, or with the error below the instruction at fault.
fn run(case: &Case, pass: Pass) -> Result<String, String> {
    let before = case.module()?;
    check_valid("before", &before)?;
    let mut after = before.clone();
    if let Err(error) = pass(&mut after) {
        return refused(case, &before, &error);
    }
    let printed = text::print(&after);
    check_valid("after", &after).map_err(|message| format!("{message}\n{printed}"))?;
    round_trip(&printed)?;
    let mut again = after.clone();
    pass(&mut again).map_err(|error| format!("a second run: {error}"))?;
    let twice = text::print(&again);
    if twice != printed {
        return Err(format!("a second run changes it again: {}", difference(&printed, &twice)));
    }
    let (input, _) = with_results(&case.input, &after)?;
    Ok(Case { input, ..case.clone() }.with_output(&printed))
}

/// The file with the error below its instruction; an error at a copy is below the first line.
fn refused(case: &Case, before: &Module, error: &Diagnostic) -> Result<String, String> {
    let at = Inst::of_place(error.place).ok_or("an error of generics is at an instruction")?;
    let line = Lines::compute(before, &case.input).line_of(at).unwrap_or(Ok(0))?;
    Ok(case.with_marks(&[(line, format!("{}: {}", error.code, error.message))]))
}

fn check_valid(version: &str, module: &Module) -> Result<(), String> {
    let findings = verify(module);
    let lines =
        findings.iter().map(|finding| format!("  {}: {}\n    {}", finding.code, finding.message, finding.context));
    match findings.is_empty() {
        true => Ok(()),
        false => Err(format!("the verifier objects {version}:\n{}", lines.collect::<Vec<_>>().join("\n"))),
    }
}
