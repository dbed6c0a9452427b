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

use crate::{LegalizeFor, Machine, Widths};

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

/// Returns whether a machine lacks something.
type Lacks = fn(&Machine) -> bool;

/// What a machine lacks if a pass has work for it. The pass without a row has work for every machine: no machine has all divisions.
const LACKS: &[(&str, Lacks)] = &[
    ("split_integers", |machine| !machine.integers.contains(64)),
    ("widen_integers", |machine| !(machine.integers.contains(8) && machine.integers.contains(16))),
    ("expand_carries", |machine| machine.carries != Widths::ALL),
    ("expand_bits", |machine| machine.bit_operations != Widths::ALL),
];

/// Returns whether a pass of this crate has nothing to replace in any module, because the machine computes all of it by itself.
pub fn is_idle(name: &str, machine: &Machine) -> bool {
    LACKS.iter().any(|&(pass, lacks)| pass == name && !lacks(machine))
}

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

#[cfg(test)]
mod tests {
    use reconverge_diagnostic::{Code, Kind};

    use super::{LACKS, PASSES, is_idle};
    use crate::{Machine, Widths};

    static CODE: Code = Code { name: "none", kind: Kind::Unsupported, title: "", meaning: "", help: "" };

    #[test]
    fn a_pass_is_idle_for_a_machine_that_lacks_nothing() {
        let complete = Machine::complete(&CODE);
        for &(name, _) in LACKS {
            assert!(PASSES.iter().any(|pass| pass.name == name) && is_idle(name, &complete), "{name}");
        }
        assert!(!is_idle("expand_division", &complete));
        assert!(!is_idle("split_integers", &Machine { integers: Widths::only(32), ..complete }));
    }
}
