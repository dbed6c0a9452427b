//! Values in place of variables that are assigned once.
//!
//! ```text
//! var p: bool;
//! p = a && b;      ⇒   let p = a && b;
//! f(p);                f(p);
//! ```
//!
//! All reads of the variable come after the assignment, in the same list or in a list in it.

use super::Context;
use super::effects::assignment;
use super::places::{Places, WriteKind};
use crate::syntax::{Block, LocalId, LocalKind, Statement, StatementKind};

/// Applies the rule to all lists.
pub(super) fn convert(body: &mut Block, context: &mut Context<'_>) {
    let places = Places::of(body, context);
    let mut converted = vec![false; context.locals.len()];
    find(body, &mut 0, &places, context, &mut converted);
    rewrite(body, &converted, context);
}

/// Finds the assignments. `position` is that of the first statement, and becomes that after the last one.
fn find(list: &mut Block, position: &mut u32, places: &Places, context: &mut Context<'_>, converted: &mut [bool]) {
    let mut assignments = Vec::new();
    for statement in &mut *list {
        let here = *position;
        *position += 1;
        if let Some((local, _)) = assignment(statement, context) {
            assignments.push((local, here));
        }
        for inner in statement.blocks_mut() {
            find(inner, position, places, context, converted);
        }
    }
    for (local, here) in assignments {
        let is_inside = places.reads(local).is_none_or(|(first, last)| here < first && last < *position);
        let found = context.local(local);
        if is_inside && found.kind == LocalKind::Variable && found.prefix.is_empty() && is_assigned_once(local, places)
        {
            converted[local.0 as usize] = true;
        }
    }
}

fn is_assigned_once(local: LocalId, places: &Places) -> bool {
    let mut writes = places.writes(local).iter().filter(|write| write.kind != WriteKind::Declaration);
    writes.next().is_some_and(|write| write.kind == WriteKind::Assignment) && writes.next().is_none()
}

fn rewrite(list: &mut Block, converted: &[bool], context: &mut Context<'_>) {
    let is_converted = |local: LocalId| converted[local.0 as usize];
    list.retain(|statement| !matches!(statement.kind, StatementKind::Declare { local, .. } if is_converted(local)));
    for statement in list {
        if let Some((local, value)) = assignment(statement, context).filter(|(local, _)| is_converted(*local)) {
            context.locals[local.0 as usize].kind = LocalKind::Value;
            let kind = StatementKind::Declare { local, value: Some(value) };
            *statement = Statement { kind, origin: statement.origin };
        }
        for inner in statement.blocks_mut() {
            rewrite(inner, converted, context);
        }
    }
}
