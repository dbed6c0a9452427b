//! The pass that takes a module from stage Generic to stage Graph.

use reconverge_generics::{GenericsError, GenericsErrorKind};
use reconverge_rewrite::pass::{Outcome, Pass, PassError, PassErrorKind, Stages, Work};

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
        reconverge_generics::lower_generics(session.module).map_err(error)?;
        Ok(Outcome::control_flow(true))
    }),
}];

fn error(error: GenericsError) -> PassError {
    let kind = match error.kind {
        GenericsErrorKind::Depth | GenericsErrorKind::Size => PassErrorKind::Limit,
        GenericsErrorKind::Value => PassErrorKind::Unsupported,
        GenericsErrorKind::Open
        | GenericsErrorKind::Cycle
        | GenericsErrorKind::Malformed
        | GenericsErrorKind::NoType => PassErrorKind::Rejected,
    };
    PassError { kind, code: error.kind.code(), message: error.to_string(), at: Some(error.at) }
}
