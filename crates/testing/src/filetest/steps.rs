//! Steps that have no name in a pipeline, so that a filetest can show one of them alone.
//!
//! | name | what it is |
//! |---|---|
//! | `sroa_once` | the first step of `sroa`: splits variables, promotes none |
//! | `mem2reg` | the second step of `sroa`: promotes variables to values, however deep the loops are |
//! | `inline_all` | inlines every call of a function with a body |
//! | `merge_terminators` | the first step of `simplify_cfg`: combines consecutive conditional exits |

use reconverge::optimize::{Analyses, Promotion, inline_calls, mem2reg, sroa, structured};
use reconverge::rewrite::pass::{Outcome, Pass, PassError, PassErrorKind, Preserves, Stages, Work};
use reconverge::rewrite::session::Session;
use reconverge_ir::Function;

/// How many instructions a module may have behind `inline_all`.
const INLINE_LIMIT: usize = 1 << 20;

/// Every step.
pub(super) const STEPS: &[Pass] = &[
    step("sroa_once", Stages::Any, Work::Function(sroa_once)),
    step("mem2reg", Stages::Any, Work::Function(promote)),
    step("inline_all", Stages::Any, Work::Module(inline_all)),
    step("merge_terminators", Stages::Structured, Work::Function(merge_terminators)),
];

const fn step(name: &'static str, accepts: Stages, work: Work) -> Pass {
    Pass { name, summary: "a step of another pass", accepts, leads_to: None, work }
}

fn changed(is_changed: bool) -> Outcome {
    Outcome { functions_changed: usize::from(is_changed), preserves: Preserves::Nothing }
}

fn sroa_once(session: &mut Session<'_>, function: Function) -> Result<Outcome, PassError> {
    let (module, analyses) = session.parts::<Analyses>();
    Ok(changed(sroa(module, function, analyses.facts()) > 0))
}

fn promote(session: &mut Session<'_>, function: Function) -> Result<Outcome, PassError> {
    let (module, analyses) = session.parts::<Analyses>();
    Ok(changed(mem2reg(module, function, analyses.facts(), Promotion::All) > 0))
}

fn inline_all(session: &mut Session<'_>, functions: &[Function]) -> Result<Outcome, PassError> {
    match inline_calls(session.module, functions, INLINE_LIMIT) {
        Ok(inlined) => Ok(changed(inlined > 0)),
        Err(error) => {
            let message = error.to_string();
            Err(PassError { kind: PassErrorKind::Unsupported, code: "inline", message, at: None })
        }
    }
}

fn merge_terminators(session: &mut Session<'_>, function: Function) -> Result<Outcome, PassError> {
    Ok(changed(structured::merge_terminators(session.module, function)?))
}
