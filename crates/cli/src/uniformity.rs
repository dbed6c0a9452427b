//! `check` of WGSL: the uniformity rules of the language, besides the checks of the module.
//!
//! The rules decide what a browser accepts. The checks that are about the same operations follow lanes more precisely and find less, so
//! they are off for WGSL, unless they are requested.

use reconverge::shading::UniformityFinding;
pub(crate) use reconverge::shading::UniformityRule;
use reconverge::{Format, Place};
use reconverge_diagnose::{Level, Severity, WGSL};

use crate::diagnostics::{Diagnostic, Waypoint};
use crate::input::Input;
use crate::shorten::ShownLine;

/// The rules that a name on the command line means: a code, a name of WGSL, or `wgsl` for all.
pub(crate) fn rules_named(name: &str) -> Vec<UniformityRule> {
    let is_meant = |rule: &UniformityRule| name == WGSL || rule.name() == name || rule.filter() == Some(name);
    UniformityRule::ALL.iter().copied().filter(is_meant).collect()
}

/// The violations of the rules in an input of WGSL, at the levels that were chosen; nothing for other inputs, and for texts that cannot be
/// read. What would be a warning has the given severity.
pub(crate) fn check(input: &Input, chosen: &[(UniformityRule, Level)], of_warnings: Severity) -> Vec<Diagnostic> {
    let text = match std::str::from_utf8(&input.bytes) {
        Ok(text) if input.format == Format::WGSL => text,
        _ => return Vec::new(),
    };
    let findings = reconverge::shading::uniformity(text).unwrap_or_default();
    let told = findings.iter().filter_map(|finding| {
        let level = chosen.iter().find(|(rule, _)| *rule == finding.rule).map(|(_, level)| *level);
        let severity = match (level, finding.severity) {
            (Some(Level::Off), _) => return None,
            (Some(Level::Error), _) | (None, Severity::Error) => Severity::Error,
            (Some(Level::Info), _) | (None, Severity::Info | Severity::Note) => Severity::Note,
            (Some(Level::Warning), _) | (None, Severity::Warning) => of_warnings,
        };
        Some(diagnostic(finding, severity, input, text))
    });
    told.collect()
}

fn diagnostic(finding: &UniformityFinding, severity: Severity, input: &Input, text: &str) -> Diagnostic {
    let suggestion = match finding.rule.filter() {
        Some(filter) => {
            format!("call it where all invocations go the same way, or write `diagnostic(off, {filter});` if they do")
        }
        None => finding.rule.declared().help.to_owned(),
    };
    let path = finding.diagnostic.notes().iter().map(|note| {
        let (place, line) = shown(note.place, text);
        Waypoint { message: note.message.clone(), place, line, ..Waypoint::default() }
    });
    let (place, line) = shown(finding.diagnostic.place, text);
    Diagnostic {
        severity,
        code: finding.rule.declared(),
        message: finding.diagnostic.message.clone(),
        file: Some(input.name.clone()),
        place,
        line,
        suggestion: Some(suggestion),
        path: path.collect(),
        ..Diagnostic::default()
    }
}

fn shown(place: Place, text: &str) -> (Option<Place>, Option<ShownLine>) {
    (place.known(), ShownLine::at(place, text))
}
