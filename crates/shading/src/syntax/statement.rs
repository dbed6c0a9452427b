//! Statements.

use reconverge_ir::Inst;

use super::{Binary, Expr, LocalId};

/// Statements, in order.
pub(crate) type Block = Vec<Statement>;

/// A statement, and the instruction that it was made of.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) origin: Option<Inst>,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum StatementKind {
    /// Declares a variable or names a value.
    Declare {
        local: LocalId,
        value: Option<Expr>,
    },
    /// Assigns a value, or the result of an operator with the value that is there.
    Assign {
        target: Expr,
        operator: Option<Binary>,
        value: Expr,
    },
    /// Adds one: `i++`, `i--`.
    Step {
        target: Expr,
        operator: Binary,
    },
    /// A call.
    Expression(Expr),
    /// A selection.
    If {
        condition: Expr,
        accept: Block,
        reject: Block,
    },
    /// A selection of several cases.
    Switch {
        selector: Expr,
        cases: Vec<Case>,
    },
    /// A loop of any kind.
    Loop(Box<Loop>),
    /// Statements in braces.
    Block(Block),
    Break,
    Continue,
    Return(Option<Expr>),
    /// Ends the lane, which leaves no result.
    Discard,
}

/// The label of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    Default,
    /// A value of the type of the selector.
    Value(i64),
}

/// A case of a `switch`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Case {
    pub(crate) labels: Vec<Label>,
    pub(crate) body: Block,
    /// True if control goes on in the next case.
    pub(crate) falls: bool,
}

/// A loop. Without conditions it is endless.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Loop {
    /// The first part of a `for`, which is executed once.
    pub(crate) init: Option<Box<Statement>>,
    /// The condition before each iteration.
    pub(crate) condition: Option<Expr>,
    /// The statements of each iteration.
    pub(crate) body: Block,
    /// The statements after each iteration, also after one that `continue` ends.
    pub(crate) continuing: Block,
    /// The condition on which the loop ends after `continuing`.
    pub(crate) break_if: Option<Expr>,
    /// True if `continuing` is the last part of a `for`.
    pub(crate) is_for: bool,
}

impl From<StatementKind> for Statement {
    fn from(kind: StatementKind) -> Statement {
        Statement { kind, origin: None }
    }
}

impl Statement {
    /// Returns whether control never continues after it.
    pub(crate) fn is_jump(&self) -> bool {
        matches!(
            self.kind,
            StatementKind::Break | StatementKind::Continue | StatementKind::Return(_) | StatementKind::Discard
        )
    }

    /// The lists in it, in order.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StatementKind::Block(block) => vec![block],
            StatementKind::If { accept, reject, .. } => vec![accept, reject],
            StatementKind::Loop(found) => vec![&found.body, &found.continuing],
            StatementKind::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
            _ => Vec::new(),
        }
    }

    /// The lists in it, in order.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            StatementKind::Block(block) => vec![block],
            StatementKind::If { accept, reject, .. } => vec![accept, reject],
            StatementKind::Loop(found) => vec![&mut found.body, &mut found.continuing],
            StatementKind::Switch { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
            _ => Vec::new(),
        }
    }

    /// Its own expressions, without those of its lists: values before the target that they are assigned to.
    pub(crate) fn expressions(&self) -> Vec<Expr> {
        match &self.kind {
            StatementKind::Declare { value, .. } | StatementKind::Return(value) => value.iter().copied().collect(),
            StatementKind::Assign { target, value, .. } => vec![*value, *target],
            StatementKind::Step { target, .. } => vec![*target],
            StatementKind::Expression(value) => vec![*value],
            StatementKind::If { condition, .. } => vec![*condition],
            StatementKind::Switch { selector, .. } => vec![*selector],
            StatementKind::Loop(found) => {
                let init = found.init.as_ref().map_or_else(Vec::new, |init| init.expressions());
                init.into_iter().chain(found.condition).chain(found.break_if).collect()
            }
            StatementKind::Block(_) | StatementKind::Break | StatementKind::Continue | StatementKind::Discard => {
                Vec::new()
            }
        }
    }

    /// The same as [`Statement::expressions`], to replace them.
    pub(crate) fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            StatementKind::Declare { value, .. } | StatementKind::Return(value) => value.iter_mut().collect(),
            StatementKind::Assign { target, value, .. } => vec![value, target],
            StatementKind::Step { target, .. } => vec![target],
            StatementKind::Expression(value) => vec![value],
            StatementKind::If { condition, .. } => vec![condition],
            StatementKind::Switch { selector, .. } => vec![selector],
            StatementKind::Loop(found) => {
                let init = found.init.as_mut().map_or_else(Vec::new, |init| init.expressions_mut());
                init.into_iter().chain(&mut found.condition).chain(&mut found.break_if).collect()
            }
            StatementKind::Block(_) | StatementKind::Break | StatementKind::Continue | StatementKind::Discard => {
                Vec::new()
            }
        }
    }
}

/// Returns whether a `continue` in the list belongs to the loop around it.
pub(crate) fn has_continue(list: &Block) -> bool {
    list.iter().any(|statement| match statement.kind {
        StatementKind::Continue => true,
        StatementKind::Loop(_) => false,
        _ => statement.blocks().into_iter().any(has_continue),
    })
}

/// Returns whether a `break` in the list belongs to the loop or switch around it.
pub(crate) fn has_break(list: &Block) -> bool {
    list.iter().any(|statement| match statement.kind {
        StatementKind::Break => true,
        StatementKind::Loop(_) | StatementKind::Switch { .. } => false,
        _ => statement.blocks().into_iter().any(has_break),
    })
}
