//! The facts about a function that callers need, and the violations in it.

use naga::Module;
use reconverge_diagnostic::Severity;

use super::graph::{Graph, Node, Ways};
use super::statements::{Body, Judged};
use super::{Remark, Scope, UniformityRule};
use crate::read::LocalFilter;

/// A requirement that is not met.
pub(super) struct Violation {
    pub(super) rule: UniformityRule,
    pub(super) severity: Severity,
    pub(super) place: Remark,
    pub(super) notes: Vec<Remark>,
}

/// A node that has to be uniform.
pub(super) struct Requirement {
    pub(super) demand: Demand,
    pub(super) node: Node,
    /// The operation or the call that requires it.
    pub(super) place: Remark,
}

/// A demand of a function on its callers: the rule, and the calls down to the operation.
#[derive(Clone)]
pub(super) struct Demand {
    pub(super) rule: UniformityRule,
    pub(super) severity: Severity,
    pub(super) notes: Vec<Remark>,
}

/// The dependence of a value that leaves a function, besides the control flow of the call.
#[derive(Clone, Default)]
pub(super) struct Dependence {
    /// True if it depends on a source in the function that may be non-uniform.
    pub(super) is_non_uniform: bool,
    /// The parameters on whose values it depends.
    pub(super) values: Vec<usize>,
    /// The parameters whose memory it depends on.
    pub(super) contents: Vec<usize>,
}

/// The facts about a parameter that callers need.
#[derive(Clone, Default)]
pub(super) struct Parameter {
    /// Its value has to be uniform.
    pub(super) value: Vec<Demand>,
    /// The memory that it points to has to be uniform.
    pub(super) contents: Vec<Demand>,
    /// The memory that it points to at the end, if the function writes it.
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

/// The violations of a module over a scope; the filters are those in its functions.
pub(super) fn of_module(module: &Module, filters: &[LocalFilter], scope: Scope) -> Vec<Violation> {
    let judged = Judged { module, filters, scope };
    let mut violations = Vec::new();
    let mut summaries: Vec<Summary> = Vec::new();
    // Naga has callees before their callers.
    for (_, function) in module.functions.iter() {
        let body = Body::of_function(judged, function, &summaries);
        violations.extend(body.violations());
        summaries.push(body.summary());
    }
    for entry in &module.entry_points {
        violations.extend(Body::of_entry_point(judged, entry, &summaries).violations());
    }
    violations
}

impl Body<'_> {
    fn violations(&self) -> Vec<Violation> {
        let ways = self.graph.ways_to(self.non_uniform);
        let violated = self.requirements.iter().filter(|requirement| ways.lead_from(requirement.node));
        violated.map(|requirement| violation(&self.graph, &ways, requirement)).collect()
    }

    fn summary(&self) -> Summary {
        let non_uniform = self.graph.ways_to(self.non_uniform);
        let start = self.graph.ways_to(self.start);
        let values: Vec<Ways> = self.parameters.iter().map(|parameter| self.graph.ways_to(parameter.value)).collect();
        let contents: Vec<Ways> =
            self.parameters.iter().map(|parameter| self.graph.ways_to(parameter.contents)).collect();
        let leading = |ways: &[Ways], from: Node| -> Vec<usize> {
            ways.iter().enumerate().filter(|(_, ways)| ways.lead_from(from)).map(|(index, _)| index).collect()
        };
        let dependence = |from: Node| Dependence {
            is_non_uniform: non_uniform.lead_from(from),
            values: leading(&values, from),
            contents: leading(&contents, from),
        };
        let demands = |ways: &Ways| -> Vec<Demand> {
            let unmet = self.requirements.iter().filter(|requirement| !non_uniform.lead_from(requirement.node));
            gravest(unmet.filter(|requirement| ways.lead_from(requirement.node)))
        };
        let parameters = self.parameters.iter().enumerate().map(|(index, parameter)| Parameter {
            value: demands(&values[index]),
            contents: demands(&contents[index]),
            written: parameter.is_written.then(|| dependence(parameter.left)),
        });
        Summary { flow: demands(&start), parameters: parameters.collect(), result: dependence(self.returned) }
    }
}

/// The most severe demand of each rule, the first one among equals.
fn gravest<'r>(requirements: impl Iterator<Item = &'r Requirement>) -> Vec<Demand> {
    let mut demands: Vec<Demand> = Vec::new();
    for requirement in requirements {
        let Demand { rule, severity, .. } = requirement.demand;
        let known = demands.iter_mut().find(|demand| demand.rule == rule);
        let notes = || {
            let mut notes = vec![requirement.place.clone()];
            notes.extend(requirement.demand.notes.iter().cloned());
            notes
        };
        match known {
            Some(demand) if demand.severity < severity => *demand = Demand { rule, severity, notes: notes() },
            Some(_) => {}
            None => demands.push(Demand { rule, severity, notes: notes() }),
        }
    }
    demands
}

/// The calls down to the operation, the first dependence of its control flow, and the source that may be non-uniform.
fn violation(graph: &Graph<Remark>, ways: &Ways, requirement: &Requirement) -> Violation {
    let mut notes = requirement.demand.notes.clone();
    let reasons = graph.explain(ways, requirement.node);
    if let [first, .., last] = &reasons[..] {
        notes.extend([first.clone(), last.clone()]);
    } else {
        notes.extend(reasons);
    }
    Violation {
        rule: requirement.demand.rule,
        severity: requirement.demand.severity,
        place: requirement.place.clone(),
        notes,
    }
}
