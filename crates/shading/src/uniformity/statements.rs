//! Converts a function to a graph: control flow and values, statement by statement.
//!
//! | statement, in control flow F | control flow after it | edges |
//! |---|---|---|
//! | `if (v) A else B` | F, if both arms end at their ends; else a node J | the arms begin at C; C → v, F; J → the ends of the arms |
//! | `switch` | alike | alike |
//! | `loop A continuing B` | F, if no `return` leaves it; else a node J | A begins at L; L → F; L → the end of B, if a round ends; J → L and the ends |
//! | `break if v` | C | C → v, and the end of B |
//! | a call | F | requirements on F and on the arguments, from the summary of the function |
//!
//! Statements after one that never completes are not part of the function.

use naga::{Block, EntryPoint, Expression, Function, Handle, Module, ShaderStage, Span, Statement};
use reconverge_diagnostic::Severity;
use std::collections::BTreeSet;

use super::environment::{Changes, Environment, Mark, Variable};
use super::expressions::Root;
use super::graph::{Graph, Node};
use super::sources::is_uniform_input;
use super::summary::{Demand, Dependence, Requirement, Summary};
use super::{Remark, Scope, UniformityRule};
use crate::read::LocalFilter;

/// The ways in which a statement ends.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ends(u8);

impl Ends {
    const NEXT: Ends = Ends(1);
    const BREAK: Ends = Ends(2);
    const CONTINUE: Ends = Ends(4);
    const RETURN: Ends = Ends(8);

    fn has(self, other: Ends) -> bool {
        self.0 & other.0 != 0
    }

    fn and(self, other: Ends) -> Ends {
        Ends(self.0 | other.0)
    }

    fn without(self, other: Ends) -> Ends {
        Ends(self.0 & !other.0)
    }
}

/// The place of a statement: its position in the text, and its control flow.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) span: Span,
    pub(super) flow: Node,
}

/// The control flow after a statement.
#[derive(Clone, Copy)]
struct Flow {
    node: Node,
    ends: Ends,
}

/// The statement that `break` leaves, and its loop for `continue`.
struct Target {
    is_loop: bool,
    mark: Mark,
    breaks: Vec<Changes>,
    continues: Vec<Changes>,
}

/// A parameter of the function.
pub(super) struct ParameterNodes {
    pub(super) value: Node,
    /// The memory that it points to at the start.
    pub(super) contents: Node,
    /// The same as a variable.
    pub(super) variable: Variable,
    /// The memory that it points to at the end.
    pub(super) left: Node,
    pub(super) is_written: bool,
}

/// The subject of the analysis.
#[derive(Clone, Copy)]
pub(super) struct Judged<'m> {
    pub(super) module: &'m Module,
    /// The filters in functions.
    pub(super) filters: &'m [LocalFilter],
    pub(super) scope: Scope,
}

/// A function, and its graph.
pub(super) struct Body<'m> {
    pub(super) module: &'m Module,
    filters: &'m [LocalFilter],
    pub(super) function: &'m Function,
    pub(super) summaries: &'m [Summary],
    pub(super) scope: Scope,
    pub(super) graph: Graph<Remark>,
    /// The source of all that may be non-uniform.
    pub(super) non_uniform: Node,
    /// The control flow at the begin.
    pub(super) start: Node,
    pub(super) returned: Node,
    pub(super) parameters: Vec<ParameterNodes>,
    pub(super) locals: Vec<Variable>,
    pub(super) environment: Environment,
    /// The node of each expression that is computed.
    pub(super) values: Vec<Option<Node>>,
    pub(super) requirements: Vec<Requirement>,
    targets: Vec<Target>,
}

