//! Loops with a counter as `for`.
//!
//! ```text
//! i = 0; while (c) { a } continuing { i = i + 1 }   ⇒   for (i = 0; c; i = i + 1) { a }
//! i = 0; while (c) { a; i = i + 1 }                 ⇒   the same, if c names i and no `continue` skips its end
//! ```
//!
//! A counter that the head declares is not used after the loop. No statement between the first part and the loop names the counter or
//! changes the value that it is set to.

use super::Context;
use super::effects::assignment;
use super::loops::{can_be_step, is_step};
use super::uses::{Uses, count_in};
use crate::syntax::{Block, Effects, Expr, LocalId, LocalKind, Loop, Statement, StatementKind, has_continue};

/// The maximum number of statements between the first part of a `for` and the loop.
const FARTHEST: usize = 16;

/// Applies the rule to all lists, inner lists first.
pub(super) fn convert(body: &mut Block, context: &mut Context<'_>) {
    let uses = Uses::of(body, context);
    in_list(body, &uses, context);
}

fn in_list(list: &mut Block, uses: &Uses, context: &Context<'_>) {
    for mut statement in std::mem::take(list) {
        for inner in statement.blocks_mut() {
            in_list(inner, uses, context);
        }
        if matches!(statement.kind, StatementKind::Loop(_)) {
            convert_loop(&mut statement, list, uses, context);
        }
        list.push(statement);
    }
}

/// Converts a loop behind some statements, and takes the one of them that sets its counter.
fn convert_loop(statement: &mut Statement, before: &mut Block, uses: &Uses, context: &Context<'_>) {
    let counters = steps(statement).into_iter();
    let place = counters.filter_map(|counter| init_of(before, counter, statement, uses, context)).next();
    let StatementKind::Loop(found) = &mut statement.kind else { return };
    if found.continuing.is_empty() && place.is_some() {
        take_step(found, context);
    }
    if is_step(found, context) {
        found.is_for = true;
        found.init = place.map(|place| Box::new(before.remove(place)));
    }
}

/// The targets of the assignments that may be the last part of a `for`.
fn steps(statement: &Statement) -> Vec<Expr> {
    let StatementKind::Loop(found) = &statement.kind else { return Vec::new() };
    let is_last = found.continuing.is_empty();
    let steps = if is_last { found.body.last().map(std::slice::from_ref) } else { Some(&found.continuing[..]) };
    let target = |step: &Statement| match step.kind {
        StatementKind::Assign { target, .. } => Some(target),
        _ => None,
    };
    steps.into_iter().flatten().filter_map(target).collect()
}

/// Makes the last statement of an iteration the code after it, if it changes a counter of the condition.
fn take_step(found: &mut Loop, context: &Context<'_>) {
    let (Some(condition), Some(last)) = (found.condition, found.body.last()) else { return };
    let Some((counter, _)) = assignment(last, context) else { return };
    if context.mentions(condition, counter)
        && can_be_step(std::slice::from_ref(last), found, context)
        && !has_continue(&found.body)
    {
        found.continuing.extend(found.body.pop());
    }
}

/// The statement before a loop that sets its counter. Inspects [`FARTHEST`] statements.
fn init_of(before: &Block, counter: Expr, repeated: &Statement, uses: &Uses, context: &Context<'_>) -> Option<usize> {
    let counter = context.expressions.root_local(counter)?;
    let first = before.len().saturating_sub(FARTHEST);
    for (place, statement) in before.iter().enumerate().skip(first).rev() {
        if !statement.blocks().is_empty() || statement.is_jump() {
            return None;
        }
        let value = match statement.kind {
            StatementKind::Declare { local, value } if local == counter => {
                let is_local = || uses.count(counter) == count_in(repeated, counter, context);
                let is_variable = context.local(counter).kind == LocalKind::Variable;
                Some(value.filter(|_| is_variable && is_local())?)
            }
            _ => assignment(statement, context).filter(|(local, _)| *local == counter).map(|(_, value)| value),
        };
        if let Some(value) = value {
            return is_same_behind(value, counter, &before[place + 1..], context).then_some(place);
        }
        if count_in(statement, counter, context) > 0 {
            return None;
        }
    }
    None
}

/// Returns whether a value is the same after some statements.
fn is_same_behind(value: Expr, counter: LocalId, statements: &[Statement], context: &Context<'_>) -> bool {
    let effects = context.effects(value);
    let has_effect =
        effects.has(Effects::WRITES) || effects.has(Effects::CONVERGENT) || context.mentions(value, counter);
    statements.iter().all(|statement| {
        let access = context.access(statement);
        let is_changed = effects.has(Effects::READS) && access.effects.has(Effects::WRITES);
        !has_effect && !is_changed && access.written().all(|local| !context.mentions(value, local))
    })
}
