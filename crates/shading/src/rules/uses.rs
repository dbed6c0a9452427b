//! How often a function names its locals.

use super::Context;
use crate::syntax::{Block, Expr, LocalId, Shape, Statement};

/// The number of expressions that name each local, assigned places included.
pub(super) struct Uses {
    counts: Vec<u32>,
}

impl Uses {
    /// Counts them in a list and the lists in it.
    pub(super) fn of(list: &Block, context: &Context<'_>) -> Uses {
        let mut uses = Uses { counts: vec![0; context.locals.len()] };
        uses.list(list, context);
        uses
    }

    /// The number for a local.
    pub(super) fn count(&self, local: LocalId) -> u32 {
        self.counts.get(local.0 as usize).copied().unwrap_or(0)
    }

    /// Notes that a statement names a local more or less often than before.
    pub(super) fn change(&mut self, local: LocalId, before: u32, after: u32) {
        if let Some(count) = self.counts.get_mut(local.0 as usize) {
            *count = (*count + after).saturating_sub(before);
        }
    }

    fn list(&mut self, list: &Block, context: &Context<'_>) {
        for statement in list {
            self.statement(statement, context);
        }
    }

    fn statement(&mut self, statement: &Statement, context: &Context<'_>) {
        for expr in statement.expressions() {
            self.expression(expr, context);
        }
        for inner in statement.blocks() {
            self.list(inner, context);
        }
    }

    fn expression(&mut self, expr: Expr, context: &Context<'_>) {
        context.expressions.walk(expr, &mut |part| {
            if let Shape::Local(local) = context.shape(part) {
                self.counts[local.0 as usize] += 1;
            }
        });
    }
}

/// The number of times that a statement and those in it name a local.
pub(super) fn count_in(statement: &Statement, local: LocalId, context: &Context<'_>) -> u32 {
    let mut count = 0;
    for expr in statement.expressions() {
        context.expressions.walk(expr, &mut |part| count += u32::from(*context.shape(part) == Shape::Local(local)));
    }
    count + statement.blocks().into_iter().flatten().map(|inner| count_in(inner, local, context)).sum::<u32>()
}
