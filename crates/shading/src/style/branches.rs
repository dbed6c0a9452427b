//! Selections without superfluous arms, and jumps that have an effect.
//!
//! ```text
//! if (c) { } else { a }          ⇒  if (!c) { a }
//! if (c) { a; break; } else { b }⇒  if (c) { a; break; } b
//! if (c) { a } else { break; }   ⇒  if (!c) { break; } a
//! { a }                          ⇒  a
//! ```
//!
//! Names are unique in a function, so a statement that moves out of braces shadows nothing.

use std::mem::take;

use super::expression::negated;
use super::tree::{Case, List, Statement, has_break, has_continue};

/// Applies the rules to all lists, inner lists first.
pub(super) fn simplify(list: &mut List) {
    for statement in take(list) {
        add(list, statement);
    }
}

/// Adds a statement, as one or several simpler ones.
fn add(list: &mut List, mut statement: Statement) {
    statement.lists_mut().into_iter().for_each(simplify);
    match statement {
        Statement::Block(inner) => list.extend(inner),
        Statement::If { condition, then, otherwise } => add_selection(list, condition, then, otherwise),
        _ => list.push(statement),
    }
}

fn add_selection(list: &mut List, condition: String, then: List, otherwise: List) {
    // `!(a)` becomes `!a`.
    let condition = if condition.starts_with('!') { negated(&negated(&condition)) } else { condition };
    let is_jump = |arm: &List| matches!(&arm[..], [only] if only.is_jump());
    let ends = |arm: &List| arm.last().is_some_and(Statement::is_jump);
    if then.is_empty() && otherwise.is_empty() {
        // The condition of an empty selection has no effect: calls with an effect are statements of their own.
        return;
    }
    if then.is_empty() || is_jump(&otherwise) && !is_jump(&then) {
        let then_after = Statement::If { condition: negated(&condition), then: otherwise, otherwise: List::new() };
        list.push(then_after);
        list.extend(then);
    } else if ends(&then) {
        list.push(Statement::If { condition, then, otherwise: List::new() });
        list.extend(otherwise);
    } else {
        list.push(Statement::If { condition, then, otherwise });
    }
}

/// Replaces `continue` by `else`, where it ends an arm: WGSL treats control flow as non-uniform after a `continue` that some lanes execute,
/// and as uniform after a selection. So a barrier after the loop, or in its next iteration, stays valid.
///
/// ```text
/// if (c) { a; continue; } b  ⇒  if (c) { a } else { b }
/// ```
pub(super) fn nest_continues(list: &mut List) {
    for statement in &mut *list {
        if let Statement::Loop(found) = statement {
            nest(&mut found.body, "continue", MOST_NESTED);
        }
        statement.lists_mut().into_iter().for_each(nest_continues);
    }
}

/// The maximum nesting of selections for it; naga and WGSL allow 127 braces.
const MOST_NESTED: usize = 16;

/// Removes jumps to the end of the list: the statements after a selection that ends with one become its other arm.
pub(super) fn nest(list: &mut List, jump: &str, left: usize) {
    remove_last(list, jump);
    let jumps = |then: &List| matches!(then.last(), Some(Statement::Simple(text)) if text == jump);
    let found = list.iter().position(
        |statement| matches!(statement, Statement::If { then, otherwise, .. } if jumps(then) && otherwise.is_empty()),
    );
    let (Some(place), Some(left)) = (found, left.checked_sub(1)) else { return };
    let mut rest = list.split_off(place + 1);
    nest(&mut rest, jump, left);
    if let Some(Statement::If { condition, mut then, .. }) = list.pop() {
        then.pop();
        nest(&mut then, jump, left);
        let (condition, then, otherwise) = match then.is_empty() {
            true => (negated(&condition), rest, List::new()),
            false => (condition, then, rest),
        };
        list.push(Statement::If { condition, then, otherwise });
    }
}

/// Writes code that runs once and is left by `break` as nested selections, if they are equivalent.
///
/// ```text
/// do { a; if (c) { b; break; } d } while (false);  ⇒  a; if (c) { b } else { d }
/// switch (x) { default: { a } }                    ⇒  a
/// ```
///
/// Takes time proportional to the text and to the nesting of such code.
pub(super) fn nest_breaks(list: &mut List) {
    for statement in list {
        statement.lists_mut().into_iter().for_each(nest_breaks);
        let body = match statement {
            Statement::Loop(found) if found.runs_once() && !has_continue(&found.body) => &found.body,
            Statement::Switch { value, cases } => match only_case(value, cases) {
                Some(body) => body,
                None => continue,
            },
            _ => continue,
        };
        let mut nested = body.clone();
        nest(&mut nested, "break", MOST_NESTED);
        if !has_break(&nested) {
            *statement = Statement::Block(nested);
        }
    }
}

/// The body that a switch always executes: that of its only case, or of the default of `switch (0u)` next to an empty case for 1.
fn only_case<'a>(value: &str, cases: &'a [Case]) -> Option<&'a List> {
    let (last, others) = cases.split_last()?;
    let is_empty = |case: &Case| matches!(&case.body[..], [Statement::Simple(text)] if text == "break");
    let is_never = |case: &Case| case.labels == ["case 1u:"] && is_empty(case);
    let is_only = others.is_empty() && !value.contains('(') || value == "0u" && others.iter().all(is_never);
    (is_only && last.labels == ["default:"]).then_some(&last.body)
}

/// Removes the `return` at the end of a function and the `continue` at the end of an iteration.
pub(super) fn remove_last_jumps(body: &mut List) {
    remove_last(body, "return");
    in_loops(body);
}

fn in_loops(list: &mut List) {
    for statement in list {
        if let Statement::Loop(found) = statement {
            remove_last(&mut found.body, "continue");
        }
        statement.lists_mut().into_iter().for_each(in_loops);
    }
}

fn remove_last(list: &mut List, jump: &str) {
    match list.pop() {
        Some(Statement::Simple(text)) if text == jump => {}
        Some(Statement::If { condition, mut then, mut otherwise }) => {
            remove_last(&mut then, jump);
            remove_last(&mut otherwise, jump);
            add_selection(list, condition, then, otherwise);
        }
        last => list.extend(last),
    }
}
