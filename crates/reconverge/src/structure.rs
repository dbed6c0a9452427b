//! What functions say of their structure, and whether it holds.
//!
//! A function at stage Structured says that its control flow is structured. In a shader it has to be; whoever hands in one that is not wants
//! it structured. So where the rules of structure are all that a function breaks, it goes back to stage Graph, and its merges count as hints
//! (`docs/convergence.md`). Which rules those are need not be listed: they are the ones that nothing asks at stage Graph.
//!
//! ```text
//! ^a: if … merge ^m    stage structured, breaks R22     ⇒     ^a: if … merge ^m    stage graph, ^m a hint
//! ```
//!
//! The rules are held once for a module that keeps them, and twice for one that does not.

use std::collections::HashSet;

use reconverge_ir::{Function, Module, Stage, view};
use reconverge_restructure::Options;
use reconverge_structurize::Policy;
use reconverge_verify::{Finding, verify_whole};
use spirv::Capability;

use crate::{Error, Format, nesting};

/// What becomes of a function of a shader that is not structured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unstructured {
    /// It is structurized, with the merges that it has as hints.
    #[default]
    Repaired,
    /// It is refused, whatever stage it is at. A kernel need not be structured.
    Refused,
}

/// Which functions policy and nesting limit of the structurizer hold for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Styled {
    /// Those that it structurizes. A function that comes structured stays as it is.
    #[default]
    Structurized,
    /// Those that come structured as well: with a policy other than [`Policy::Spirv`] every one is structurized anew, with its merges as
    /// hints, and without one those that nest too deep. Where the nesting is cut, lanes meet as flat forms have it (`docs/convergence.md`).
    Everything,
}

/// Puts the functions back to stage Graph whose structure may not stay as it is.
pub(crate) fn take_for_hints(module: &mut Module, options: &Options) {
    let may_stay = |function: Function| {
        let limit = options.nesting_limit as usize;
        options.policy == Policy::Spirv && nesting::depth(module, function).is_ok_and(|depth| depth <= limit)
    };
    let is_styled = |&function: &Function| {
        module.entry(function).is_some() && module.stage(function) == Stage::Structured && !may_stay(function)
    };
    let functions: Vec<Function> = module.functions().filter(is_styled).collect();
    functions.into_iter().for_each(|function| module.edit().set_stage(function, Stage::Graph));
}

/// Holds the rules against a module as it came. Of each function that has to be structurized although it says that it is structured, the
/// first finding comes back; none of kernels, whose merges need make no structure.
pub(crate) fn hold_rules(module: &mut Module, unstructured: Unstructured) -> Result<Vec<Finding>, Error> {
    let is_refused = unstructured == Unstructured::Refused && is_shader(module);
    if is_refused {
        claim_structure(module);
    }
    let findings = verify_whole(module);
    if findings.is_empty() {
        return Ok(findings);
    }
    let firsts = first_of_each_function(module, &findings);
    if is_refused || firsts.is_empty() {
        return Err(Error::Invalid(findings));
    }
    set_stages(module, &firsts, Stage::Graph);
    let rest = verify_whole(module);
    if rest.is_empty() {
        return Ok(if is_shader(module) { firsts } else { Vec::new() });
    }
    set_stages(module, &firsts, Stage::Structured);
    Err(Error::Invalid(rest))
}

/// The rules that a module breaks as it was read.
///
/// A text says of each function at which stage it is. A file of SPIR-V does not: in a shader every function has to be structured, in a
/// kernel none.
pub fn findings(module: &mut Module, format: Format) -> Vec<Finding> {
    if format.declares_stages() {
        return verify_whole(module);
    }
    let unstructured = if is_shader(module) { Unstructured::Refused } else { Unstructured::Repaired };
    match hold_rules(module, unstructured) {
        Err(Error::Invalid(findings)) => findings,
        _ => Vec::new(),
    }
}

/// Whether a module declares shaders: it says so, or does not say that it declares kernels.
fn is_shader(module: &Module) -> bool {
    let declares = |wanted: Capability| {
        let mut capabilities = module.globals().filter_map(|inst| view::Capability::of(module, inst));
        capabilities.any(|declared| declared.capability == Some(wanted))
    };
    declares(Capability::Shader) || !declares(Capability::Kernel)
}

/// The first function of a shader that has control flow and is at stage Graph.
pub(crate) fn first_unstructured(module: &Module) -> Option<Function> {
    let is_graph =
        |&function: &Function| module.stage(function) == Stage::Graph && module.blocks(function).nth(1).is_some();
    module.functions().find(is_graph).filter(|_| is_shader(module))
}

/// Puts every function with a body at stage Structured, as if it said so.
fn claim_structure(module: &mut Module) {
    let is_graph = |&function: &Function| module.entry(function).is_some() && module.stage(function) == Stage::Graph;
    let functions: Vec<Function> = module.functions().filter(is_graph).collect();
    functions.into_iter().for_each(|function| module.edit().set_stage(function, Stage::Structured));
}

/// Of the findings about each function that says that it is structured the first one, in the order of the findings.
fn first_of_each_function(module: &Module, findings: &[Finding]) -> Vec<Finding> {
    let mut seen: HashSet<Function> = HashSet::new();
    let says_so = |function: Function| module.stage(function) == Stage::Structured;
    let firsts = findings
        .iter()
        .filter(|finding| finding.function.is_some_and(|function| says_so(function) && seen.insert(function)));
    firsts.cloned().collect()
}

fn set_stages(module: &mut Module, findings: &[Finding], stage: Stage) {
    for function in findings.iter().filter_map(|finding| finding.function) {
        module.edit().set_stage(function, stage);
    }
}
