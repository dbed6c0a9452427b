//! Nested selections in place of jumps.
//!
//! ```text
//! do { a; if (c) { b; break; } d } while (false);  ⇒  a; if (c) { b } else { d }
//! switch (x) { default: { a } }                    ⇒  a
//! loop { if (c) { a; continue; } b }               ⇒  loop { if (c) { a } else { b } }
//! ```
//!
//! WGSL treats control flow as non-uniform after a `continue` that some lanes execute, and as uniform after a selection. So with `else`, a
//! barrier after the loop, or in its next iteration, stays valid.
//!
//! A value that the code between iterations uses is declared before every `continue`, so no such declaration moves into an arm.

use super::Context;
use super::branches::{Selection, add_selection};
use crate::syntax::{
    Block, Case, DEEPEST_BLOCK, Effects, Label, Literal, Loop, Statement, StatementKind, has_break, has_continue,
};

/// The maximum nesting of selections in place of jumps.
const MOST_NESTED: usize = 16;

/// Writes code that runs once and is left by `break` as nested selections, if they are equivalent.
///
/// Takes time proportional to the function and to the nesting of such code.
pub(super) fn nest_breaks(body: &mut Block, context: &mut Context<'_>) {
    breaks_in(body, 1, context);
}

fn breaks_in(list: &mut Block, level: u32, context: &mut Context<'_>) {
    for statement in list {
        for inner in statement.blocks_mut() {
            breaks_in(inner, level + 1, context);
        }
        let Some(body) = executed_once(statement, context) else { continue };
        let mut nested = body.clone();
        nest(&mut nested, &StatementKind::Break, MOST_NESTED, context);
        if !has_break(&nested) && level + height(&nested) <= DEEPEST_BLOCK {
            statement.kind = StatementKind::Block(nested);
        }
    }
}

/// The list that a statement executes exactly once.
fn executed_once<'a>(statement: &'a Statement, context: &Context<'_>) -> Option<&'a Block> {
    match &statement.kind {
        StatementKind::Loop(found) => (runs_once(found, context) && !has_continue(&found.body)).then_some(&found.body),
        StatementKind::Switch { selector, cases } => {
            let has_effect = context.expressions[*selector].effects.has(Effects::WRITES);
            match &cases[..] {
                [Case { labels, body, .. }] if labels.contains(&Label::Default) && !has_effect => Some(body),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether a loop ends after its first iteration.
pub(super) fn runs_once(found: &Loop, context: &Context<'_>) -> bool {
    let literal = found.break_if.and_then(|condition| context.expressions.literal(condition));
    literal == Some(Literal::Bool(true)) && found.continuing.is_empty() && found.condition.is_none()
}

/// The number of braces inside one another in a list.
pub(super) fn height(list: &Block) -> u32 {
    list.iter().flat_map(Statement::blocks).map(|inner| height(inner) + 1).max().unwrap_or(0)
}

/// Replaces `continue` by `else`, where it ends an arm.
pub(super) fn nest_continues(body: &mut Block, context: &mut Context<'_>) {
    continues_in(body, 1, context);
}

fn continues_in(list: &mut Block, level: u32, context: &mut Context<'_>) {
    for statement in list {
        for inner in statement.blocks_mut() {
            continues_in(inner, level + 1, context);
        }
        if let StatementKind::Loop(found) = &mut statement.kind
            && has_continue(&found.body)
        {
            let left = DEEPEST_BLOCK.saturating_sub(level + 1 + height(&found.body)) as usize;
            let left = left.min(MOST_NESTED);
            let before = height(&found.body);
            nest(&mut found.body, &StatementKind::Continue, left, context);
            let used = height(&found.body).saturating_sub(before) as usize;
            nest_in_last(&mut found.body, left.saturating_sub(used), context);
        }
    }
}

/// The same in the arms of a selection at the end of an iteration, and in those at their ends.
fn nest_in_last(list: &mut Block, left: usize, context: &mut Context<'_>) {
    let Some(Statement { kind: StatementKind::If { accept, reject, .. }, .. }) = list.last_mut() else { return };
    for arm in [accept, reject] {
        let before = height(arm);
        nest(arm, &StatementKind::Continue, left, context);
        let used = height(arm).saturating_sub(before) as usize;
        nest_in_last(arm, left.saturating_sub(used), context);
    }
}

/// The maximum nesting of selections that avoid the flag of a loop.
const MOST_NESTED_CONTINUES: usize = 3;

/// Replaces all `continue` of the body of a loop by few nested selections, if that is possible.
pub(super) fn nest_all_continues(body: &mut Block, level: u32, context: &mut Context<'_>) {
    let mut nested = body.clone();
    nest(&mut nested, &StatementKind::Continue, MOST_NESTED_CONTINUES, context);
    if !has_continue(&nested) && level + height(&nested) <= DEEPEST_BLOCK {
        *body = nested;
    }
}

/// Removes jumps to the end of the list: the statements after a selection that ends with one become its other arm.
fn nest(list: &mut Block, jump: &StatementKind, left: usize, context: &mut Context<'_>) {
    remove_last(list, jump, context);
    let jumps = |arm: &Block| arm.last().is_some_and(|last| last.kind == *jump);
    let found = list.iter().position(
        |statement| matches!(&statement.kind, StatementKind::If { accept, reject, .. } if jumps(accept) && reject.is_empty()),
    );
    let (Some(place), Some(left)) = (found, left.checked_sub(1)) else { return };
    let mut rest = list.split_off(place + 1);
    nest(&mut rest, jump, left, context);
    if let Some(Statement { kind: StatementKind::If { condition, mut accept, .. }, origin }) = list.pop() {
        accept.pop();
        nest(&mut accept, jump, left, context);
        let (condition, accept, reject) = match accept.is_empty() {
            true => (context.negated(condition), rest, Block::new()),
            false => (condition, accept, rest),
        };
        list.push(Statement { kind: StatementKind::If { condition, accept, reject }, origin });
    }
}

/// Removes the `return` at the end of a function, the `continue` at the end of an iteration and the `break` at the end of a case.
pub(super) fn remove_last_jumps(body: &mut Block, context: &mut Context<'_>) {
    remove_last(body, &StatementKind::Return(None), context);
    last_in(body, context);
}

fn last_in(list: &mut Block, context: &mut Context<'_>) {
    for statement in list {
        match &mut statement.kind {
            StatementKind::Loop(found) => remove_last(&mut found.body, &StatementKind::Continue, context),
            StatementKind::Switch { cases, .. } => {
                for case in cases.iter_mut().filter(|case| !case.falls) {
                    remove_last(&mut case.body, &StatementKind::Break, context);
                }
            }
            _ => {}
        }
        for inner in statement.blocks_mut() {
            last_in(inner, context);
        }
    }
}

fn remove_last(list: &mut Block, jump: &StatementKind, context: &mut Context<'_>) {
    match list.pop() {
        Some(last) if last.kind == *jump => {}
        Some(Statement { kind: StatementKind::If { condition, mut accept, mut reject }, origin }) => {
            remove_last(&mut accept, jump, context);
            remove_last(&mut reject, jump, context);
            add_selection(list, Selection { condition, accept, reject, origin }, context);
        }
        last => list.extend(last),
    }
}
