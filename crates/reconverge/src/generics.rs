//! The pass that takes a module from stage Generic to stage Graph.

use reconverge_rewrite::pass::{Outcome, Pass, Stages, Work};

/// The pass.
pub(crate) const PASSES: &[Pass] = &[Pass {
    name: "lower_generics",
    summary: "specializes generics, and replaces values of interface type by tags and words",
    accepts: Stages::Any,
    leads_to: None,
    work: Work::Module(|session, _| {
        if session.module.generic_use().is_none() {
            return Ok(Outcome::UNCHANGED);
        }
        reconverge_generics::lower_generics(session.module)?;
        Ok(Outcome::control_flow(1))
    }),
}];
