//! Values that variables get where a loop ends by itself, before the loop.
//!
//! ```text
//! loop {                               is_found = false;
//!     if (i >= n) {                    loop {
//!         is_found = false;                if (i >= n) { break; }
//!         break;                           if (a) {
//!     }                          ⇒             is_found = true;
//!     if (a) {                                 break;
//!         is_found = true;                 }
//!         break;                           i = i + 1;
//!     }                                }
//!     i = i + 1;
//! }
//! ```
//!
//! What is left of the exit is the condition of the loop. The loop neither reads such a variable nor writes it besides at its exits, and each of its
//! exits assigns it. The value is a literal or a name that the loop does not change.

use std::mem::take;

use super::Context;
use super::effects::assignment;
use super::uses::count_in;
use crate::syntax::{Block, Effects, Expr, LocalId, LocalKind, Shape, Statement, StatementKind, has_continue};

/// The maximum number of variables of a loop that get a value before it.
const MOST: usize = 3;

/// A variable and its value.
#[derive(Clone, Copy)]
struct Assigned {
    local: LocalId,
    value: Expr,
}

/// Applies the rule to all lists, inner lists first.
pub(super) fn assign_before(list: &mut Block, context: &Context<'_>) {
    for mut statement in take(list) {
        for inner in statement.blocks_mut() {
            assign_before(inner, context);
        }
        if is_movable(&statement, context) {
            list.append(&mut take_assignments(&mut statement));
        }
        list.push(statement);
    }
}

/// The arm that ends a loop at the beginning of an iteration, without its `break`.
fn exit(statement: &Statement) -> Option<&[Statement]> {
    let StatementKind::Loop(found) = &statement.kind else { return None };
    let StatementKind::If { accept, reject, .. } = &found.body.first()?.kind else { return None };
    let [assignments @ .., Statement { kind: StatementKind::Break, .. }] = &accept[..] else { return None };
    let is_alone = reject.is_empty() && found.condition.is_none() && found.break_if.is_none();
    (is_alone && !assignments.is_empty() && assignments.len() <= MOST).then_some(assignments)
}

fn take_assignments(statement: &mut Statement) -> Block {
    let StatementKind::Loop(found) = &mut statement.kind else { return Block::new() };
    match found.body.first_mut().map(|first| &mut first.kind) {
        Some(StatementKind::If { accept, .. }) => {
            let jump = accept.pop();
            std::mem::replace(accept, jump.into_iter().collect())
        }
        _ => Block::new(),
    }
}

/// Returns whether the assignments of the exit may be executed before the loop.
fn is_movable(statement: &Statement, context: &Context<'_>) -> bool {
    let Some(assignments) = exit(statement) else { return false };
    let of = |statement| assignment(statement, context).map(|(local, value)| Assigned { local, value });
    let Some(assigned) = assignments.iter().map(of).collect::<Option<Vec<Assigned>>>() else { return false };
    let written = context.access(statement);
    assigned.iter().all(|found| {
        let is_simple = matches!(context.shape(found.value), Shape::Literal(_) | Shape::Local(_));
        let is_changed = || written.written().any(|local| context.mentions(found.value, local));
        context.local(found.local).kind == LocalKind::Variable
            && is_simple
            && context.effects(found.value) == Effects::PURE
            && !is_changed()
            && is_for_exits(statement, found.local, context)
    })
}

/// Returns whether a loop names a variable only where its exits assign it, and each exit does.
fn is_for_exits(statement: &Statement, local: LocalId, context: &Context<'_>) -> bool {
    let StatementKind::Loop(found) = &statement.kind else { return false };
    let mut count = 0;
    let is_assigned = each_exit_assigns(&found.body, local, &mut count, context);
    is_assigned && count == count_in(statement, local, context)
}

/// Counts the assignments of a variable in lists that end with an exit. Returns false if a `break` of the loop is without one.
fn each_exit_assigns(list: &Block, local: LocalId, count: &mut u32, context: &Context<'_>) -> bool {
    let last = list.last().map(|last| &last.kind);
    let is_break = last == Some(&StatementKind::Break);
    if is_break || matches!(last, Some(StatementKind::Return(_) | StatementKind::Discard)) {
        let assigns = |statement: &&Statement| assignment(statement, context).is_some_and(|found| found.0 == local);
        let assignments = list.iter().filter(assigns).count() as u32;
        if assignments > 0 && has_continue(list) || is_break && assignments == 0 {
            return false;
        }
        *count += assignments;
    }
    let end = list.len();
    (1..).zip(list).all(|(place, statement)| match &statement.kind {
        StatementKind::Break => place == end,
        StatementKind::If { accept, reject, .. } => {
            each_exit_assigns(accept, local, count, context) && each_exit_assigns(reject, local, count, context)
        }
        StatementKind::Block(inner) => each_exit_assigns(inner, local, count, context),
        _ => true,
    })
}
