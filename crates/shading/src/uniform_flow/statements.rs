//! Converts a function to a graph: control flow and values, statement by statement.
//!
//! | statement, in control flow F | control flow after it | edges |
//! |---|---|---|
//! | `if (v) A else B` | F, if both arms end at their ends; else a node J | the arms begin at C; C → v, F; J → the ends of the arms |
//! | `switch` | alike | alike |
//! | `loop A continuing B` | F, if no `return` leaves it; else a node J | A begins at L; L → F; L → the end of B, if a round ends; J → L and the ends |
//! | `while (v)`, `for`, `break if v` | as `if (!v) { break; }` | C → v, and the control flow that computes it |
//! | a call | F | requirements on F and on the arguments, from the summary of the function |
//!
//! Statements after one that never completes are not part of the function. Source: WGSL, sections 15.2.5 and 15.2.6.

use std::collections::BTreeSet;

use super::Remark;
use super::body::{Body, Condition, Storage, Target, variable};
use super::environment::{Changes, Mark, Variable};
use super::graph::Node;
use crate::syntax::{Block, Callee, Case, Expr, Label, Loop, Shape, Statement, StatementKind};

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

/// The control flow after a statement.
#[derive(Clone, Copy)]
struct Flow {
    node: Node,
    ends: Ends,
}

