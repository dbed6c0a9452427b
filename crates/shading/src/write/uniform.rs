//! Checks WGSL for control flow that has to be uniform by the rules of WGSL.
//!
//! An implementation of WGSL rejects a barrier if it cannot prove that all invocations of the workgroup reach it. So the text is checked as
//! `check` does, and such a barrier is rejected. For a derivative or a subgroup operation there is a filter: if it may not be uniform, its
//! value is undefined in SPIR-V as in WGSL, and the text states with the filter that this is intended.

use std::fmt::Write as _;

use reconverge_diagnostic::{Diagnostic, Place, Severity};
use reconverge_ir::Inst;

use super::WriteCode;
use crate::source::UniformityRule;
use crate::syntax::{Block, Callee, Shape, Text};
use crate::uniformity;

/// The functions that wait for all invocations of the workgroup.
const BARRIERS: [&str; 4] = ["workgroupBarrier", "storageBarrier", "textureBarrier", "workgroupUniformLoad"];

/// A text that satisfies the uniformity rules of WGSL, from a tree and how it is printed.
///
/// # Errors
/// A barrier in control flow that WGSL does not prove to be uniform.
pub(super) fn judged(tree: &Text, text: String) -> Result<String, Diagnostic> {
    // Text that naga's parser does not know is not checked. It does not know `subgroupElect`.
    let known = text.replace("subgroupElect()", "(subgroupExclusiveAdd(1u) == 0u)");
    let Ok(findings) = uniformity(&known) else { return Ok(text) };
    let errors: Vec<_> = findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    if let Some(finding) = errors.iter().find(|finding| finding.rule == UniformityRule::Barrier) {
        let reason = finding.diagnostic.notes().last().map_or("control flow", |note| note.message.as_str());
        let message = format!("{}, which WGSL does not find: {reason}", finding.diagnostic.message);
        let place = barrier_of(&finding.diagnostic, tree, &text).map_or(Place::Whole, Place::from);
        return Err(Diagnostic::new(WriteCode::Flow, place, message));
    }
    let mut result = String::new();
    for &rule in UniformityRule::ALL {
        if let Some(filter) = rule.filter().filter(|_| errors.iter().any(|finding| finding.rule == rule)) {
            let _ = writeln!(result, "diagnostic(off, {filter});");
        }
    }
    Ok(with_directives(&result, &text))
}

/// The text with directives behind those that enable extensions.
fn with_directives(directives: &str, text: &str) -> String {
    if directives.is_empty() {
        return text.to_owned();
    }
    let is_head = |line: &&str| line.starts_with("enable ");
    let length: usize = text.lines().take_while(is_head).map(|line| line.len() + 1).sum();
    let (head, rest) = text.split_at(length);
    format!("{head}{directives}\n{}", rest.trim_start_matches('\n'))
}

/// The barrier that a finding is about: the first one in the lines that it names, the innermost call first.
fn barrier_of(finding: &Diagnostic, tree: &Text, text: &str) -> Option<Inst> {
    let mut origins = Vec::new();
    tree.functions.iter().for_each(|function| add_barriers(tree, &function.body, &mut origins));
    let places = finding.notes().iter().map(|note| note.place).chain([finding.place]);
    let lines = places.filter_map(|place| match place {
        Place::Line(line, _) => Some(line),
        _ => None,
    });
    let mut numbers = lines.filter_map(|line| {
        let count = |line: &str| BARRIERS.iter().map(|name| line.matches(&format!("{name}(")).count()).sum::<usize>();
        let before = text.lines().take(line.saturating_sub(1)).map(count).sum::<usize>();
        (count(text.lines().nth(line.checked_sub(1)?)?) > 0).then_some(before)
    });
    origins.get(numbers.next()?).copied().flatten()
}

/// The instructions of the barriers in a list, in the order of the text.
fn add_barriers(tree: &Text, block: &Block, found: &mut Vec<Option<Inst>>) {
    for statement in block {
        for expr in statement.expressions() {
            tree.expressions.walk(expr, &mut |part| {
                if let Shape::Call { callee: Callee::Intrinsic(name), .. } = tree.expressions[part].shape
                    && BARRIERS.contains(&name)
                {
                    found.push(statement.origin);
                }
            });
        }
        statement.blocks().into_iter().for_each(|inner| add_barriers(tree, inner, found));
    }
}
