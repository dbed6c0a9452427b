//! Declared limits: a function whose result SPIR-V or memory cannot represent is rejected before it is rewritten, as far as this can be
//! predicted.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_structurize::{LimitCode, Origin, Plan, PlanBlock, Terminator};

use super::bundle::Bundles;
use super::payload::Payload;
use reconverge_rewrite::jumps::GrowthLimit;

/// The maximum number of cases of a switch (SPIR-V section 2.17, universal limits).
const CASE_LIMIT: usize = 16_383;

/// A declared limit that a function exceeds.
pub(super) fn exceeded(message: String) -> Diagnostic {
    Diagnostic::new(LimitCode::Limit, Place::Whole, message)
}

/// Checks a plan and the arguments of its edges against the limits. Linear in the plan.
pub(super) fn check(plan: &Plan, bundles: &Bundles, payload: &Payload) -> Result<(), Diagnostic> {
    let mut arguments = 0;
    for (index, block) in plan.blocks.iter().enumerate() {
        if let Terminator::Switch { cases, .. } = &block.terminator
            && cases.len() > CASE_LIMIT
        {
            let message = format!("a switch would need {} cases, the limit is {CASE_LIMIT}", cases.len());
            return Err(exceeded(message).with_help("split the function: SPIR-V has no larger switch (section 2.17)"));
        }
        let planned = PlanBlock::new(index);
        let slots = match block.origin {
            Origin::Input(input) => payload.parameters(input.index()),
            Origin::Added(_) => payload.needed(planned),
        };
        let parameters = slots.len() + usize::from(block.has_selector);
        arguments += parameters * bundles.incoming(planned).len();
        GrowthLimit::check(parameters, arguments).map_err(|growth| exceeded(growth.to_string()))?;
    }
    Ok(())
}
