//! Loops with a counter as `for`.
//!
//! ```text
//! i = 0; while (c) { a } continuing { i = i + 1 }   ⇒   for (i = 0; c; i = i + 1) { a }
//! i = 0; while (c) { a; i = i + 1 }                 ⇒   the same, if c names i and no `continue` skips its end
//! loop { if (c) { continue; } a } continuing { b }  ⇒   for (; ; b) { if (c) { continue; } a }    in C
//! ```
//!
//! A counter that the head declares is not used after the loop; one that is declared before and used after the loop gets its value in the
//! head. No statement between the first part and the loop names the counter or changes the value that it is set to. `steps.rs` finds the last part.

use super::Context;
use super::effects::assignment;
use super::loops::{is_step, is_step_of_endless};
use super::steps;
use super::uses::{Uses, count_in};
use crate::syntax::{Binary, Block, Effects, Expr, LocalId, LocalKind, Shape, Statement, StatementKind};

/// The maximum number of statements between the first part of a `for` and the loop.
const FARTHEST: usize = 16;

/// Applies the rule to all lists, inner lists first.
pub(super) fn convert(body: &mut Block, context: &mut Context<'_>) {
    let mut uses = Uses::of(body, context);
    in_list(body, &mut uses, context);
}

fn in_list(list: &mut Block, uses: &mut Uses, context: &mut Context<'_>) {
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

/// The statement before a loop that sets its counter.
#[derive(Clone, Copy)]
struct Init {
    place: usize,
    counter: LocalId,
    /// It declares a counter that is used after the loop.
    is_used_after: bool,
}

/// Converts a loop behind some statements, and takes the one of them that sets its counter.
fn convert_loop(statement: &mut Statement, before: &mut Block, uses: &mut Uses, context: &mut Context<'_>) {
    let StatementKind::Loop(found) = &statement.kind else { return };
    let init = if found.continuing.is_empty() {
        let found = steps::candidates(found, context).into_iter().find_map(|step| {
            let init = init_of(before, step.counter, statement, uses, context)?;
            let is_used_after = uses.count(step.counter) != count_in(statement, step.counter, context);
            (is_for(&step, init, statement, context) && (!step.passes_exit || !is_used_after)).then_some((step, init))
        });
        let Some((step, first)) = found else { return };
        let count = count_in(statement, step.counter, context);
        let StatementKind::Loop(found) = &mut statement.kind else { return };
        steps::take(found, step, context);
        uses.change(step.counter, count, count_in(statement, step.counter, context));
        Some(first)
    } else {
        let target = |step: &Statement| match step.kind {
            StatementKind::Assign { target, .. } => context.expressions.root_local(target),
            _ => None,
        };
        let counters = found.continuing.iter().filter_map(target);
        counters.filter_map(|counter| init_of(before, counter, statement, uses, context)).next()
    };
    let StatementKind::Loop(found) = &mut statement.kind else { return };
    if is_step(found, context) || is_step_of_endless(found, context) {
        found.is_for = true;
        found.init = init.map(|init| Box::new(take_init(before, init, context)));
    }
}

/// Returns whether a loop whose counter is used after it is a `for`: it counts, and its body does more than that.
fn is_for(step: &steps::Step, init: Init, statement: &Statement, context: &Context<'_>) -> bool {
    let StatementKind::Loop(found) = &statement.kind else { return false };
    let counts = matches!(
        *context.shape(unconverted(step.value, context)),
        Shape::Binary { operator: Binary::Add | Binary::Subtract, left, .. }
            if *context.shape(unconverted(left, context)) == Shape::Local(step.counter)
    );
    !init.is_used_after || counts && found.body.len() > 1
}

/// What a conversion converts: C++ counts without signs where a sum may overflow.
fn unconverted(value: Expr, context: &Context<'_>) -> Expr {
    match context.shape(value) {
        Shape::Construct(parts) if parts.len() == 1 => parts[0],
        _ => value,
    }
}

/// Takes the statement that sets the counter out of its list. A declaration stays, without its value, where the counter is used after the loop.
fn take_init(before: &mut Block, init: Init, context: &mut Context<'_>) -> Statement {
    if !init.is_used_after {
        return before.remove(init.place);
    }
    let target = context.name(init.counter);
    let declaration = &mut before[init.place];
    let kind = match &mut declaration.kind {
        StatementKind::Declare { value, .. } => {
            value.take().map(|value| StatementKind::Assign { target, operator: None, value })
        }
        _ => None,
    };
    Statement { kind: kind.unwrap_or(StatementKind::Block(Block::new())), origin: declaration.origin }
}

/// The statement before a loop that sets its counter. Inspects [`FARTHEST`] statements.
fn init_of(before: &Block, counter: LocalId, repeated: &Statement, uses: &Uses, context: &Context<'_>) -> Option<Init> {
    let first = before.len().saturating_sub(FARTHEST);
    for (place, statement) in before.iter().enumerate().skip(first).rev() {
        if !statement.blocks().is_empty() || statement.is_jump() {
            return None;
        }
        let mut is_used_after = false;
        let value = match statement.kind {
            StatementKind::Declare { local, value } if local == counter => {
                is_used_after = uses.count(counter) != count_in(repeated, counter, context);
                let is_variable = context.local(counter).kind == LocalKind::Variable;
                Some(value.filter(|_| is_variable)?)
            }
            _ => assignment(statement, context).filter(|(local, _)| *local == counter).map(|(_, value)| value),
        };
        if let Some(value) = value {
            let init = Init { place, counter, is_used_after };
            return is_same_behind(value, counter, &before[place + 1..], context).then_some(init);
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