impl<'m> Body<'m> {
    pub(super) fn of_function(judged: Judged<'m>, function: &'m Function, summaries: &'m [Summary]) -> Body<'m> {
        Body::build(judged, function, summaries, None)
    }

    pub(super) fn of_entry_point(judged: Judged<'m>, entry: &'m EntryPoint, summaries: &'m [Summary]) -> Body<'m> {
        Body::build(judged, &entry.function, summaries, Some(entry.stage))
    }

    fn build(
        judged: Judged<'m>,
        function: &'m Function,
        summaries: &'m [Summary],
        stage: Option<ShaderStage>,
    ) -> Body<'m> {
        let Judged { module, filters, scope } = judged;
        let mut graph = Graph::default();
        let [non_uniform, start, returned] = [(); 3].map(|()| graph.node([]));
        let mut environment = Environment::default();
        let mut parameters = Vec::new();
        for (index, argument) in function.arguments.iter().enumerate() {
            let is_uniform = stage.is_none_or(|stage| is_uniform_input(module, stage, scope, argument));
            let value = match is_uniform {
                true => graph.node([]),
                false => {
                    let name = argument.name.clone().unwrap_or_else(|| index.to_string());
                    let message = format!("the input `{name}` may differ between invocations");
                    graph.explained([non_uniform], Remark { span: span_of_input(function, index), message })
                }
            };
            let (contents, left) = (graph.node([]), graph.node([]));
            let variable = environment.add(contents);
            parameters.push(ParameterNodes { value, contents, variable, left, is_written: false });
        }
        let locals = function.local_variables.iter().map(|_| environment.add(start)).collect();
        let values = vec![None; function.expressions.len()];
        let mut body = Body {
            module,
            filters,
            function,
            summaries,
            scope,
            graph,
            non_uniform,
            start,
            returned,
            parameters,
            locals,
            environment,
            values,
            requirements: Vec::new(),
            targets: Vec::new(),
        };
        let end = body.block(&function.body, start);
        if end.ends.has(Ends::NEXT) {
            body.leave(None, end.node);
        }
        body
    }

    /// Records that a node has to be uniform, unless the text filters the rule out.
    pub(super) fn require(&mut self, rule: UniformityRule, node: Node, span: Span, message: &str) {
        if !self.scope.has(rule) {
            return;
        }
        if let Some(severity) = self.severity(rule, span) {
            let demand = Demand { rule, severity, notes: Vec::new() };
            let place = Remark { span, message: message.to_owned() };
            self.requirements.push(Requirement { demand, node, place });
        }
    }

    /// The severity of a rule at a place in this function, which the innermost filter determines.
    fn severity(&self, rule: UniformityRule, span: Span) -> Option<Severity> {
        use naga::diagnostic_filter::{
            FilterableTriggeringRule as Rule, Severity as Filtered, StandardFilterableTriggeringRule,
        };
        let is_about = |filtered: &Rule| match (rule, filtered) {
            (UniformityRule::Derivative, Rule::Standard(StandardFilterableTriggeringRule::DerivativeUniformity)) => {
                true
            }
            (UniformityRule::Subgroup, Rule::Unknown(name)) => Some(&**name) == rule.filter(),
            _ => false,
        };
        let start = span.to_range().map_or(0, |range| range.start);
        // A filter that begins later is inside of the filters that begin before it and hold here.
        let mut local = self.filters.iter().rev().filter(|filter| filter.range.contains(&start));
        if let Some(filter) = local.find(|filter| rule.filter() == Some(&*filter.rule)) {
            return match &*filter.severity {
                "off" => None,
                "info" => Some(Severity::Info),
                "warning" => Some(Severity::Warning),
                _ => Some(Severity::Error),
            };
        }
        let mut node = self.function.diagnostic_filter_leaf;
        while let Some(filter) = node.map(|node| &self.module.diagnostic_filters[node]) {
            if is_about(&filter.inner.triggering_rule) {
                return match filter.inner.new_severity {
                    Filtered::Off => None,
                    Filtered::Info => Some(Severity::Info),
                    Filtered::Warning => Some(Severity::Warning),
                    Filtered::Error => Some(Severity::Error),
                };
            }
            node = filter.parent;
        }
        Some(Severity::Error)
    }

    fn block(&mut self, block: &Block, start: Node) -> Flow {
        let mut flow = Flow { node: start, ends: Ends::NEXT };
        for (statement, span) in block.span_iter() {
            if !flow.ends.has(Ends::NEXT) {
                break;
            }
            let after = self.statement(statement, Site { span: *span, flow: flow.node });
            flow = Flow { node: after.node, ends: flow.ends.without(Ends::NEXT).and(after.ends) };
        }
        flow
    }

    fn statement(&mut self, statement: &Statement, site: Site) -> Flow {
        let flow = site.flow;
        let next = Flow { node: flow, ends: Ends::NEXT };
        match statement {
            Statement::Emit(range) => range.clone().for_each(|expression| self.emit(expression, flow)),
            Statement::Block(block) => return self.block(block, flow),
            Statement::If { condition, accept, reject } => {
                let chosen = self.chosen(*condition, site);
                return self.arms([accept, reject].into_iter(), chosen, flow);
            }
            Statement::Switch { selector, cases } => {
                let mark = self.environment.mark();
                self.targets.push(Target { is_loop: false, mark, breaks: Vec::new(), continues: Vec::new() });
                let chosen = self.chosen(*selector, site);
                // The values of one case are empty cases before it.
                let bodies = cases.iter().filter(|case| !(case.fall_through && case.body.is_empty()));
                let after = self.arms(bodies.map(|case| &case.body), chosen, flow);
                let breaks = self.targets.pop().map(|target| target.breaks).unwrap_or_default();
                return self.behind_switch(after, mark, breaks, flow);
            }
            Statement::Loop { body, continuing, break_if } => {
                return self.repetition([body, continuing], *break_if, site);
            }
            Statement::Break => {
                let target = self.targets.last_mut().expect("naga checks that `break` is in a loop or a switch");
                target.breaks.push(self.environment.changes_since(target.mark));
                return Flow { node: flow, ends: Ends::BREAK };
            }
            Statement::Continue => {
                let target = self.targets.iter_mut().rfind(|target| target.is_loop);
                let target = target.expect("naga checks that `continue` is in a loop");
                target.continues.push(self.environment.changes_since(target.mark));
                return Flow { node: flow, ends: Ends::CONTINUE };
            }
            Statement::Return { value } => {
                self.leave(*value, flow);
                return Flow { node: flow, ends: Ends::RETURN };
            }
            // Invocations continue as helpers.
            Statement::Kill | Statement::MemoryBarrier(_) | Statement::ImageStore { .. } => {}
            Statement::ControlBarrier(barrier) => self.barrier(*barrier, site),
            Statement::Store { pointer, value } => {
                if let Root::Variable(variable) = self.root(*pointer) {
                    let needs = [Some(flow), self.value(*value)].into_iter().flatten().collect();
                    self.assign(variable, *pointer, needs);
                }
            }
            Statement::Call { function, arguments, result } => self.call(*function, arguments, *result, site),
            _ => self.operation(statement, site),
        }
        next
    }

    /// Writes a variable, or a part of it.
    fn assign(&mut self, variable: Variable, pointer: Handle<Expression>, mut needs: Vec<Node>) {
        if !self.is_whole(pointer) {
            needs.push(self.environment.value(variable));
            needs.extend(self.value(pointer));
        }
        let node = self.graph.node(needs);
        self.environment.set(variable, node);
        if let Some(parameter) = self.parameters.get_mut(variable.0) {
            parameter.is_written = true;
        }
    }

    /// The end of the function on one path.
    fn leave(&mut self, value: Option<Handle<Expression>>, flow: Node) {
        let value = value.and_then(|value| self.value(value));
        [value, Some(flow)].into_iter().flatten().for_each(|node| self.graph.add_edge(self.returned, node));
        for parameter in &self.parameters {
            self.graph.add_edge(parameter.left, self.environment.value(parameter.variable));
        }
    }

    /// The arms of a selection, and the join of those that complete.
    fn arms<'b>(&mut self, arms: impl Iterator<Item = &'b Block>, chosen: Node, flow: Node) -> Flow {
        let mark = self.environment.mark();
        let mut ways = Vec::new();
        let mut nodes = Vec::new();
        let mut ends = Ends(0);
        for arm in arms {
            let end = self.block(arm, chosen);
            if end.ends.has(Ends::NEXT) {
                ways.push(self.environment.changes_since(mark));
            }
            self.environment.undo(mark);
            nodes.push(end.node);
            ends = ends.and(end.ends);
        }
        self.environment.join(&mut self.graph, &ways);
        let node = if ends == Ends::NEXT { flow } else { self.graph.node(nodes) };
        Flow { node, ends }
    }

