//! Which conditions a barrier needs to be uniform, and are not by the rules of WGSL.
//!
//! ```text
//! loop {
//!     if (i >= n) { break; }          uniform, if control flow is: no cause
//!     if (data[i] == 0) { break; }    a cause: a value that is loaded
//!     workgroupBarrier();             depends on both conditions, by the control flow of the next round
//!     i++;
//! }
//! ```
//!
//! From the control flow of the barrier, the edges to control flow lead to every condition on which it depends in WGSL. If all of these are uniform,
//! it is. So a condition needs to be changed if its value leads to a source that may differ without another one of these conditions on the
//! way. It can be changed if it decides whether the barrier is reached (`paths.rs`). If one of them does not, the barrier has no causes.

use std::collections::BTreeSet;

use reconverge_ir::Inst;

use super::body::{Body, Condition};
use super::graph::{Node, Ways};
use super::paths::Paths;
use super::summary::{Requirement, Subject};
use crate::source::UniformityRule;
use crate::syntax::Expr;

/// A value that has to be uniform, and is not by the rules of WGSL.
#[derive(Clone, Debug)]
pub(super) enum Cause {
    Value(CauseValue),
    /// A parameter of a function.
    Parameter {
        function: usize,
        parameter: usize,
    },
}

/// A value that is a cause.
#[derive(Clone, Debug)]
pub(super) struct CauseValue {
    pub(super) expr: Expr,
    pub(super) origin: Option<Inst>,
    /// The source that may differ.
    pub(super) reason: String,
    /// True if it is computed in a loop.
    pub(super) is_repeated: bool,
}

impl Body<'_> {
    /// The causes of a requirement that is not met, if its rule has no filter.
    pub(super) fn causes(&self, non_uniform: &Ways, requirement: &Requirement) -> Vec<Cause> {
        if requirement.demand.rule != UniformityRule::Barrier {
            return Vec::new();
        }
        match requirement.subject {
            Subject::Flow => self.conditions_of(non_uniform, requirement),
            Subject::Value(expr) => {
                let reason = self.reason(non_uniform, requirement.node);
                let (origin, is_repeated) = (requirement.place.origin, requirement.is_repeated);
                vec![Cause::Value(CauseValue { expr, origin, reason, is_repeated })]
            }
            Subject::Argument { function, parameter } => vec![Cause::Parameter { function, parameter }],
        }
    }

    fn conditions_of(&self, non_uniform: &Ways, requirement: &Requirement) -> Vec<Cause> {
        let along_control = |node: Node, edges: &[Node]| match self.conditions.get(&node) {
            Some(condition) => vec![condition.flow],
            None => edges.to_vec(),
        };
        let reached = self.graph.reached(requirement.node, along_control);
        let needed: BTreeSet<Node> = reached.into_iter().filter(|node| self.conditions.contains_key(node)).collect();
        let causes = needed.iter().map(|node| self.conditions[node]).filter(|condition| {
            non_uniform.lead_from(condition.value) && self.differs_by_itself(condition.value, &needed)
        });
        let causes: Vec<Condition> = causes.collect();
        let paths = Paths::of(self.function, &self.text.expressions);
        if !causes.iter().all(|condition| paths.decides(condition.expr, requirement.operation)) {
            return Vec::new();
        }
        causes.into_iter().map(|condition| self.cause(non_uniform, condition)).collect()
    }

    /// Returns whether a value leads to a source that may differ, besides by control flow that is assumed to be uniform.
    fn differs_by_itself(&self, value: Node, assumed: &BTreeSet<Node>) -> bool {
        let onward = |node: Node, edges: &[Node]| if assumed.contains(&node) { Vec::new() } else { edges.to_vec() };
        self.graph.reached(value, onward).contains(&self.non_uniform)
    }

    fn cause(&self, non_uniform: &Ways, condition: Condition) -> Cause {
        let Condition { expr, value, origin, is_repeated, .. } = condition;
        Cause::Value(CauseValue { expr, origin, reason: self.reason(non_uniform, value), is_repeated })
    }

    /// The source that a node leads to, in words.
    fn reason(&self, non_uniform: &Ways, node: Node) -> String {
        self.graph.explain(non_uniform, node).pop().map(|remark| remark.message).unwrap_or_default()
    }
}
