//! Calls of functions of the text and of the language. Source: WGSL, section 15.2.7.

use super::Scope;
use super::body::{Body, Storage, variable};
use super::graph::Node;
use super::operations::{Operation, operation};
use super::sources::is_read_only_image;
use super::summary::{Demand, Dependence, Requirement, Subject};
use crate::source::UniformityRule;
use crate::syntax::{Arguments, Callee, Expr, FunctionId, Shape};

impl Body<'_> {
    /// The node of the result of a call.
    pub(super) fn call(&mut self, expr: Expr, callee: &Callee, arguments: &Arguments, flow: Node) -> Node {
        match *callee {
            Callee::Function(function) => self.call_of_text(expr, (function, arguments), flow),
            Callee::Intrinsic(name) => self.call_of_language(expr, (name, arguments), flow),
        }
    }

    fn call_of_language(&mut self, expr: Expr, (name, arguments): (&'static str, &Arguments), flow: Node) -> Node {
        let operation = operation(name);
        if operation == Operation::UniformLoad {
            return self.uniform_load(expr, (name, arguments), flow);
        }
        let has_place = operation == Operation::OfPlace || name.starts_with("atomic");
        let mut nodes = vec![flow];
        for (position, &argument) in arguments.iter().enumerate() {
            if has_place && position == 0 {
                nodes.extend(self.place(argument, flow).1);
            } else {
                nodes.push(self.value(argument, flow));
            }
        }
        match operation {
            Operation::Together(rule) | Operation::TogetherBy(rule) => {
                self.require(rule, flow, (expr, Subject::Flow), format!("`{name}` needs uniform control flow"));
                if let (Operation::TogetherBy(_), Some(&argument)) = (operation, arguments.get(1)) {
                    let message = format!("`{name}` needs a uniform argument");
                    self.require(rule, nodes[2], (expr, Subject::Value(argument)), message);
                }
                self.source(format!("the result of `{name}` may differ between invocations"))
            }
            Operation::Reduced => {
                self.require(
                    UniformityRule::Subgroup,
                    flow,
                    (expr, Subject::Flow),
                    format!("`{name}` needs uniform control flow"),
                );
                match self.scope {
                    Scope::Subgroup => self.graph.node(nodes),
                    Scope::Whole => self.source(format!("the result of `{name}` may differ between invocations")),
                }
            }
            Operation::Different => self.source(format!("the result of `{name}` may differ between invocations")),
            Operation::ReadImage if arguments.first().is_some_and(|&image| !is_read_only_image(self.text, image)) => {
                self.source("reading from a texture that is written may differ between invocations".to_owned())
            }
            Operation::ReadImage | Operation::Plain | Operation::OfPlace | Operation::UniformLoad => {
                self.graph.node(nodes)
            }
        }
    }

    /// A load for the whole workgroup, whose address has to be uniform.
    fn uniform_load(&mut self, expr: Expr, (name, arguments): (&'static str, &Arguments), flow: Node) -> Node {
        self.require(
            UniformityRule::Barrier,
            flow,
            (expr, Subject::Flow),
            format!("`{name}` needs uniform control flow"),
        );
        let mut place = arguments.first().copied();
        while let Some(part) = place {
            place = match self.text.expressions[part].shape {
                Shape::Index { base, index } => {
                    let node = self.value(index, flow);
                    let message = format!("`{name}` needs a uniform pointer");
                    self.require(UniformityRule::Barrier, node, (expr, Subject::Value(index)), message);
                    Some(base)
                }
                Shape::Member { base, .. } | Shape::Swizzle { base, .. } => Some(base),
                _ => None,
            };
        }
        flow
    }

    fn call_of_text(&mut self, expr: Expr, (id, arguments): (FunctionId, &Arguments), flow: Node) -> Node {
        let (text, summaries) = (self.text, self.summaries);
        let (called, summary) = (&text.functions[id.0 as usize], &summaries[id.0 as usize]);
        let name = called.name.clone();
        let values: Vec<Node> = arguments
            .iter()
            .zip(&called.parameters)
            .map(|(&argument, parameter)| match Storage::of_parameter(parameter) {
                Storage::Value => self.value(argument, flow),
                Storage::Variable => self.contents(argument, flow),
                Storage::Memory => {
                    let indices = self.place(argument, flow).1;
                    self.graph.node(indices.into_iter().chain([flow]))
                }
            })
            .collect();
        self.pass_on(&summary.flow, flow, (expr, Subject::Flow), &format!("`{name}` needs uniform control flow"));
        for (index, parameter) in summary.parameters.iter().enumerate() {
            let declared = &called.parameters[index];
            let named = called[declared.local].name.as_deref().unwrap_or_default();
            let message = format!("`{name}` needs a uniform argument `{named}`");
            let subject = Subject::Argument { function: id.0 as usize, parameter: index };
            self.pass_on(&parameter.demands, values[index], (expr, subject), &message);
        }
        for (index, &argument) in arguments.iter().enumerate() {
            if let Some(written) = &summary.parameters[index].written {
                let needs = self.needs_of(written, &values, flow, &format!("what is written by `{name}`"));
                self.assign(argument, needs, flow);
            }
        }
        let needs = self.needs_of(&summary.result, &values, flow, &format!("the result of `{name}`"));
        self.graph.node(needs)
    }

    /// The node of the variable that an argument points to, and of its address.
    fn contents(&mut self, argument: Expr, flow: Node) -> Node {
        let (local, mut needs) = self.place(argument, flow);
        needs.push(flow);
        match local {
            Some(local) => needs.push(self.environment.value(variable(local))),
            None => needs.push(self.value(argument, flow)),
        }
        self.graph.node(needs)
    }

    fn needs_of(&mut self, dependence: &Dependence, values: &[Node], flow: Node, what: &str) -> Vec<Node> {
        let mut needs = vec![flow];
        needs.extend(dependence.parameters.iter().map(|&index| values[index]));
        if dependence.is_non_uniform {
            needs.push(self.source(format!("{what} may differ between invocations")));
        }
        needs
    }

    /// Turns the demands of a function into requirements of the caller.
    fn pass_on(&mut self, demands: &[Demand], node: Node, (operation, subject): (Expr, Subject), message: &str) {
        for demand in demands {
            let (place, is_repeated) = (self.remark(message.to_owned()), self.is_repeated());
            let demand = demand.clone();
            self.requirements.push(Requirement { demand, node, operation, place, subject, is_repeated });
        }
    }
}
