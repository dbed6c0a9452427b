//! Declared limits: a function whose result SPIR-V or memory cannot represent is rejected before it is rewritten, as far as this can be
//! predicted.

use std::fmt;

use reconverge_structurize::{LimitError, Origin, Plan, PlanBlock, Terminator};

use super::bundle::Bundles;
use super::payload::Payload;
use reconverge_rewrite::jumps::GrowthLimit;

/// The maximum number of cases of a switch (SPIR-V section 2.17, universal limits).
const CASE_LIMIT: usize = 16_383;

/// A declared limit that a function exceeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// One of the structurizer's.
    Plan(LimitError),
    /// A switch would need more cases than SPIR-V allows.
    Cases {
        /// The required number.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// Passing values would cost too much.
    Growth(GrowthLimit),
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Plan(error) => write!(formatter, "{error}"),
            Limit::Cases { count, limit } => {
                write!(formatter, "a switch would need {count} cases, the limit is {limit}")
            }
            Limit::Growth(growth) => write!(formatter, "{growth}"),
        }
    }
}

/// Checks a plan and the arguments of its edges against the limits. Linear in the plan.
pub(super) fn check(plan: &Plan, bundles: &Bundles, payload: &Payload) -> Result<(), Limit> {
    let mut arguments = 0;
    for (index, block) in plan.blocks.iter().enumerate() {
        if let Terminator::Switch { cases, .. } = &block.terminator
            && cases.len() > CASE_LIMIT
        {
            return Err(Limit::Cases { count: cases.len(), limit: CASE_LIMIT });
        }
        let planned = PlanBlock::new(index);
        let slots = match block.origin {
            Origin::Input(input) => payload.parameters(input.index()),
            Origin::Added(_) => payload.needed(planned),
        };
        let parameters = slots.len() + usize::from(block.has_selector);
        arguments += parameters * bundles.incoming(planned).len();
        GrowthLimit::check(parameters, arguments).map_err(Limit::Growth)?;
    }
    Ok(())
}