impl Body<'_> {
    /// Converts the statements of the function.
    pub(super) fn statements(&mut self) {
        let function = self.function;
        let end = self.block(&function.body, self.start);
        if end.ends.has(Ends::NEXT) {
            self.leave(None, end.node);
        }
    }

    fn block(&mut self, block: &Block, start: Node) -> Flow {
        let mut flow = Flow { node: start, ends: Ends::NEXT };
        for statement in block {
            if !flow.ends.has(Ends::NEXT) {
                break;
            }
            let before = self.origin;
            self.origin = statement.origin.or(before);
            let after = self.statement(statement, flow.node);
            self.origin = before;
            flow = Flow { node: after.node, ends: flow.ends.without(Ends::NEXT).and(after.ends) };
        }
        flow
    }

    fn statement(&mut self, statement: &Statement, flow: Node) -> Flow {
        match &statement.kind {
            StatementKind::Block(block) => return self.block(block, flow),
            StatementKind::If { condition, accept, reject } => {
                let chosen = self.chosen(*condition, flow);
                return self.arms(&[accept, reject], chosen, flow);
            }
            StatementKind::Switch { selector, cases } => return self.switch(*selector, cases, flow),
            StatementKind::Loop(found) => return self.repetition(found, flow),
            StatementKind::Break => {
                let mark = self.target().mark;
                let way = self.environment.changes_since(mark);
                self.target().breaks.push(way);
                return Flow { node: flow, ends: Ends::BREAK };
            }
            StatementKind::Continue => {
                let target = self.targets.iter_mut().rfind(|target| target.is_loop);
                let target = target.expect("invariant: a `continue` is in a loop");
                target.continues.push(self.environment.changes_since(target.mark));
                return Flow { node: flow, ends: Ends::CONTINUE };
            }
            StatementKind::Return(value) => {
                self.leave(*value, flow);
                return Flow { node: flow, ends: Ends::RETURN };
            }
            // Invocations continue as helpers.
            StatementKind::Discard => {}
            StatementKind::Expression(value) => {
                self.value(*value, flow);
            }
            StatementKind::Declare { local, value } => {
                let node = value.map_or(flow, |value| self.value(value, flow));
                if self.storage(*local) == Storage::Variable {
                    self.environment.set(variable(*local), node);
                } else {
                    self.values[local.0 as usize] = node;
                }
            }
            StatementKind::Assign { target, operator, value } => {
                let mut needs = vec![self.value(*value, flow), flow];
                if operator.is_some() {
                    needs.push(self.value(*target, flow));
                }
                self.assign(*target, needs, flow);
            }
            StatementKind::Step { target, .. } => {
                let needs = vec![self.value(*target, flow), flow];
                self.assign(*target, needs, flow);
            }
        }
        Flow { node: flow, ends: Ends::NEXT }
    }

    /// Writes a variable, or a part of it.
    pub(super) fn assign(&mut self, target: Expr, mut needs: Vec<Node>, flow: Node) {
        let (local, indices) = self.place(target, flow);
        let Some(local) = local else { return };
        if !matches!(self.text.expressions[target].shape, Shape::Local(_)) {
            needs.push(self.environment.value(variable(local)));
            needs.extend(indices);
        }
        let node = self.graph.node(needs);
        self.environment.set(variable(local), node);
    }

    /// The end of the function on one path.
    fn leave(&mut self, value: Option<Expr>, flow: Node) {
        let value = value.map(|value| self.value(value, flow));
        [value, Some(flow)].into_iter().flatten().for_each(|node| self.graph.add_edge(self.returned, node));
        for (parameter, found) in self.parameters.iter().zip(&self.function.parameters) {
            self.graph.add_edge(parameter.left, self.environment.value(variable(found.local)));
        }
    }

    /// Control flow that depends on a condition.
    pub(super) fn chosen(&mut self, expr: Expr, flow: Node) -> Node {
        let value = self.value(expr, flow);
        let message = "control flow depends on a value that may differ between invocations".to_owned();
        let node = self.graph.explained([value, flow], Remark { origin: self.origin, message });
        let condition = Condition { expr, value, flow, origin: self.origin, is_repeated: self.is_repeated() };
        self.conditions.insert(node, condition);
        node
    }

    /// The arms of a selection, and the join of those that complete.
    fn arms(&mut self, arms: &[&Block], chosen: Node, flow: Node) -> Flow {
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

    fn switch(&mut self, selector: Expr, cases: &[Case], flow: Node) -> Flow {
        let mark = self.environment.mark();
        let chosen = self.chosen(selector, flow);
        self.targets.push(Target { is_loop: false, mark, breaks: Vec::new(), continues: Vec::new() });
        let mut bodies: Vec<&Block> = cases.iter().map(|case| &case.body).collect();
        // The printer adds a default case without code.
        let nothing = Block::new();
        if !cases.iter().any(|case| case.labels.contains(&Label::Default)) {
            bodies.push(&nothing);
        }
        let after = self.arms(&bodies, chosen, flow);
        let breaks = self.targets.pop().map(|target| target.breaks).unwrap_or_default();
        self.behind_switch(after, mark, breaks, flow)
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

    fn repetition(&mut self, found: &Loop, flow: Node) -> Flow {
        if let Some(init) = &found.init {
            self.statement(init, flow);
        }
        let mark = self.environment.mark();
        let at_begin = self.vary(found);
        let round = self.graph.node([flow]);
        self.targets.push(Target { is_loop: true, mark, breaks: Vec::new(), continues: Vec::new() });
        let begin = match found.condition {
            Some(condition) => {
                let chosen = self.chosen(condition, round);
                let way = self.environment.changes_since(mark);
                self.target().breaks.push(way);
                chosen
            }
            None => round,
        };
        let end = self.block(&found.body, begin);
        let mut last = end.node;
        let is_repeated = end.ends.has(Ends::NEXT.and(Ends::CONTINUE));
        // A continuing part that is not reached is not part of the function.
        if is_repeated {
            last = self.end_of_round(found, end, mark);
            self.graph.add_edge(round, last);
            for (variable, node) in at_begin {
                self.graph.add_edge(node, self.environment.value(variable));
            }
        }
        self.environment.undo(mark);
        let target = self.targets.pop().expect("invariant: each construct removes its own target");
        self.environment.join(&mut self.graph, &target.breaks);
        let is_left = found.condition.is_some() || is_repeated && found.break_if.is_some();
        let ends = if is_left || end.ends.has(Ends::BREAK) { Ends::NEXT } else { Ends(0) };
        match end.ends.has(Ends::RETURN) {
            true => Flow { node: self.graph.node([round, end.node, last]), ends: ends.and(Ends::RETURN) },
            false => Flow { node: flow, ends },
        }
    }

    /// The continuing part of a loop, and its last condition.
    fn end_of_round(&mut self, found: &Loop, body: Flow, mark: Mark) -> Node {
        let mut ways = std::mem::take(&mut self.target().continues);
        if body.ends.has(Ends::NEXT) {
            ways.push(self.environment.changes_since(mark));
        }
        self.environment.undo(mark);
        self.environment.join(&mut self.graph, &ways);
        let last = self.block(&found.continuing, body.node).node;
        let Some(condition) = found.break_if else { return last };
        let chosen = self.chosen(condition, last);
        let way = self.environment.changes_since(mark);
        self.target().breaks.push(way);
        chosen
    }

    /// The statement that `break` leaves.
    fn target(&mut self) -> &mut Target {
        self.targets.last_mut().expect("invariant: a `break` is in a loop or a switch")
    }

    /// Gives each variable that a loop writes a node for its value at the begin of a round.
    fn vary(&mut self, found: &Loop) -> Vec<(Variable, Node)> {
        let mut assigned = BTreeSet::new();
        found.condition.into_iter().chain(found.break_if).for_each(|expr| self.note_calls(expr, &mut assigned));
        [&found.body, &found.continuing].into_iter().for_each(|block| self.note_assigned(block, &mut assigned));
        let mut at_begin = Vec::new();
        for variable in assigned {
            let node = self.graph.node([self.environment.value(variable)]);
            self.environment.set(variable, node);
            at_begin.push((variable, node));
        }
        at_begin
    }

    /// Adds the variables that a block writes, with the blocks in it.
    fn note_assigned(&self, block: &Block, assigned: &mut BTreeSet<Variable>) {
        for statement in block {
            if let StatementKind::Assign { target, .. } | StatementKind::Step { target, .. } = statement.kind {
                assigned.extend(self.text.expressions.root_local(target).map(variable));
            }
            if let StatementKind::Loop(found) = &statement.kind
                && let Some(init) = &found.init
                && let StatementKind::Assign { target, .. } = init.kind
            {
                assigned.extend(self.text.expressions.root_local(target).map(variable));
            }
            statement.expressions().into_iter().for_each(|expr| self.note_calls(expr, assigned));
            statement.blocks().into_iter().for_each(|inner| self.note_assigned(inner, assigned));
        }
    }

    /// Adds the variables that calls in an expression write.
    fn note_calls(&self, expr: Expr, assigned: &mut BTreeSet<Variable>) {
        let expressions = &self.text.expressions;
        expressions.walk(expr, &mut |part| {
            if let Shape::Call { callee: Callee::Function(id), arguments } = &expressions[part].shape {
                let parameters = &self.text.functions[id.0 as usize].parameters;
                let written = arguments.iter().zip(parameters).filter(|(_, parameter)| parameter.is_written);
                assigned.extend(written.filter_map(|(argument, _)| expressions.root_local(*argument)).map(variable));
            }
        });
    }
}
