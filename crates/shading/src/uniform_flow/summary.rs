//! The facts about a function that callers need, and the violations in it. Source: WGSL, section 15.2.3.

use super::body::{Body, Judged};
use super::causes::Cause;
use super::graph::{Node, Ways};
use super::sharing::Plan;
use super::{Finding, Remark, Scope};
use crate::source::UniformityRule;
use crate::syntax::{Expr, Text};

/// A violation, and what it depends on.
pub(super) struct Violation {
    /// The number of the function.
    pub(super) function: usize,
    pub(super) finding: Finding,
    /// What has to be uniform for the operation to be in uniform control flow; empty if the rule has a filter.
    pub(super) causes: Vec<Cause>,
}

/// The subject of a requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Subject {
    /// The control flow of an operation or a call.
    Flow,
    /// A value.
    Value(Expr),
    /// An argument: a value, or the variable that it points to.
    Argument { function: usize, parameter: usize },
}

/// A node that has to be uniform.
pub(super) struct Requirement {
    pub(super) demand: Demand,
    pub(super) node: Node,
    /// The expression of the operation or the call.
    pub(super) operation: Expr,
    /// The operation or the call that requires it.
    pub(super) place: Remark,
    pub(super) subject: Subject,
    /// True if a loop is around it.
    pub(super) is_repeated: bool,
}

/// A demand of a function on its callers: the rule, and the calls down to the operation.
#[derive(Clone)]
pub(super) struct Demand {
    pub(super) rule: UniformityRule,
    pub(super) path: Vec<Remark>,
}

/// The dependence of a value that leaves a function, besides the control flow of the call.
#[derive(Clone, Default)]
pub(super) struct Dependence {
    /// True if it depends on a source in the function that may be non-uniform.
    pub(super) is_non_uniform: bool,
    /// The parameters on which it depends.
    pub(super) parameters: Vec<usize>,
}

/// The facts about a parameter that callers need.
#[derive(Clone, Default)]
pub(super) struct Parameter {
    /// It has to be uniform.
    pub(super) demands: Vec<Demand>,
    /// The variable that it points to at the end.
    pub(super) written: Option<Dependence>,
}

/// The facts about a function that callers need.
#[derive(Clone, Default)]
pub(super) struct Summary {
    /// The control flow of the call has to be uniform.
    pub(super) flow: Vec<Demand>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) result: Dependence,
}

/// The violations of a text over a scope, if the values of a plan go through memory.
pub(super) fn of_text(text: &Text, plan: &Plan, scope: Scope) -> Vec<Violation> {
    let judged = Judged { text, plan, scope };
    let mut violations = Vec::new();
    let mut summaries: Vec<Summary> = Vec::new();
    // A text has functions before their callers.
    for number in 0..text.functions.len() {
        let body = Body::of(judged, number, &summaries);
        let summary = body.summarize(number, &mut violations);
        summaries.push(summary);
    }
    violations
}

impl Body<'_> {
    /// Adds the violations, and returns what callers need.
    fn summarize(&self, number: usize, violations: &mut Vec<Violation>) -> Summary {
        let non_uniform = self.graph.ways_to(self.non_uniform);
        let start = self.graph.ways_to(self.start);
        let parameters: Vec<Ways> =
            self.parameters.iter().map(|parameter| self.graph.ways_to(parameter.value)).collect();
        let violated = self.requirements.iter().filter(|requirement| non_uniform.lead_from(requirement.node));
        violations.extend(violated.map(|requirement| Violation {
            function: number,
            finding: self.finding(&non_uniform, requirement),
            causes: self.causes(&non_uniform, requirement),
        }));
        let dependence = |from: Node| Dependence {
            is_non_uniform: non_uniform.lead_from(from),
            parameters: (0..parameters.len()).filter(|&index| parameters[index].lead_from(from)).collect(),
        };
        let demands = |ways: &Ways| -> Vec<Demand> {
            let unmet = self.requirements.iter().filter(|requirement| !non_uniform.lead_from(requirement.node));
            first_of_each(unmet.filter(|requirement| ways.lead_from(requirement.node)))
        };
        let of_parameters = self.parameters.iter().zip(&parameters).map(|(parameter, ways)| Parameter {
            demands: demands(ways),
            written: parameter.is_pointer.then(|| dependence(parameter.left)),
        });
        Summary { flow: demands(&start), parameters: of_parameters.collect(), result: dependence(self.returned) }
    }

    /// The calls down to the operation, the first dependence of its control flow, and the source that may be non-uniform.
    fn finding(&self, ways: &Ways, requirement: &Requirement) -> Finding {
        let mut path = requirement.demand.path.clone();
        let reasons = self.graph.explain(ways, requirement.node);
        if let [first, .., last] = &reasons[..] {
            path.extend([first.clone(), last.clone()]);
        } else {
            path.extend(reasons);
        }
        Finding { rule: requirement.demand.rule, place: requirement.place.clone(), path }
    }
}

/// The first demand of each rule.
fn first_of_each<'r>(requirements: impl Iterator<Item = &'r Requirement>) -> Vec<Demand> {
    let mut demands: Vec<Demand> = Vec::new();
    for Requirement { demand, place, .. } in requirements {
        if demands.iter().all(|known| known.rule != demand.rule) {
            let path = std::iter::once(place).chain(&demand.path).cloned().collect();
            demands.push(Demand { rule: demand.rule, path });
        }
    }
    demands
}
