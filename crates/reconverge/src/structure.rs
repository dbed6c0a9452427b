//! Checks whether functions that are declared structured are structured.
//!
//! A function at stage Structured is declared structured. In a shader it must be; an unstructured shader is structurized.
//! So if a function breaks only rules of structure, it returns to stage Graph, and its merges become hints (`docs/convergence.md`). These
//! rules need no list: they are the rules that the verifier does not check at stage Graph.
//!
//! ```text
//! ^a: if … merge ^m    stage structured, breaks R22     ⇒     ^a: if … merge ^m    stage graph, ^m a hint
//! ```
//!
//! A valid module is verified once, any other twice.

use std::collections::HashSet;

use reconverge_ir::{Function, Module, Stage, view};
use reconverge_restructure::{Options, forget_structure};
use reconverge_structurize::Policy;
use reconverge_verify::{Finding, verify_whole};

use crate::kind::is_shader;
use crate::{Error, Format, nesting, repair};

/// The treatment of a function of a shader that is not structured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Unstructured {
    /// Structurize it, with its merges as hints.
    #[default]
    Repaired,
    /// Reject it, at any stage. A kernel need not be structured.
    Refused,
}

/// The functions that the policy and the nesting limit of the structurizer apply to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Styled {
    /// Those that it structurizes. A structured function of the input is unchanged.
    #[default]
    Structurized,
    /// Structured ones too. With a policy other than [`Policy::Spirv`] every function is structurized again, with its merges as hints;
    /// without such a policy, only functions whose nesting exceeds the limit. If the nesting is cut, lanes reconverge according to the
    /// rules of flat forms (`docs/convergence.md`).
    Everything,
}

/// Returns functions to stage Graph whose structure must be replaced.
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

/// Verifies a module as it was read. Returns, for each function that is declared structured but must be structurized, the first finding;
/// none for kernels, whose merges need not define a structure.
pub(crate) fn check_rules(module: &mut Module, unstructured: Unstructured) -> Result<Vec<Finding>, Error> {
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
/// The text form gives the stage of each function. SPIR-V does not: in a shader every function must be structured, in a kernel none.
pub fn findings(module: &mut Module, format: Format) -> Vec<Finding> {
    if format.declares_stages() {
        return verify_whole(module);
    }
    let unstructured = if is_shader(module) { Unstructured::Refused } else { Unstructured::Repaired };
    match check_rules(module, unstructured) {
        Err(Error::Invalid(findings)) => findings,
        _ => Vec::new(),
    }
}

/// Checks that [`run`](crate::run) would accept a module: it breaks no rules except those that are repaired. A valid module is verified
/// once.
///
/// # Errors
/// [`Error::Invalid`], with all findings.
pub fn require_valid(module: &Module) -> Result<(), Error> {
    let findings = verify_whole(module);
    let is_repaired = || {
        let mut module = module.clone();
        repair(&mut module).is_ok() && check_rules(&mut module, Unstructured::Repaired).is_ok()
    };
    if findings.is_empty() || is_repaired() { Ok(()) } else { Err(Error::Invalid(findings)) }
}

/// The [`findings`] without those about structure: [`run`](crate::run) structurizes a function of a shader that breaks only these rules.
pub fn findings_beyond_structure(module: &mut Module) -> Vec<Finding> {
    match check_rules(module, Unstructured::Repaired) {
        Err(Error::Invalid(findings)) => findings,
        _ => Vec::new(),
    }
}

/// The first function of a shader that has control flow and is at stage Graph.
pub(crate) fn first_unstructured(module: &Module) -> Option<Function> {
    let is_graph =
        |&function: &Function| module.stage(function) == Stage::Graph && module.blocks(function).nth(1).is_some();
    module.functions().find(is_graph).filter(|_| is_shader(module))
}

/// Removes the structure of a module that was read. If the module breaks other rules than those of structure, its merges stay as hints: no
/// pass works on an invalid module, and the code that verifies it reports these rules.
pub(crate) fn strip(module: &mut Module) {
    let functions: Vec<Function> = module.functions().collect();
    let is_structured =
        |&&function: &&Function| module.entry(function).is_some() && module.stage(function) == Stage::Structured;
    let structured: Vec<Function> = functions.iter().filter(is_structured).copied().collect();
    structured.into_iter().for_each(|function| module.edit().set_stage(function, Stage::Graph));
    if verify_whole(module).is_empty() {
        functions.into_iter().for_each(|function| forget_structure(module, function));
    }
}

/// Sets every function with a body to stage Structured, as if it were declared so.
fn claim_structure(module: &mut Module) {
    let is_graph = |&function: &Function| {
        module.entry(function).is_some()
            && module.stage(function) == Stage::Graph
            && view::Function::of(module, function).is_some()
    };
    let functions: Vec<Function> = module.functions().filter(is_graph).collect();
    functions.into_iter().for_each(|function| module.edit().set_stage(function, Stage::Structured));
}

/// The first finding about each function that is declared structured, in the order of the findings.
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
