//! The uniformity rules of WGSL: checks that operations that need uniform control flow are called there.
//!
//! A barrier, a derivative or a subgroup operation needs all invocations of its scope together. WGSL requires a proof, by an analysis that
//! every implementation does in the same way. For each function it builds a graph whose edges mean "is uniform only if":
//!
//! ```text
//!                    workgroupBarrier()             an edge for each operand of a value, and one to the control
//!                            │                      flow that computes it
//!   if (x > n) {             ▼
//!     workgroupBarrier();  control flow ──▶ x > n ──▶ x ──▶ MayBeNonUniform: a violation
//!   }                        │
//!                            └─────────────────────▶ control flow at the start: the caller's part
//! ```
//!
//! A requirement with a path to a source that may be non-uniform is a violation. A requirement with a path to the control flow at the start
//! or to a parameter becomes a requirement of the callers, so functions are analyzed before their callers.
//!
//! | file | |
//! |---|---|
//! | `uniform_flow/graph.rs` | nodes, edges, and which nodes lead to a target |
//! | `sources.rs` | which built-ins and address spaces are uniform |
//! | `uniform_flow/environment.rs` | the values of variables, and where branches join |
//! | `statements.rs`, `expressions.rs`, `operations.rs` | a function becomes a graph |
//! | `summary.rs` | what callers have to know about a function |
//!
//! Naga's module keeps the structure that the rules need: statements nest as in the text, and `&&` and `||` are selections. Barriers of a
//! workgroup and derivatives are checked over the invocations of a workgroup or a draw, subgroup operations over those of a subgroup, in
//! two runs.
//!
//! Source: WGSL, section 15.2. Time: the size of a function times its nesting, and its size times its parameters.

mod expressions;
mod operations;
mod sources;
mod statements;
mod summary;

use naga::{Module, Span};
use reconverge_diagnostic::{Diagnostic, Place};

use crate::read::{LocalFilter, local_filters, located};
use crate::source::{UniformityFinding, UniformityRule};
use crate::uniform_flow::{environment, graph};

/// The invocations over which control flow and values are uniform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    /// Those of a workgroup, or of a draw.
    Whole,
    /// Those of a subgroup.
    Subgroup,
}

impl Scope {
    /// Returns whether the rule is about this scope.
    fn has(self, rule: UniformityRule) -> bool {
        (rule == UniformityRule::Subgroup) == (self == Scope::Subgroup)
    }
}

/// The subject of a remark, with its place.
#[derive(Clone, Debug)]
struct Remark {
    span: Span,
    message: String,
}

impl Remark {
    fn place(&self, text: &str) -> Place {
        located(self.span, text).unwrap_or(Place::Line(1, 1))
    }
}

/// The violations of a text of WGSL, in its order.
///
/// # Errors
/// One of [`ReadCode`](crate::ReadCode) if the text cannot be read.
pub fn uniformity(text: &str) -> Result<Vec<UniformityFinding>, Diagnostic> {
    let filters = local_filters(text);
    crate::read::with_wgsl(text, |module| of_module(module, &filters, text))
}

fn of_module(module: &Module, filters: &[LocalFilter], text: &str) -> Vec<UniformityFinding> {
    let mut findings: Vec<UniformityFinding> = [Scope::Whole, Scope::Subgroup]
        .into_iter()
        .flat_map(|scope| summary::of_module(module, filters, scope))
        .map(|violation| {
            let about = violation.place;
            let diagnostic = Diagnostic::new(violation.rule, about.place(text), about.message);
            let noted = |diagnostic: Diagnostic, note: Remark| diagnostic.with_note(note.place(text), note.message);
            let diagnostic = violation.notes.into_iter().fold(diagnostic, noted);
            UniformityFinding { rule: violation.rule, severity: violation.severity, diagnostic }
        })
        .collect();
    // A call may break a rule in several ways; the one about control flow comes first.
    let key = |finding: &UniformityFinding| (finding.diagnostic.place, finding.rule);
    findings.sort_by_key(key);
    findings.dedup_by_key(|finding| key(finding));
    findings
}

#[cfg(test)]
mod tests;
