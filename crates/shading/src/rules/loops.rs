//! Converts endless loops to `while` and `do`.
//!
//! ```text
//! loop { a } continuing { step }                ⇒   loop { a; step }        if no `continue` leads to the step
//! loop { a; break; }                            ⇒   do { a } while (false)
//! loop { if (!c) { break; } a }                 ⇒   while (c) { a }
//! loop { a } break if c                         ⇒   do { a } while (!c)     in C
//! loop { if (c) { a; continue; } b } continuing { step }
//!                                               ⇒   loop { if (c) { a } else { b } step }    in C, for a step that is no part of a `for`
//! ```

use std::mem::take;

use rustc_hash::FxHashSet;

use super::Context;
use super::assignments::compound;
use super::effects::assignment;
use super::nesting::{nest_all_continues, runs_once};
use crate::syntax::{Block, Expr, LocalId, Loop, Shape, Statement, StatementKind, has_continue};

/// The maximum length of the last part of a `for`: that of `i = int(uint(i) + 1u)` as it is estimated, and a little more.
const LONGEST_STEP: usize = 44;

/// Moves the code between iterations to the end of the iteration, where no `continue` leads to it.
pub(super) fn join_ends(list: &mut Block, context: &mut Context<'_>) {
    for statement in list {
        for inner in statement.blocks_mut() {
            join_ends(inner, context);
        }
        let StatementKind::Loop(found) = &mut statement.kind else { continue };
        if has_continue(&found.body) {
            continue;
        }
        let continuing = take(&mut found.continuing);
        match found.body.last().map(|last| &last.kind) {
            Some(StatementKind::Break) => {
                found.body.pop();
                found.break_if = Some(context.boolean(true));
            }
            Some(StatementKind::Return(_) | StatementKind::Discard) => found.break_if = None,
            _ => found.body.extend(continuing),
        }
    }
}

/// Finds the conditions of loops.
pub(super) fn conditions(body: &mut Block, context: &mut Context<'_>) {
    in_list(body, 1, context);
}

fn in_list(list: &mut Block, level: u32, context: &mut Context<'_>) {
    for statement in list {
        for inner in statement.blocks_mut() {
            in_list(inner, level + 1, context);
        }
        let StatementKind::Loop(found) = &mut statement.kind else { continue };
        if runs_once(found, context) {
            continue;
        }
        take_condition(found, context);
        if found.continuing.is_empty() && found.break_if.is_none() || is_step(found, context) {
            continue;
        }
        let in_c = !context.dialect.has_continuing;
        if in_c && !is_do(found, context) && has_continue(&found.body) {
            nest_all_continues(&mut found.body, level + 1, context);
        }
        if !has_continue(&found.body) {
            end_iteration(found, context);
        }
    }
}

/// Makes the selection at the beginning of an iteration the condition of the loop.
fn take_condition(found: &mut Loop, context: &mut Context<'_>) {
    if let Some(StatementKind::If { condition, accept, reject }) = found.body.first().map(|first| &first.kind)
        && matches!(&accept[..], [Statement { kind: StatementKind::Break, .. }])
        && reject.is_empty()
        && found.condition.is_none()
    {
        found.condition = Some(context.negated(*condition));
        found.body.remove(0);
    }
}

/// Moves the code after an iteration to its end.
fn end_iteration(found: &mut Loop, context: &Context<'_>) {
    let is_reached = found.body.last().is_none_or(|last| !last.is_jump());
    let continuing = take(&mut found.continuing);
    if !is_reached {
        found.break_if = None;
        return;
    }
    found.body.extend(continuing);
    if let Some(condition) = found.break_if
        && (context.dialect.has_continuing || !is_do(found, context))
    {
        found.break_if = None;
        let kind = StatementKind::If { condition, accept: vec![StatementKind::Break.into()], reject: Block::new() };
        found.body.push(kind.into());
    }
}

/// Returns whether C can write the loop as a `do`. Its condition does not see the declarations of the body.
pub(super) fn is_do(found: &Loop, context: &Context<'_>) -> bool {
    let is_outside = |condition| !names_any(condition, &declared(&found.body), context);
    found.continuing.is_empty() && found.condition.is_none() && found.break_if.is_none_or(is_outside)
}

/// The locals that the list itself declares.
pub(super) fn declared(list: &Block) -> FxHashSet<LocalId> {
    let of = |statement: &Statement| match statement.kind {
        StatementKind::Declare { local, .. } => Some(local),
        _ => None,
    };
    list.iter().filter_map(of).collect()
}

/// Returns whether an expression names one of these locals.
fn names_any(expr: Expr, locals: &FxHashSet<LocalId>, context: &Context<'_>) -> bool {
    let mut is_found = false;
    context.expressions.walk(expr, &mut |part| {
        is_found |= matches!(context.shape(part), Shape::Local(local) if locals.contains(local));
    });
    is_found
}

/// Returns whether the code after an iteration can be the last part of a `for`.
pub(super) fn is_step(found: &Loop, context: &Context<'_>) -> bool {
    can_be_step(&found.continuing, found, context)
}

/// Returns whether these statements can be the last part of a `for` with the condition of the loop. That part does not see the
/// declarations of the body.
pub(super) fn can_be_step(steps: &[Statement], found: &Loop, context: &Context<'_>) -> bool {
    found.condition.is_some() && are_short(steps, found, context)
}

/// Returns whether the code after an iteration can be the last part of a `for` without a condition, which C needs where `continue` leads to it.
pub(super) fn is_step_of_endless(found: &Loop, context: &Context<'_>) -> bool {
    let needs_step = !context.dialect.has_continuing && found.condition.is_none() && has_continue(&found.body);
    needs_step && are_short(&found.continuing, found, context)
}

fn are_short(steps: &[Statement], found: &Loop, context: &Context<'_>) -> bool {
    if steps.is_empty() || steps.len() > context.dialect.steps || found.break_if.is_some() {
        return false;
    }
    let locals = declared(&found.body);
    let mut length = 0;
    for step in steps {
        let Some((_, value)) = assignment(step, context) else { return false };
        if step.expressions().into_iter().any(|expr| names_any(expr, &locals, context)) {
            return false;
        }
        let StatementKind::Assign { target, .. } = step.kind else { return false };
        let value = compound(target, value, context).map_or(value, |(_, second)| second);
        length += context.length(target) + context.length(value) + 3;
    }
    length <= LONGEST_STEP
}
