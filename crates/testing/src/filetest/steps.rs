//! Steps that are not passes of the pipeline, for filetests of a part of a pass.
//!
//! | name | what it is |
//! |---|---|
//! | `sroa_once` | the first step of `sroa`: splits variables, promotes none |
//! | `inline_all` | inlines every call of a function with a body |
//! | `merge_terminators` | the first step of `simplify_cfg`: combines consecutive conditional exits |
//! | `repair_ssa` | carries values to uses that they do not dominate, as passes do that move edges |
//! | `remove_trivial_parameters` | removes block parameters that always have one value |
//! | `mask_full_packs` | makes the lanes of structured functions explicit, for packs whose lanes are all launched |

use reconverge_codegen::pipeline::{self as codegen, LOOPS, MASKS};
use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::{Block, Function, Inst, Stage, text};
use reconverge_lanes::{Facts, InputFact, LaunchFacts, Variation};
use reconverge_optimize::{Analyses, inline_calls, sroa, structured};
use reconverge_rewrite::pass::{Outcome, Pass, Preserves, Stages, Work};
use reconverge_rewrite::session::Session;
use reconverge_rewrite::{OriginalDominance, RepairError, RepairReport, remove_trivial_parameters, repair_ssa};
use spirv::BuiltIn;

reconverge_diagnostic::codes! {
    /// Codes of steps that only tests run.
    enum StepCode in "Steps" {
        Inline = "inline" Unsupported "A call cannot be inlined." "inline fewer calls";
        Repair = "ssa-repair" Unsupported "No parameter can carry a value." "keep the value where it dominates its uses";
        Lanes = "lanes-unsupported" Unsupported "Lanes cannot be made explicit." "leave out what the message names";
    }
}

/// The maximal number of instructions of a module after `inline_all`.
const INLINE_LIMIT: usize = 1 << 20;

/// The step whose input may contain values that do not dominate their uses.
pub(super) const REPAIR_SSA: &str = "repair_ssa";

/// The step from stage Structured to stage Masked.
pub(super) const MASK: &str = "mask_full_packs";

/// Every step.
pub(super) const STEPS: &[Pass] = &[
    step("sroa_once", Stages::Any, Work::Function(sroa_once)),
    step("inline_all", Stages::Any, Work::Module(inline_all)),
    step("merge_terminators", Stages::Structured, Work::Function(merge_terminators)),
    step(REPAIR_SSA, Stages::Any, Work::Function(repair)),
    step("remove_trivial_parameters", Stages::Any, Work::Function(trim)),
    Pass { leads_to: Some(Stage::Masked), ..step(MASK, Stages::Structured, Work::Function(mask_full_packs)) },
];

const fn step(name: &'static str, accepts: Stages, work: Work) -> Pass {
    Pass { name, summary: "a step of another pass", accepts, leads_to: None, work }
}

fn changed(changes: usize) -> Outcome {
    Outcome { functions_changed: changes.min(1), preserves: Preserves::Nothing }
}

fn sroa_once(session: &mut Session<'_>, function: Function) -> Result<Outcome, Diagnostic> {
    let (module, analyses) = session.parts::<Analyses>();
    Ok(changed(sroa(module, function, analyses.facts())))
}

fn inline_all(session: &mut Session<'_>, functions: &[Function]) -> Result<Outcome, Diagnostic> {
    match inline_calls(session.module, functions, INLINE_LIMIT) {
        Ok(inlined) => Ok(changed(inlined)),
        Err(error) => {
            let message = error.to_string();
            Err(Diagnostic::new(StepCode::Inline, Place::Whole, message))
        }
    }
}

fn merge_terminators(session: &mut Session<'_>, function: Function) -> Result<Outcome, Diagnostic> {
    Ok(changed(structured::merge_terminators(session.module, function)?.into()))
}

fn repair(session: &mut Session<'_>, function: Function) -> Result<Outcome, Diagnostic> {
    let refused = |message: String, at: Option<Inst>| {
        Err(Diagnostic::new(StepCode::Repair, at.map_or(Place::Whole, Place::from), message))
    };
    match repair_ssa(session.module, function, &OriginalDominance::unknown()) {
        Ok(report) => Ok(changed(usize::from(report != RepairReport::default()))),
        Err(RepairError::Opaque { value, user }) => {
            let value = text::print_inst(session.module, value);
            refused(format!("nothing can carry `{}` to this use", value.trim()), Some(user))
        }
        Err(RepairError::Growth(limit)) => refused(limit.to_string(), None),
    }
}

fn trim(session: &mut Session<'_>, function: Function) -> Result<Outcome, Diagnostic> {
    let module = &mut *session.module;
    let blocks: Vec<Block> = module.blocks(function).collect();
    let parameters = blocks.into_iter().flat_map(|block| module.parameters(block)).map(Inst::from);
    let parameters: Vec<Inst> = parameters.collect();
    Ok(changed(remove_trivial_parameters(module, &parameters)))
}

/// The first dimension of ids is affine in the lane, the others are uniform; all lanes are launched.
fn mask_full_packs(session: &mut Session<'_>, function: Function) -> Result<Outcome, Diagnostic> {
    let mut facts = Facts { is_full: true, ..Facts::default() };
    for built_in in [BuiltIn::LocalInvocationId, BuiltIn::GlobalInvocationId, BuiltIn::WorkgroupId] {
        for component in 0..3 {
            let is_affine = component == 0 && built_in != BuiltIn::WorkgroupId;
            let shape = if is_affine { Variation::Affine { stride: 1 } } else { Variation::Uniform };
            facts.inputs.insert((built_in, component), InputFact { variation: shape, range: (0, (1 << 20) - 1) });
        }
    }
    session.set(LaunchFacts { inputs: facts, ..LaunchFacts::default() });
    for &name in ["scalarize"].iter().chain(LOOPS).chain(MASKS) {
        session.run(codegen::named(name), &[function]).map_err(|failure| failure.error)?;
    }
    Ok(changed(1))
}
