//! Code between iterations that `continue` leads to.
//!
//! ```text
//! loop {                        bool first = true;
//!     a                         while (true) {
//!     if (c) { continue; }          if (!first) {
//!     b                                 step
//!     continuing {                      if (d) { break; }
//!         step              ⇒       }                        in C
//!         break if d;               first = false;
//!     }                             a
//! }                                 if (c) { continue; }
//!                                   b
//!                               }
//!
//! while (c) { a } continuing { step }   ⇒   loop { if (!c) { break; } a continuing { step } }   in WGSL
//! ```
//!
//! In C neither that code nor the condition of a `do` sees the declarations of the body. Values that they use become variables, which are
//! declared before the loop.

use std::mem::take;

use rustc_hash::FxHashSet;

use super::loops::{declared, is_do};
use super::{Context, jump_on};
use crate::syntax::{Block, Expr, LocalId, LocalKind, Loop, Shape, StatementKind};

/// Converts the loops in a list that the language does not have.
pub(super) fn lower(list: &mut Block, context: &mut Context<'_>) {
    for mut statement in take(list) {
        for inner in statement.blocks_mut() {
            lower(inner, context);
        }
        if let StatementKind::Loop(found) = &mut statement.kind
            && !found.is_for
            && (!found.continuing.is_empty() || found.break_if.is_some())
        {
            if context.dialect.has_continuing {
                break_first(found, context);
            } else if !is_do(found, context) {
                lower_loop(found, list, context);
            }
        }
        list.push(statement);
    }
}

/// Moves the condition of a loop to the beginning of an iteration.
fn break_first(found: &mut Loop, context: &mut Context<'_>) {
    if let Some(condition) = found.condition.take() {
        let condition = context.negated(condition);
        found.body.insert(0, jump_on(condition, StatementKind::Break));
    }
}

/// Converts a loop to one of C, and adds the declarations before it.
fn lower_loop(found: &mut Loop, before: &mut Block, context: &mut Context<'_>) {
    declare_outside(found, before, context);
    if found.continuing.is_empty() && found.condition.is_none() {
        return;
    }
    break_first(found, context);
    let value = context.boolean(true);
    let flag = context.add_flag("first", value, before);
    let mut accept = take(&mut found.continuing);
    accept.extend(found.break_if.take().map(|condition| jump_on(condition, StatementKind::Break)));
    let name = context.name(flag);
    let condition = context.negated(name);
    let (target, value) = (context.name(flag), context.boolean(false));
    let head = [
        StatementKind::If { condition, accept, reject: Block::new() }.into(),
        StatementKind::Assign { target, operator: None, value }.into(),
    ];
    found.body.splice(..0, head);
}

/// Declares the values of the body before the loop that the code after an iteration uses.
fn declare_outside(found: &mut Loop, before: &mut Block, context: &mut Context<'_>) {
    let locals = declared(&found.body);
    let mut used = FxHashSet::default();
    if let Some(expr) = found.break_if {
        add_used(expr, &locals, context, &mut used);
    }
    add_used_in(&found.continuing, &locals, context, &mut used);
    for statement in &mut found.body {
        if let StatementKind::Declare { local, value } = statement.kind
            && used.contains(&local)
        {
            context.locals[local.0 as usize].kind = LocalKind::Variable;
            before.push(StatementKind::Declare { local, value: None }.into());
            statement.kind = match value {
                Some(value) => StatementKind::Assign { target: context.name(local), operator: None, value },
                None => StatementKind::Block(Block::new()),
            };
        }
    }
}

fn add_used_in(list: &Block, locals: &FxHashSet<LocalId>, context: &Context<'_>, used: &mut FxHashSet<LocalId>) {
    for statement in list {
        for expr in statement.expressions() {
            add_used(expr, locals, context, used);
        }
        for inner in statement.blocks() {
            add_used_in(inner, locals, context, used);
        }
    }
}

/// Adds the locals that an expression names.
fn add_used(expr: Expr, locals: &FxHashSet<LocalId>, context: &Context<'_>, used: &mut FxHashSet<LocalId>) {
    context.expressions.walk(expr, &mut |part| {
        if let Shape::Local(local) = context.shape(part)
            && locals.contains(local)
        {
            used.insert(*local);
        }
    });
}
