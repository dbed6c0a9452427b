//! The table of passes that legalize.
//!
//! A row is a pass with the name of its function and file. Passes over modules work on vectors and on memory as kernels have them; they add
//! functions and loops without merges, so they run only over modules whose functions are all at stage Graph. Passes over functions work on the
//! scalars of one lane and keep the control flow.

use reconverge_analysis::launch::Facts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module};
use reconverge_rewrite::pass::{Outcome, Pass, Stages, Work};
use reconverge_rewrite::session::Session;

use crate::{LegalizeFor, Machine};

/// A row: the pass over a module with this function name.
macro_rules! module_pass {
    ($name:ident, $summary:literal) => {
        Pass {
            name: stringify!($name),
            summary: $summary,
            accepts: Stages::Graph,
            leads_to: None,
            work: Work::Module(|session, functions| run_over_module(session, functions, crate::$name)),
        }
    };
}

/// A row: a pass over a function, for a machine and for launches with these facts.
macro_rules! function_pass {
    ($name:literal, $summary:literal, $work:expr) => {
        Pass {
            name: $name,
            summary: $summary,
            accepts: Stages::Any,
            leads_to: None,
            work: Work::Function(|session, function| run_over_function(session, function, $work)),
        }
    };
}

/// Every pass of this crate.
pub const PASSES: &[Pass] = &[
    module_pass!(
        split_integers,
        "splits 64-bit integers into pairs of 32-bit integers, for machines without 64-bit integers"
    ),
    module_pass!(widen_integers, "widens 8-bit and 16-bit integers to 32 bits, for machines without narrow integers"),
    module_pass!(
        expand_carries,
        "replaces sums with a carry and products with two halves, for machines without two results"
    ),
    function_pass!(
        "expand_division",
        "divides small 64-bit integers as words, by constants with products, and signed integers by their magnitudes",
        crate::expand_division
    ),
    function_pass!(
        "expand_bits",
        "counts, reverses and extracts bits with masks and shifts, for machines that cannot",
        |module, function, machine, _| crate::expand_bits(module, function, machine)
    ),
];

/// Runs a pass over a function.
fn run_over_function(
    session: &mut Session<'_>,
    function: Function,
    work: fn(&mut Module, Function, &Machine, &Facts) -> bool,
) -> Result<Outcome, Diagnostic> {
    let (module, LegalizeFor { machine, facts }) = session.parts();
    let is_changed = machine.is_some_and(|machine| work(module, function, &machine, facts));
    Ok(Outcome::instructions(usize::from(is_changed)))
}

/// Runs a pass over a module, if it accepts all functions: `functions` are those that it accepts.
fn run_over_module(
    session: &mut Session<'_>,
    functions: &[Function],
    work: fn(&mut Module, &Machine) -> Result<bool, Diagnostic>,
) -> Result<Outcome, Diagnostic> {
    let (module, &mut LegalizeFor { machine, .. }) = session.parts();
    let Some(machine) = machine else { return Ok(Outcome::UNCHANGED) };
    if module.functions().filter(|&function| module.entry(function).is_some()).count() > functions.len() {
        return Ok(Outcome::UNCHANGED);
    }
    Ok(Outcome::control_flow(usize::from(work(module, &machine)?)))
}
