//! How a function uses its locals: what a name can say of them.

use crate::syntax::{
    Binary, Block, Callee, Expr, Function, Literal, LocalId, LocalKind, Scalar, Shape, Statement, StatementKind, Text,
};

use super::nouns;

/// The facts about a local.
#[derive(Clone, Default)]
struct Use {
    is_declared: bool,
    is_index: bool,
    is_counter: bool,
    /// The first value that is assigned to it and is not a literal.
    value: Option<Expr>,
    /// The operator of the first assignment with one.
    operator: Option<Binary>,
}

/// A step of a walk through the declarations of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// A list of statements begins.
    Enter,
    /// A loop with its first part begins.
    EnterLoop,
    Declare(LocalId),
    /// The innermost list ends.
    Leave,
    /// The innermost loop ends.
    LeaveLoop,
}

/// The uses of the locals of a function.
pub(super) struct Survey {
    /// The declarations in the order of the text; locals without declarations come last.
    pub(super) events: Vec<Event>,
    /// The functions of the language that it calls.
    pub(super) called: Vec<&'static str>,
    uses: Vec<Use>,
    is_of_source: Vec<bool>,
}

impl Survey {
    /// Linear in the function.
    pub(super) fn new(text: &Text, function: &Function) -> Survey {
        let uses = vec![Use::default(); function.locals.len()];
        let is_of_source = function.locals.iter().map(|local| local.name.is_some()).collect();
        let mut reader =
            Reader { text, function, survey: Survey { events: Vec::new(), called: Vec::new(), uses, is_of_source } };
        function.parameters.iter().for_each(|parameter| reader.declare(parameter.local));
        reader.list(&function.body);
        (0..function.locals.len() as u32).for_each(|number| reader.declare(LocalId(number)));
        reader.survey
    }

    fn of(&self, local: LocalId) -> &Use {
        &self.uses[local.0 as usize]
    }

    /// Returns whether its name is that of the source.
    pub(super) fn is_of_source(&self, local: LocalId) -> bool {
        self.is_of_source[local.0 as usize]
    }

    /// Returns whether each iteration of a loop changes it by one.
    pub(super) fn is_counter(&self, local: LocalId) -> bool {
        self.of(local).is_counter
    }

    /// The value that it is named by.
    pub(super) fn value(&self, local: LocalId) -> Option<Expr> {
        self.of(local).value
    }

    /// What assignments with an operator make of it.
    pub(super) fn noun(&self, local: LocalId) -> Option<&'static str> {
        self.of(local).operator.map(nouns::of_operator)
    }

    /// Returns whether it is an integer that is computed to be an index.
    pub(super) fn is_computed_index(&self, text: &Text, local: LocalId) -> bool {
        let found = self.of(local);
        let is_computed = |value: Expr| {
            let expression = &text.expressions[value];
            let is_integer = text.types.scalar(expression.ty).is_some_and(Scalar::is_integer);
            is_integer && matches!(expression.shape, Shape::Binary { .. } | Shape::Choice { .. } | Shape::Call { .. })
        };
        found.is_index && found.value.is_none_or(is_computed)
    }
}

struct Reader<'a> {
    text: &'a Text,
    function: &'a Function,
    survey: Survey,
}

impl Reader<'_> {
    fn of(&mut self, local: LocalId) -> &mut Use {
        &mut self.survey.uses[local.0 as usize]
    }

    fn declare(&mut self, local: LocalId) {
        if !self.of(local).is_declared {
            self.of(local).is_declared = true;
            self.survey.events.push(Event::Declare(local));
        }
    }

    /// A list that is a scope.
    fn block(&mut self, block: &Block) {
        self.survey.events.push(Event::Enter);
        self.list(block);
        self.survey.events.push(Event::Leave);
    }

    fn list(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare { local, value } => {
                self.declare(*local);
                value.iter().for_each(|value| self.assigned(*local, *value));
            }
            StatementKind::Assign { target, operator, value } => {
                if let Shape::Local(local) = self.text.expressions[*target].shape {
                    match operator {
                        None => self.assigned(local, *value),
                        Some(operator) => {
                            self.of(local).operator.get_or_insert(*operator);
                        }
                    }
                }
            }
            StatementKind::Step { target, .. } => self.step(*target),
            _ => {}
        }
        statement.expressions().into_iter().for_each(|expr| self.expression(expr));
        match &statement.kind {
            StatementKind::Loop(found) => {
                self.survey.events.push(Event::EnterLoop);
                found.init.iter().for_each(|init| self.statement(init));
                // What is behind an iteration sees what the iteration declares.
                self.survey.events.push(Event::Enter);
                self.list(&found.body);
                self.block(&found.continuing);
                self.survey.events.push(Event::Leave);
                self.survey.events.push(Event::LeaveLoop);
            }
            _ => statement.blocks().into_iter().for_each(|block| self.block(block)),
        }
    }

    /// A value of a variable. One more or less than before is a step.
    fn assigned(&mut self, local: LocalId, value: Expr) {
        let expressions = &self.text.expressions;
        if let Shape::Binary { operator: Binary::Add | Binary::Subtract, left, right } = expressions[value].shape
            && expressions[left].shape == Shape::Local(local)
            && matches!(expressions.literal(right), Some(Literal::Int(1) | Literal::Uint(1)))
        {
            return self.step(left);
        }
        if expressions.literal(value).is_none() || self.function[local].kind == LocalKind::Value {
            self.of(local).value.get_or_insert(value);
        }
    }

    fn step(&mut self, target: Expr) {
        if let Shape::Local(local) = self.text.expressions[target].shape
            && self.function[local].kind == LocalKind::Variable
        {
            self.of(local).is_counter = true;
        }
    }

    fn expression(&mut self, expr: Expr) {
        let text = self.text;
        text.expressions.walk(expr, &mut |part| match &text.expressions[part].shape {
            Shape::Index { index, .. } => {
                if let Shape::Local(local) = text.expressions[*index].shape {
                    self.of(local).is_index = true;
                }
            }
            Shape::Call { callee: Callee::Intrinsic(name), .. } => self.survey.called.push(name),
            _ => {}
        });
    }
}
