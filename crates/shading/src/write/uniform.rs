//! Makes WGSL of control flow that has to be uniform by the rules of WGSL.
//!
//! An implementation of WGSL rejects a barrier if it cannot prove that all invocations of the workgroup reach it. So the conditions that a barrier
//! depends on go through workgroup memory where there is no proof ([`crate::uniform_flow`]), and a barrier is rejected where that is not
//! possible. For a derivative or a subgroup operation there is a filter: if it may not be uniform, its value is undefined in SPIR-V as in
//! WGSL, and the text states with the filter that this is intended.

use reconverge_diagnostic::{Diagnostic, Place};

use super::WriteCode;
use crate::source::UniformityRule;
use crate::syntax::Text;
use crate::uniform_flow::{Finding, SharedValue, judge, share};

/// Makes the control flow of a text uniform where it has to be, and adds the filters. Returns the values that go through memory.
///
/// # Errors
/// A barrier in control flow that cannot be made uniform.
pub(super) fn settle(text: &mut Text) -> Result<Vec<SharedValue>, Diagnostic> {
    let shared = share(text).map_err(|finding| refusal(&finding))?;
    let findings = judge(text);
    if let Some(finding) = findings.iter().find(|finding| finding.rule == UniformityRule::Barrier) {
        return Err(refusal(finding));
    }
    for rule in [UniformityRule::Derivative, UniformityRule::Subgroup] {
        if let Some(filter) = rule.filter().filter(|_| findings.iter().any(|finding| finding.rule == rule)) {
            text.head.push(format!("diagnostic(off, {filter});"));
        }
    }
    Ok(shared)
}

/// The refusal of a barrier, with the path from it to what may differ.
fn refusal(finding: &Finding) -> Diagnostic {
    let place_of = |origin: Option<reconverge_ir::Inst>| origin.map_or(Place::Whole, Place::from);
    let reason = finding.path.last().map_or("control flow", |remark| remark.message.as_str());
    let message = format!("{}, which WGSL does not find: {reason}", finding.place.message);
    let refused = Diagnostic::new(WriteCode::Flow, place_of(finding.place.origin), message);
    finding.path.iter().fold(refused, |refused, remark| refused.with_note(place_of(remark.origin), &*remark.message))
}
