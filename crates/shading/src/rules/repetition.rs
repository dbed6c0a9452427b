//! What a value names, at every use of the value.
//!
//! ```text
//! let a = 3;
//! let b = size.x;          if (size.x > 3) {
//! if (b > a) {       ⇒         f(size.x);
//!     f(b);                }
//! }
//! ```
//!
//! The value has no name in the source. It is a literal, a local or a global that never changes, or a member, a component or an element with
//! a constant index of one. So it is the same everywhere, and its text is short.

use rustc_hash::FxHashMap;

use super::Context;
use crate::syntax::{Block, Effects, Expr, LocalId, Shape, Statement, StatementKind};

/// The maximum number of members, components and elements.
const LONGEST_PATH: u16 = 4;

/// Applies the rule to all statements.
pub(super) fn repeat(body: &mut Block, context: &mut Context<'_>) {
    Repetition { named: FxHashMap::default() }.list(body, context);
}

struct Repetition {
    named: FxHashMap<LocalId, Expr>,
}

impl Repetition {
    fn list(&mut self, list: &mut Block, context: &mut Context<'_>) {
        list.retain_mut(|statement| {
            // The conditions of a loop may use values of its body.
            for inner in statement.blocks_mut() {
                self.list(inner, context);
            }
            for expr in statement.expressions() {
                context.replace_names(expr, &self.named);
            }
            self.find(statement, context);
            !matches!(statement.kind, StatementKind::Declare { local, .. } if self.named.contains_key(&local))
        });
    }

    fn find(&mut self, statement: &Statement, context: &Context<'_>) {
        if let StatementKind::Declare { local, value: Some(value) } = statement.kind
            && context.is_unnamed(local)
            && context.effects(value) == Effects::PURE
            && context.expressions[value].depth <= LONGEST_PATH
            && context.is_path(value, |root| !context.changes(root))
        {
            self.named.insert(local, value);
        }
    }
}

impl Context<'_> {
    /// Returns whether it is a literal, a global, a local that satisfies the condition, or a constant part of one.
    pub(super) fn is_path(&self, mut expr: Expr, is_root: impl Fn(LocalId) -> bool) -> bool {
        loop {
            expr = match *self.shape(expr) {
                Shape::Member { base, .. } | Shape::Swizzle { base, .. } => base,
                Shape::Index { base, index } if self.expressions.literal(index).is_some() => base,
                Shape::Local(local) => return is_root(local),
                Shape::Literal(_) | Shape::Global(_) => return true,
                _ => return false,
            };
        }
    }

    /// Replaces names in the expressions of a statement and those in it.
    pub(super) fn replace_in(&mut self, statement: &Statement, named: &FxHashMap<LocalId, Expr>) {
        for expr in statement.expressions() {
            self.replace_names(expr, named);
        }
        for inner in statement.blocks().into_iter().flatten() {
            self.replace_in(inner, named);
        }
    }

    /// Replaces names in an expression by copies of what they name.
    pub(super) fn replace_names(&mut self, expr: Expr, named: &FxHashMap<LocalId, Expr>) {
        if let Shape::Local(local) = self.shape(expr) {
            if let Some(&value) = named.get(local) {
                let copy = self.expressions.copy(value);
                self.expressions[expr] = self.expressions[copy].clone();
            }
            return;
        }
        let parts = self.shape(expr).parts();
        if !parts.is_empty() {
            parts.into_iter().for_each(|part| self.replace_names(part, named));
            self.expressions.refresh(expr);
        }
    }
}
