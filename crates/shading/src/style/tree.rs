//! A function as a tree of statements, whose expressions are text.

/// Statements, in order.
pub(super) type List = Vec<Statement>;

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Statement {
    /// A declaration, an assignment, a call or a jump, without its semicolon.
    Simple(String),
    /// A list in braces.
    Block(List),
    /// A selection.
    If {
        /// The condition, without parentheses around it.
        condition: String,
        /// The statements if it holds.
        then: List,
        /// The statements otherwise.
        otherwise: List,
    },
    /// A loop of any kind.
    Loop(Box<Loop>),
    /// A selection of several cases.
    Switch {
        /// The selector, without parentheses around it.
        value: String,
        /// The cases, in order.
        cases: Vec<Case>,
    },
}

/// The case of a `switch`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Case {
    /// The labels, as they are written: `case 1u, 2u:`.
    pub(super) labels: Vec<String>,
    /// The statements.
    pub(super) body: List,
}

/// A loop. Without conditions it is endless.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Loop {
    /// The first part of a `for`, which is executed once.
    pub(super) init: Option<String>,
    /// The condition before each iteration: a `while`, or the second part of a `for`.
    pub(super) condition: Option<String>,
    /// The statements of each iteration.
    pub(super) body: List,
    /// The statements after each iteration, also after one that `continue` ends.
    pub(super) continuing: List,
    /// The condition on which the loop ends after [`continuing`](Self::continuing).
    pub(super) break_if: Option<String>,
    /// True if [`continuing`](Self::continuing) is the last part of a `for`.
    pub(super) is_for: bool,
    /// The flag that marks the first iteration in a language without `continuing`.
    pub(super) flag: Option<String>,
}

impl Loop {
    /// Returns whether it is executed once: `do { … } while (false)`.
    pub(super) fn runs_once(&self) -> bool {
        self.break_if.as_deref() == Some("true") && self.continuing.is_empty() && self.condition.is_none()
    }
}

impl Statement {
    /// The text of a simple statement.
    pub(super) fn simple(&self) -> Option<&str> {
        match self {
            Statement::Simple(text) => Some(text),
            _ => None,
        }
    }

    /// Returns whether control never continues after it.
    pub(super) fn is_jump(&self) -> bool {
        self.simple().is_some_and(|text| {
            matches!(text, "break" | "continue" | "discard" | "return") || text.starts_with("return ")
        })
    }

    /// The lists in it, in order.
    pub(super) fn lists_mut(&mut self) -> Vec<&mut List> {
        match self {
            Statement::Simple(_) => Vec::new(),
            Statement::Block(list) => vec![list],
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop(found) => vec![&mut found.body, &mut found.continuing],
            Statement::Switch { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
        }
    }

    /// The lists in it, in order.
    pub(super) fn lists(&self) -> Vec<&List> {
        match self {
            Statement::Simple(_) => Vec::new(),
            Statement::Block(list) => vec![list],
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop(found) => vec![&found.body, &found.continuing],
            Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        }
    }

    /// The [`texts`](Self::texts), mutable.
    pub(super) fn texts_mut(&mut self) -> Vec<&mut String> {
        match self {
            Statement::Simple(text) => vec![text],
            Statement::Block(_) => Vec::new(),
            Statement::If { condition, .. } => vec![condition],
            Statement::Loop(found) => {
                [&mut found.init, &mut found.condition, &mut found.break_if].into_iter().flatten().collect()
            }
            Statement::Switch { value, .. } => vec![value],
        }
    }

    /// Its own text, without that of its lists.
    pub(super) fn texts(&self) -> Vec<&str> {
        match self {
            Statement::Simple(text) => vec![text],
            Statement::Block(_) => Vec::new(),
            Statement::If { condition, .. } => vec![condition],
            Statement::Loop(found) => {
                [&found.init, &found.condition, &found.break_if].into_iter().flatten().map(String::as_str).collect()
            }
            Statement::Switch { value, .. } => vec![value],
        }
    }
}

/// Returns whether a `continue` in the list belongs to the loop around it.
pub(super) fn has_continue(list: &List) -> bool {
    list.iter().any(|statement| match statement {
        Statement::Simple(text) => text == "continue",
        Statement::Loop(_) => false,
        _ => statement.lists().into_iter().any(has_continue),
    })
}

/// Returns whether a `break` in the list belongs to the loop or switch around it.
pub(super) fn has_break(list: &List) -> bool {
    list.iter().any(|statement| match statement {
        Statement::Simple(text) => text == "break",
        Statement::Loop(_) | Statement::Switch { .. } => false,
        _ => statement.lists().into_iter().any(has_break),
    })
}