    /// The join of the cases of a switch with the paths of `break`.
    fn behind_switch(&mut self, cases: Flow, mark: Mark, mut ways: Vec<Changes>, flow: Node) -> Flow {
        if cases.ends.has(Ends::NEXT) {
            ways.push(self.environment.changes_since(mark));
        }
        self.environment.undo(mark);
        self.environment.join(&mut self.graph, &ways);
        let is_left = cases.ends.has(Ends::NEXT.and(Ends::BREAK));
        let others = cases.ends.without(Ends::NEXT.and(Ends::BREAK));
        let ends = if is_left { others.and(Ends::NEXT) } else { others };
        Flow { node: if ends == Ends::NEXT { flow } else { cases.node }, ends }
    }

    /// Control flow that depends on a condition.
    fn chosen(&mut self, condition: Handle<Expression>, Site { span, flow }: Site) -> Node {
        let needs = [self.value(condition), Some(flow)].into_iter().flatten();
        let message = "control flow depends on a value that may differ between invocations".to_owned();
        self.graph.explained(needs, Remark { span, message })
    }

    fn repetition(
        &mut self,
        [body, continuing]: [&Block; 2],
        break_if: Option<Handle<Expression>>,
        Site { span, flow }: Site,
    ) -> Flow {
        let mark = self.environment.mark();
        let mut assigned = BTreeSet::new();
        [body, continuing].into_iter().for_each(|block| self.collect_assigned(block, &mut assigned));
        let mut at_begin = Vec::new();
        for variable in assigned {
            let node = self.graph.node([self.environment.value(variable)]);
            self.environment.set(variable, node);
            at_begin.push((variable, node));
        }
        let round = self.graph.node([flow]);
        self.targets.push(Target { is_loop: true, mark, breaks: Vec::new(), continues: Vec::new() });
        let end = self.block(body, round);
        let mut target = self.targets.pop().expect("each construct removes its target");
        let mut last = end.node;
        let is_repeated = end.ends.has(Ends::NEXT.and(Ends::CONTINUE));
        // A continuing part that is not reached is not part of the function.
        if is_repeated {
            if end.ends.has(Ends::NEXT) {
                target.continues.push(self.environment.changes_since(mark));
            }
            self.environment.undo(mark);
            self.environment.join(&mut self.graph, &target.continues);
            last = self.block(continuing, end.node).node;
            if let Some(condition) = break_if {
                last = self.chosen(condition, Site { span, flow: last });
                target.breaks.push(self.environment.changes_since(mark));
            }
            self.graph.add_edge(round, last);
            for (variable, node) in at_begin {
                self.graph.add_edge(node, self.environment.value(variable));
            }
        }
        self.environment.undo(mark);
        self.environment.join(&mut self.graph, &target.breaks);
        let is_left = end.ends.has(Ends::BREAK) || is_repeated && break_if.is_some();
        let ends = if is_left { Ends::NEXT } else { Ends(0) };
        match end.ends.has(Ends::RETURN) {
            true => Flow { node: self.graph.node([round, end.node, last]), ends: ends.and(Ends::RETURN) },
            false => Flow { node: flow, ends },
        }
    }

