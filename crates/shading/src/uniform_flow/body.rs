//! A function and its graph.

use std::collections::BTreeMap;

use reconverge_ir::Inst;

use super::environment::{Changes, Environment, Mark, Variable};
use super::graph::{Graph, Node};
use super::sharing::Plan;
use super::sources::is_uniform_input;
use super::summary::{Demand, Requirement, Subject, Summary};
use super::{Remark, Scope};
use crate::source::UniformityRule;
use crate::syntax::{Expr, Function, LocalId, LocalKind, Parameter, Text};

/// The subject of the analysis.
#[derive(Clone, Copy)]
pub(super) struct Judged<'t> {
    pub(super) text: &'t Text,
    /// The values that go through memory.
    pub(super) plan: &'t Plan,
    pub(super) scope: Scope,
}

/// A parameter of the function.
pub(super) struct ParameterNodes {
    /// Its value, or that of the variable that it points to, at the start.
    pub(super) value: Node,
    /// The same at the end.
    pub(super) left: Node,
    /// True if it points to a variable.
    pub(super) is_pointer: bool,
}

/// The kind of a local of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    /// A value.
    Value,
    /// A variable of the function, or a pointer to one of a caller.
    Variable,
    /// A pointer to a variable of the module that something writes.
    Memory,
}

impl Storage {
    /// What a parameter is: a pointer has the name of its memory before it.
    pub(super) fn of_parameter(parameter: &Parameter) -> Storage {
        match (parameter.is_written, parameter.prefix.as_str()) {
            (false, _) => Storage::Value,
            (true, "private" | "workgroup") => Storage::Memory,
            (true, _) => Storage::Variable,
        }
    }
}

/// A condition that control flow depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub(super) expr: Expr,
    pub(super) value: Node,
    /// The control flow that computes it.
    pub(super) flow: Node,
    pub(super) origin: Option<Inst>,
    /// True if a loop is around it, or it is that of a loop.
    pub(super) is_repeated: bool,
}

/// The statement that `break` leaves, and its loop for `continue`.
pub(super) struct Target {
    pub(super) is_loop: bool,
    pub(super) mark: Mark,
    pub(super) breaks: Vec<Changes>,
    pub(super) continues: Vec<Changes>,
}

/// A function, and its graph.
pub(super) struct Body<'t> {
    pub(super) text: &'t Text,
    pub(super) function: &'t Function,
    pub(super) plan: &'t Plan,
    pub(super) scope: Scope,
    pub(super) summaries: &'t [Summary],
    pub(super) graph: Graph<Remark>,
    /// The source of all that may be non-uniform.
    pub(super) non_uniform: Node,
    /// The control flow at the begin.
    pub(super) start: Node,
    pub(super) returned: Node,
    pub(super) parameters: Vec<ParameterNodes>,
    /// The nodes of values and of parameters that are no pointers.
    pub(super) values: Vec<Node>,
    /// The values of variables, and of what parameters point to.
    pub(super) environment: Environment,
    pub(super) requirements: Vec<Requirement>,
    /// The conditions, by the node of the control flow that depends on it.
    pub(super) conditions: BTreeMap<Node, Condition>,
    pub(super) targets: Vec<Target>,
    /// The instruction that the current statement was made of.
    pub(super) origin: Option<Inst>,
}

impl<'t> Body<'t> {
    /// The graph of a function, from the summaries of those that it calls.
    pub(super) fn of(judged: Judged<'t>, number: usize, summaries: &'t [Summary]) -> Body<'t> {
        let Judged { text, plan, scope } = judged;
        let function = &text.functions[number];
        let mut graph = Graph::default();
        let [non_uniform, start, returned] = [(); 3].map(|()| graph.node([]));
        let mut environment = Environment::default();
        function.locals.iter().for_each(|_| {
            environment.add(start);
        });
        let values = vec![start; function.locals.len()];
        let mut body = Body {
            text,
            function,
            plan,
            scope,
            summaries,
            graph,
            non_uniform,
            start,
            returned,
            parameters: Vec::new(),
            values,
            environment,
            requirements: Vec::new(),
            conditions: BTreeMap::new(),
            targets: Vec::new(),
            origin: function.origin,
        };
        body.enter(number);
        body.statements();
        body
    }

    fn enter(&mut self, number: usize) {
        for (index, parameter) in self.function.parameters.iter().enumerate() {
            let is_uniform =
                !self.function.is_entry || is_uniform_input(self.text, self.function, parameter, self.scope);
            let name = self.function[parameter.local].name.clone().unwrap_or_else(|| index.to_string());
            let value = match is_uniform {
                true if self.plan.differs(number, index) => {
                    self.source(format!("the parameter `{name}` may differ between invocations"))
                }
                true => self.graph.node([]),
                false => self.source(format!("the input `{name}` may differ between invocations")),
            };
            let left = self.graph.node([]);
            let is_pointer = Storage::of_parameter(parameter) == Storage::Variable;
            self.values[parameter.local.0 as usize] = value;
            self.environment.set(variable(parameter.local), value);
            self.parameters.push(ParameterNodes { value, left, is_pointer });
        }
    }

    /// A node that may be non-uniform, for this reason.
    pub(super) fn source(&mut self, message: String) -> Node {
        let remark = self.remark(message);
        self.graph.explained([self.non_uniform], remark)
    }

    pub(super) fn remark(&self, message: String) -> Remark {
        Remark { origin: self.origin, message }
    }

    /// Records that a node has to be uniform.
    pub(super) fn require(
        &mut self,
        rule: UniformityRule,
        node: Node,
        (operation, subject): (Expr, Subject),
        message: String,
    ) {
        if self.scope.has(rule) {
            let (place, is_repeated) = (self.remark(message), self.is_repeated());
            let demand = Demand { rule, path: Vec::new() };
            self.requirements.push(Requirement { demand, node, operation, place, subject, is_repeated });
        }
    }

    /// Returns what reading or writing a local means.
    pub(super) fn storage(&self, local: LocalId) -> Storage {
        match self.function[local].kind {
            LocalKind::Value => Storage::Value,
            LocalKind::Variable => Storage::Variable,
            LocalKind::Parameter => {
                let declared = self.function.parameters.iter().find(|found| found.local == local);
                declared.map_or(Storage::Value, Storage::of_parameter)
            }
        }
    }

    /// Returns whether a loop is around the current statement.
    pub(super) fn is_repeated(&self) -> bool {
        self.targets.iter().any(|target| target.is_loop)
    }
}

/// The variable of the environment that a local is.
pub(super) fn variable(local: LocalId) -> Variable {
    Variable(local.0 as usize)
}
