//! Checks WGSL for control flow that has to be uniform by the rules of WGSL.
//!
//! An implementation of WGSL rejects a barrier if it cannot prove that all invocations of the workgroup reach it. So the text is checked as
//! `check` does, and such a barrier is rejected. For a derivative or a subgroup operation there is a filter: if it may not be uniform, its
//! value is undefined in SPIR-V as in WGSL, and the text states with the filter that this is intended.

use std::fmt::Write as _;

use reconverge_diagnostic::{Diagnostic, Place, Severity};

use super::WriteCode;
use super::module::Converted;
use crate::uniformity::{UniformityRule, first_barrier, uniformity};

/// A text that satisfies the uniformity rules of WGSL.
///
/// # Errors
/// A barrier in control flow that WGSL does not prove to be uniform.
pub(super) fn judged(text: String, converted: &Converted) -> Result<String, Diagnostic> {
    // Text that naga's parser does not know is not checked.
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
