//! Selections without superfluous arms.
//!
//! ```text
//! if (true) { a } else { b }      ⇒  a
//! if (c) { } else { a }           ⇒  if (!c) { a }
//! if (c) { a; break; } else { b } ⇒  if (c) { a; break; } b
//! if (c) { a } else { break; }    ⇒  if (!c) { break; } a
//! { a }                           ⇒  a
//! break; a                        ⇒  break;
//! ```
//!
//! Locals are unique in a function, so a statement that moves out of braces shadows nothing.

use std::mem::take;

use reconverge_ir::Inst;

use super::Context;
use crate::syntax::{Block, Effects, Expr, Literal, Shape, Statement, StatementKind};

/// A selection and the instruction that it was made of.
pub(super) struct Selection {
    pub(super) condition: Expr,
    pub(super) accept: Block,
    pub(super) reject: Block,
    pub(super) origin: Option<Inst>,
}

/// Applies the rules to all lists, inner lists first.
pub(super) fn simplify(list: &mut Block, context: &mut Context<'_>) {
    for statement in take(list) {
        if list.last().is_some_and(Statement::is_jump) {
            break;
        }
        add(list, statement, context);
    }
}

/// Adds a statement, as one or several simpler ones.
fn add(list: &mut Block, mut statement: Statement, context: &mut Context<'_>) {
    for inner in statement.blocks_mut() {
        simplify(inner, context);
    }
    let origin = statement.origin;
    match statement.kind {
        StatementKind::Block(inner) => list.extend(inner),
        StatementKind::If { condition, accept, reject } => {
            add_selection(list, Selection { condition, accept, reject, origin }, context);
        }
        kind => list.push(Statement { kind, origin }),
    }
}

/// Adds a selection, as one or several simpler statements.
pub(super) fn add_selection(list: &mut Block, selection: Selection, context: &mut Context<'_>) {
    let Selection { condition, accept, reject, origin } = selection;
    let is_jump = |arm: &Block| matches!(&arm[..], [only] if only.is_jump());
    let ends = |arm: &Block| arm.last().is_some_and(Statement::is_jump);
    let mut push = |condition, accept, reject| {
        list.push(Statement { kind: StatementKind::If { condition, accept, reject }, origin });
    };
    if let Shape::Literal(Literal::Bool(holds)) = context.expressions[condition].shape {
        list.extend(if holds { accept } else { reject });
    } else if accept.is_empty() && reject.is_empty() {
        if context.expressions[condition].effects.has(Effects::WRITES) {
            push(condition, accept, reject);
        }
    } else if accept.is_empty() || is_jump(&reject) && !is_jump(&accept) {
        push(context.negated(condition), reject, Block::new());
        list.extend(accept);
    } else if ends(&accept) {
        push(condition, accept, Block::new());
        list.extend(reject);
    } else {
        push(condition, accept, reject);
    }
}
