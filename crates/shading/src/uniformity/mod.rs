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
//! | `graph.rs` | nodes, edges, and which nodes lead to a target |
//! | `sources.rs` | which built-ins and address spaces are uniform |
//! | `environment.rs` | the values of variables, and where branches join |
//! | `statements.rs`, `expressions.rs`, `operations.rs` | a function becomes a graph |
//! | `summary.rs` | what callers have to know about a function |
//!
//! Naga's module keeps the structure that the rules need: statements nest as in the text, and `&&` and `||` are selections. Barriers of a
//! workgroup and derivatives are checked over the invocations of a workgroup or a draw, subgroup operations over those of a subgroup, in
//! two runs.
//!
//! Source: WGSL, section 15.2. Time: the size of a function times its nesting, and its size times its parameters.

mod environment;
mod expressions;
mod graph;
mod operations;
mod sources;
mod statements;
mod summary;

use naga::{Module, Span};

use crate::read::{LocalFilter, ReadError, local_filters, located};

/// The operations that need uniform control flow, by the names of WGSL's diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UniformityRule {
    /// A barrier of the workgroup: always an error.
    Barrier,
    /// A derivative, also that of an implicit level of detail: `derivative_uniformity`.
    Derivative,
    /// A subgroup or quad operation: `subgroup_uniformity`.
    Subgroup,
}

impl UniformityRule {
    /// Every rule.
    pub const ALL: [UniformityRule; 3] =
        [UniformityRule::Barrier, UniformityRule::Derivative, UniformityRule::Subgroup];

    /// The code of its findings.
    pub const fn code(self) -> &'static str {
        match self {
            UniformityRule::Barrier => "uniformity-barrier",
            UniformityRule::Derivative => "uniformity-derivative",
            UniformityRule::Subgroup => "uniformity-subgroup",
        }
    }

    /// The name by which WGSL's `diagnostic` filters it, if it can be filtered.
    pub const fn filter(self) -> Option<&'static str> {
        match self {
            UniformityRule::Barrier => None,
            UniformityRule::Derivative => Some("derivative_uniformity"),
            UniformityRule::Subgroup => Some("subgroup_uniformity"),
        }
    }
}

/// The severity of a violation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UniformitySeverity {
    /// Only a remark.
    Info,
    /// The shader is valid.
    Warning,
    /// The shader is not valid.
    Error,
}

/// A place in the text, and a message about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UniformityNote {
    /// Line and column, from 1; columns count characters.
    pub line: usize,
    /// See [`line`](Self::line).
    pub column: usize,
    /// The message.
    pub message: String,
}

/// A violation of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UniformityFinding {
    /// The rule.
    pub rule: UniformityRule,
    /// The severity, by the filters of the text.
    pub severity: UniformitySeverity,
    /// The call, and the operation that requires uniformity.
    pub place: UniformityNote,
    /// The reason why it may not be uniform: the calls down to the operation, the control flow, and the value that may be non-uniform.
    pub notes: Vec<UniformityNote>,
}

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
    fn note(&self, text: &str) -> UniformityNote {
        let (line, column) = located(self.span, text).unwrap_or((1, 1));
        UniformityNote { line, column, message: self.message.clone() }
    }
}

/// The violations of a text of WGSL, in its order.
///
/// # Errors
/// [`ReadError`] if the text cannot be read.
pub fn uniformity(text: &str) -> Result<Vec<UniformityFinding>, ReadError> {
    let filters = local_filters(text);
    crate::read::with_wgsl(text, |module| of_module(module, &filters, text))
}

/// The number in the span of the first barrier of a module that is not in uniform control flow. In a module that is being written, the
/// spans of barriers have numbers from 1.
pub(crate) fn first_barrier(module: &Module) -> Option<usize> {
    let violations = summary::of_module(module, &[], Scope::Whole);
    let barrier = violations.into_iter().find(|violation| violation.rule == UniformityRule::Barrier)?;
    let spans = barrier.notes.iter().map(|remark| remark.span).chain([barrier.place.span]);
    let number = spans.filter_map(|span| span.to_range()).map(|range| range.start).find(|&start| start > 0)?;
    Some(number - 1)
}

fn of_module(module: &Module, filters: &[LocalFilter], text: &str) -> Vec<UniformityFinding> {
    let mut findings: Vec<UniformityFinding> = [Scope::Whole, Scope::Subgroup]
        .into_iter()
        .flat_map(|scope| summary::of_module(module, filters, scope))
        .map(|violation| UniformityFinding {
            rule: violation.rule,
            severity: violation.severity,
            place: violation.place.note(text),
            notes: violation.notes.iter().map(|remark| remark.note(text)).collect(),
        })
        .collect();
    // A call may break a rule in several ways; the one about control flow comes first.
    let key = |finding: &UniformityFinding| (finding.place.line, finding.place.column, finding.rule);
    findings.sort_by_key(key);
    findings.dedup_by_key(|finding| key(finding));
    findings
}

#[cfg(test)]
mod tests;