    /// The variables that a block writes, with the blocks in it.
    fn collect_assigned(&self, block: &Block, assigned: &mut BTreeSet<Variable>) {
        let mut note = |pointer| {
            if let Root::Variable(variable) = self.root(pointer) {
                assigned.insert(variable);
            }
        };
        for statement in block {
            match statement {
                Statement::Store { pointer, .. } => note(*pointer),
                Statement::Call { function, arguments, .. } => {
                    let parameters = &self.summaries[function.index()].parameters;
                    let written = arguments.iter().zip(parameters).filter(|(_, parameter)| parameter.written.is_some());
                    written.for_each(|(argument, _)| note(*argument));
                }
                _ => {}
            }
        }
        for inner in block.iter().flat_map(blocks) {
            self.collect_assigned(inner, assigned);
        }
    }

    fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
        Site { span, flow }: Site,
    ) {
        let summaries = self.summaries;
        let summary = &summaries[function.index()];
        let callee = &self.module.functions[function];
        let name = callee.name.as_deref().unwrap_or("a function");
        self.pass_on(&summary.flow, flow, span, &format!("`{name}` needs uniform control flow"));
        let mut values = Vec::new();
        let mut contents = Vec::new();
        for &argument in arguments {
            let needs = [self.value(argument), Some(flow)].into_iter().flatten();
            values.push(self.graph.node(needs));
            contents.push(match self.root(argument) {
                Root::Variable(variable) => Some(self.environment.value(variable)),
                _ => None,
            });
        }
        for (index, parameter) in summary.parameters.iter().enumerate() {
            let named = callee.arguments[index].name.as_deref().unwrap_or_default();
            let message = format!("`{name}` needs a uniform argument `{named}`");
            self.pass_on(&parameter.value, values[index], span, &message);
            if let Some(node) = contents[index] {
                let message = format!("`{name}` needs a uniform value where the argument `{named}` points to");
                self.pass_on(&parameter.contents, node, span, &message);
            }
        }
        let result_of = |body: &mut Body<'_>, dependence: &Dependence, what: &str| {
            let mut needs = vec![flow];
            needs.extend(dependence.values.iter().map(|&index| values[index]));
            needs.extend(dependence.contents.iter().filter_map(|&index| contents[index]));
            if dependence.is_non_uniform {
                needs.push(body.source(span, format!("{what} `{name}` may differ between invocations")));
            }
            needs
        };
        if let Some(result) = result {
            let needs = result_of(self, &summary.result, "the result of");
            self.values[result.index()] = Some(self.graph.node(needs));
        }
        for (&argument, parameter) in arguments.iter().zip(&summary.parameters) {
            if let (Some(written), Root::Variable(variable)) = (&parameter.written, self.root(argument)) {
                let needs = result_of(self, written, "what is written by");
                self.assign(variable, argument, needs);
            }
        }
    }

    /// Turns the demands of a function into requirements of the caller.
    fn pass_on(&mut self, demands: &[Demand], node: Node, span: Span, message: &str) {
        let required = demands.iter().map(|demand| Requirement {
            demand: demand.clone(),
            node,
            place: Remark { span, message: message.to_owned() },
        });
        self.requirements.extend(required);
    }
}

/// The blocks in a statement.
fn blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// The span of the first use of a parameter.
fn span_of_input(function: &Function, index: usize) -> Span {
    let is_named = |expression: &Expression| matches!(expression, Expression::FunctionArgument(number) if *number as usize == index);
    let found = function.expressions.iter().find(|(_, expression)| is_named(expression));
    found.map_or(Span::UNDEFINED, |(handle, _)| function.expressions.get_span(handle))
}
