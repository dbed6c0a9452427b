//! How a function uses its locals: what a name can say of them.

use crate::syntax::{
    Binary, Block, Callee, Expr, Function, Literal, LocalId, LocalKind, Scalar, Shape, Statement, StatementKind, Text,
    TypeShape, Unary,
};

/// The facts about a local.
#[derive(Clone, Default)]
struct Use {
    is_declared: bool,
    is_index: bool,
    is_counter: bool,
    /// A counter gets it for the next iteration.
    is_next: bool,
    role: Option<Role>,
    /// The first place in memory that it is written to.
    target: Option<Expr>,
    /// The first value that is assigned to it and is no constant.
    value: Option<Expr>,
    /// The operator of the first assignment with one.
    operator: Option<Binary>,
    /// The first other local that is assigned to it.
    copied: Option<Expr>,
}

/// What a local is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// The function returns it.
    Returned,
    /// A loop or the function ends if it holds.
    Ends,
    /// A loop or the function ends if it does not hold.
    Continues,
    /// An iteration ends if it holds.
    Skips,
    /// The fragment is discarded if it holds.
    Discards,
}

impl Role {
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Role::Returned => "result",
            Role::Ends => "is_done",
            Role::Continues => "goes_on",
            Role::Skips => "is_skipped",
            Role::Discards => "is_discarded",
        }
    }
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
    /// It has a choice between two values, which is a call in WGSL.
    pub(super) has_choice: bool,
    uses: Vec<Use>,
    is_of_source: Vec<bool>,
}

impl Survey {
    /// Linear in the function.
    pub(super) fn new(text: &Text, function: &Function) -> Survey {
        let uses = vec![Use::default(); function.locals.len()];
        let is_of_source = function.locals.iter().map(|local| local.name.is_some()).collect();
        let mut reader = Reader {
            text,
            function,
            survey: Survey { events: Vec::new(), called: Vec::new(), has_choice: false, uses, is_of_source },
        };
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

    /// Returns whether it is the value of a counter in the next iteration.
    pub(super) fn is_next(&self, local: LocalId) -> bool {
        self.of(local).is_next
    }

    /// What it is for.
    pub(super) fn role(&self, local: LocalId) -> Option<Role> {
        self.of(local).role
    }

    /// The place in memory that it is written to.
    pub(super) fn target(&self, local: LocalId) -> Option<Expr> {
        self.of(local).target
    }

    /// The value that it is named by.
    pub(super) fn value(&self, local: LocalId) -> Option<Expr> {
        self.of(local).value.or(self.of(local).copied)
    }

    /// The operator of assignments to it.
    pub(super) fn operator(&self, local: LocalId) -> Option<Binary> {
        self.of(local).operator
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
            StatementKind::Return(Some(value)) => self.give_role(*value, Role::Returned),
            StatementKind::If { condition, accept, .. } => {
                let role = match accept.last().map(|last| &last.kind) {
                    Some(StatementKind::Break | StatementKind::Return(_)) => Some(Role::Ends),
                    Some(StatementKind::Continue) => Some(Role::Skips),
                    Some(StatementKind::Discard) => Some(Role::Discards),
                    _ => None,
                };
                role.into_iter().for_each(|role| self.give_role(*condition, role));
            }
            StatementKind::Assign { target, operator, value } => {
                if let Shape::Local(local) = self.text.expressions[*value].shape
                    && self.text.expressions.root_local(*target).is_none()
                {
                    self.of(local).target.get_or_insert(*target);
                }
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

    /// A local that a statement uses alone, or the opposite of one.
    fn give_role(&mut self, value: Expr, role: Role) {
        let (local, role) = match (&self.text.expressions[value].shape, role) {
            (Shape::Local(local), _) => (*local, role),
            (&Shape::Unary { operator: Unary::Not, operand }, Role::Ends) => match self.text.expressions[operand].shape
            {
                Shape::Local(local) => (local, Role::Continues),
                _ => return,
            },
            _ => return,
        };
        self.of(local).role.get_or_insert(role);
    }

    /// A value of a variable. One more or less than before is a step.
    fn assigned(&mut self, local: LocalId, value: Expr) {
        if self.is_one_further(local, value) {
            return self.count(local);
        }
        let is_variable = self.function[local].kind != LocalKind::Value;
        match self.text.expressions[value].shape {
            Shape::Local(other) if is_variable => {
                let next = self.of(other).value;
                if next.is_some_and(|next| self.is_one_further(local, next)) {
                    self.of(other).is_next = true;
                    return self.count(local);
                }
                self.of(local).copied.get_or_insert(value);
            }
            _ if !is_variable || !self.is_constant(value) => {
                self.of(local).value.get_or_insert(value);
            }
            _ => {}
        }
    }

    /// Returns whether a value is a local with one more or less, perhaps computed without signs.
    fn is_one_further(&self, local: LocalId, value: Expr) -> bool {
        let expressions = &self.text.expressions;
        let value = self.unconverted(value);
        let Shape::Binary { operator: Binary::Add | Binary::Subtract, left, right } = expressions[value].shape else {
            return false;
        };
        expressions[self.unconverted(left)].shape == Shape::Local(local)
            && matches!(expressions.literal(right), Some(Literal::Int(1) | Literal::Uint(1)))
    }

    /// An integer without the conversion between signs around it.
    fn unconverted(&self, value: Expr) -> Expr {
        let scalar = |expr: Expr| match self.text.types[self.text.expressions[expr].ty] {
            TypeShape::Scalar(scalar) if scalar.is_integer() => Some(scalar.width),
            _ => None,
        };
        match self.text.expressions[value].shape {
            Shape::Construct(ref parts) => match parts[..] {
                [only] if scalar(only).is_some() && scalar(only) == scalar(value) => only,
                _ => value,
            },
            _ => value,
        }
    }

    /// Returns whether a value is a literal, or is made of literals.
    fn is_constant(&self, value: Expr) -> bool {
        let mut is_constant = true;
        self.text.expressions.walk(value, &mut |part| {
            is_constant &= matches!(self.text.expressions[part].shape, Shape::Literal(_) | Shape::Construct(_));
        });
        is_constant
    }

    fn step(&mut self, target: Expr) {
        if let Shape::Local(local) = self.text.expressions[target].shape {
            self.count(local);
        }
    }

    fn count(&mut self, local: LocalId) {
        if self.function[local].kind == LocalKind::Variable {
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
            Shape::Choice { .. } => self.survey.has_choice = true,
            _ => {}
        });
    }
}
