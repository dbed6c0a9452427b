//! `check` of WGSL: the uniformity rules of the language, besides the checks of the module.
//!
//! The rules decide what a browser accepts. The checks that are about the same operations follow lanes more precisely and find less, so they
//! are off for WGSL, unless they are asked for.

use reconverge::diagnose::{Level, Severity, WGSL};
use reconverge::shading::{UniformityFinding, UniformityNote, UniformityRule, UniformitySeverity};
use reconverge::{Format, Place};

use crate::codes::{Plain, plain};
use crate::diagnostics::{Diagnostic, Waypoint};
use crate::input::Input;
use crate::shorten::ShownLine;

const SAME_FOR_ALL: &str =
    "call it where all invocations go the same way; `workgroupUniformLoad` makes a value the same for all";

/// What the codes of the rules mean.
pub(crate) const CODES: &[Plain] = &[
    plain(
        "uniformity-barrier",
        "A barrier, or `workgroupUniformLoad`, is called where the invocations of a workgroup may go different ways. WGSL does not \
             accept such a shader.",
        SAME_FOR_ALL,
    ),
    plain(
        "uniformity-derivative",
        "A derivative, or a sample with an implicit level of detail, is computed where invocations may go different ways \
             (`derivative_uniformity` in WGSL).",
        "compute it before the branch, or choose the level of detail",
    ),
    plain(
        "uniformity-subgroup",
        "A subgroup operation is called where the invocations of a subgroup may go different ways, or an argument that has to be the \
             same for all may differ (`subgroup_uniformity` in WGSL).",
        "call it before the branch",
    ),
];

/// The rules that a name on the command line means: a code, a name of WGSL, or `wgsl` for all.
pub(crate) fn rules_named(name: &str) -> Vec<UniformityRule> {
    let is_meant = |rule: &UniformityRule| name == WGSL || rule.code() == name || rule.filter() == Some(name);
    UniformityRule::ALL.into_iter().filter(is_meant).collect()
}

/// The violations of the rules in an input of WGSL, at the levels that were chosen; nothing for other inputs, and for texts that cannot be
/// read.
pub(crate) fn check(input: &Input, chosen: &[(UniformityRule, Level)], denies_warnings: bool) -> Vec<Diagnostic> {
    let text = match std::str::from_utf8(&input.bytes) {
        Ok(text) if input.format == Format::WGSL => text,
        _ => return Vec::new(),
    };
    let findings = reconverge::shading::uniformity(text).unwrap_or_default();
    let told = findings.iter().filter_map(|finding| {
        let level = chosen.iter().find(|(rule, _)| *rule == finding.rule).map(|(_, level)| *level);
        let severity = match (level, finding.severity) {
            (Some(Level::Off), _) => return None,
            (Some(Level::Error), _) | (None, UniformitySeverity::Error) => Severity::Error,
            (Some(Level::Info), _) | (None, UniformitySeverity::Info) => Severity::Note,
            (Some(Level::Warning), _) | (None, UniformitySeverity::Warning) => Severity::Warning,
        };
        let is_raised = denies_warnings && severity == Severity::Warning;
        Some(diagnostic(finding, if is_raised { Severity::Error } else { severity }, input, text))
    });
    told.collect()
}

fn diagnostic(finding: &UniformityFinding, severity: Severity, input: &Input, text: &str) -> Diagnostic {
    let suggestion = match finding.rule.filter() {
        Some(filter) => {
            format!("call it where all invocations go the same way, or write `diagnostic(off, {filter});` if they do")
        }
        None => SAME_FOR_ALL.to_owned(),
    };
    let path = finding.notes.iter().map(|note| {
        let (place, line) = shown(note, text);
        Waypoint { message: note.message.clone(), place, line, ..Waypoint::default() }
    });
    let (place, line) = shown(&finding.place, text);
    Diagnostic {
        severity,
        code: finding.rule.code().to_owned(),
        message: finding.place.message.clone(),
        file: Some(input.name.clone()),
        place,
        line,
        suggestion: Some(suggestion),
        path: path.collect(),
        ..Diagnostic::default()
    }
}

fn shown(note: &UniformityNote, text: &str) -> (Option<Place>, Option<ShownLine>) {
    let line = text.lines().nth(note.line.saturating_sub(1)).map(|line| ShownLine::new(line, note.column));
    (Some(Place::Line(note.line, note.column)), line)
}
