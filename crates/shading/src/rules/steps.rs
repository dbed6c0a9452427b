//! The statement of an iteration that is the last part of a `for`.
//!
//! ```text
//! while (c) {                   while (c) {                  while (c) {
//!     a;                            a;                           let next = i + 1;
//!     i = i + 1;                    i = i + 1;                   a(next);
//!     sum = sum + x;                last = i;                    i = next;
//! }                             }                            }
//! ⇓                             ⇓                            ⇓
//! while (c) {                   while (c) {                  while (c) {
//!     a;                            a;                           let next = i + 1;
//!     sum = sum + x;                last = i + 1;                a(next);
//!     continuing {                  continuing {                 continuing {
//!         i = i + 1;                    i = i + 1;                   i = i + 1;
//! } }                           } }                          } }
//! ```
//!
//! The statement assigns a local that the condition of the loop names. No `continue` skips it. The statements after it change nothing that its
//! value depends on. They do not name the counter, or one of them does once, and gets the value instead. If they may leave the loop, the
//! counter must not be used behind it.

use smallvec::SmallVec;

use super::Context;
use super::effects::assignment;
use super::loops::can_be_step;
use super::uses::count_in;
use crate::syntax::{
    Callee, Effects, Expr, LocalId, LocalKind, Loop, Shape, Statement, StatementKind, has_break, has_continue,
};

/// The maximum number of statements that become those before the step.
const MOST_PASSED: usize = 8;

/// A statement that may be the last part of a `for`.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Its place in the body of the loop.
    place: usize,
    pub(super) counter: LocalId,
    /// What it assigns.
    pub(super) value: Expr,
    /// A statement after it may leave the loop.
    pub(super) passes_exit: bool,
    /// The statement after it that names the counter.
    reader: Option<usize>,
}

/// The statements that may be the last part of a `for`, the last one first.
pub(super) fn candidates(found: &Loop, context: &Context<'_>) -> SmallVec<[Step; 2]> {
    let mut steps = SmallVec::new();
    let Some(condition) = found.condition else { return steps };
    if has_continue(&found.body) || found.body.last().is_some_and(Statement::is_jump) {
        return steps;
    }
    let first = found.body.len().saturating_sub(MOST_PASSED + 1);
    for place in (first..found.body.len()).rev() {
        let Some((counter, value)) = assignment(&found.body[place], context) else { continue };
        if context.mentions(condition, counter) {
            let value = definition(value, counter, (place, found), context).unwrap_or(value);
            steps.extend(candidate(Step { place, counter, value, passes_exit: false, reader: None }, found, context));
        }
    }
    steps
}

/// The value that a name at the end of an iteration stands for, if it is the same there and is computed from the counter.
fn definition(name: Expr, counter: LocalId, (place, found): (usize, &Loop), context: &Context<'_>) -> Option<Expr> {
    let Shape::Local(name) = *context.shape(name) else { return None };
    let declares =
        |statement: &Statement| matches!(statement.kind, StatementKind::Declare { local, .. } if local == name);
    let declared = found.body[..place].iter().position(declares)?;
    let StatementKind::Declare { value: Some(value), .. } = found.body[declared].kind else { return None };
    let is_value = context.local(name).kind == LocalKind::Value && context.effects(value) == Effects::PURE;
    let is_of_counter = context.changing(value).iter().all(|&local| local == counter);
    (is_value && is_of_counter && !is_changed(value, &found.body[declared + 1..place], context)).then_some(value)
}

/// Returns whether statements write a local that an expression names.
fn is_changed(expr: Expr, statements: &[Statement], context: &Context<'_>) -> bool {
    let changing = context.changing(expr);
    statements.iter().any(|statement| context.access(statement).written().any(|local| changing.contains(&local)))
}

/// The step, if it can be executed after the statements behind it.
fn candidate(step: Step, found: &Loop, context: &Context<'_>) -> Option<Step> {
    let Step { place, counter, value, .. } = step;
    let behind = &found.body[place + 1..];
    let target = match found.body[place].kind {
        StatementKind::Assign { target, .. } => target,
        _ => return None,
    };
    let moved = Statement::from(StatementKind::Assign { target, operator: None, value });
    if !can_be_step(std::slice::from_ref(&moved), found, context) {
        return None;
    }
    if behind.is_empty() {
        return Some(step);
    }
    let is_written = |statement: &Statement| context.access(statement).written().any(|local| local == counter);
    let is_variable = context.local(counter).kind == LocalKind::Variable;
    if context.effects(value) != Effects::PURE
        || !is_variable
        || is_changed(value, behind, context)
        || behind.iter().any(is_written)
    {
        return None;
    }
    let readers: SmallVec<[usize; 2]> = (place + 1..)
        .zip(behind)
        .flat_map(|(reader, statement)| std::iter::repeat_n(reader, count_in(statement, counter, context) as usize))
        .take(2)
        .collect();
    let is_of_counter = || context.changing(value).iter().all(|&local| local == counter);
    let reader = match readers[..] {
        [] => None,
        [reader] if is_of_counter() && !is_passed(&found.body[reader], counter, context) => Some(reader),
        _ => return None,
    };
    let passes_exit = behind.iter().any(|statement| has_break(&vec![statement.clone()]));
    Some(Step { passes_exit, reader, ..step })
}

/// Returns whether a function gets a local as an argument, which may be a place.
fn is_passed(statement: &Statement, local: LocalId, context: &Context<'_>) -> bool {
    let mut is_found = false;
    let is_local = |part: &Expr| *context.shape(*part) == Shape::Local(local);
    let mut visit = |part| {
        let Shape::Call { callee: Callee::Function(_), arguments } = context.shape(part) else { return };
        is_found |= arguments.iter().any(is_local);
    };
    statement.expressions().into_iter().for_each(|expr| context.expressions.walk(expr, &mut visit));
    is_found || statement.blocks().into_iter().flatten().any(|inner| is_passed(inner, local, context))
}

/// Makes a statement of an iteration the code after it.
pub(super) fn take(found: &mut Loop, step: Step, context: &mut Context<'_>) {
    let mut taken = found.body.remove(step.place);
    if let Some(reader) = step.reader {
        let named = [(step.counter, step.value)].into_iter().collect();
        context.replace_in(&found.body[reader - 1], &named);
    }
    if let StatementKind::Assign { value, .. } = &mut taken.kind {
        *value = context.expressions.copy(step.value);
    }
    found.continuing.push(taken);
}
