//! WGSL whose control flow has to be uniform, by the rules of WGSL and not by what the shader does.
//!
//! An implementation of WGSL refuses a barrier where it cannot prove that all invocations of the workgroup reach it. So the text is judged as `check` judges it,
//! and such a barrier is refused. A derivative or a subgroup operation has a filter: where it may not be uniform its value is undefined in SPIR-V as in WGSL,
//! and the text says that it is meant so.

use std::fmt::Write as _;

use reconverge_diagnostic::{Diagnostic, Place, Severity};

use super::WriteCode;
use super::module::Converted;
use crate::uniformity::{UniformityRule, first_barrier, uniformity};

/// A text that WGSL accepts, as far as it is about uniformity.
///
/// # Errors
/// A barrier in control flow that WGSL does not take for uniform.
pub(super) fn judged(text: String, converted: &Converted) -> Result<String, Diagnostic> {
    // What naga's parser does not know has no verdict.
    let Ok(findings) = uniformity(&text) else { return Ok(text) };
    let errors: Vec<_> = findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    if let Some(finding) = errors.iter().find(|finding| finding.rule == UniformityRule::Barrier) {
        let barrier = first_barrier(&converted.module).and_then(|number| converted.barriers.get(number)).copied();
        let reason = finding.diagnostic.notes().last().map_or("control flow", |note| note.message.as_str());
        let message = format!("{}, which WGSL does not find: {reason}", finding.diagnostic.message);
        return Err(Diagnostic::new(WriteCode::Flow, barrier.map_or(Place::Whole, Place::from), message));
    }
    let mut result = String::new();
    for &rule in UniformityRule::ALL {
        if let Some(filter) = rule.filter().filter(|_| errors.iter().any(|finding| finding.rule == rule)) {
            let _ = writeln!(result, "diagnostic(off, {filter});");
        }
    }
    if !result.is_empty() {
        result.push('\n');
    }
    Ok(result + &text)
}
