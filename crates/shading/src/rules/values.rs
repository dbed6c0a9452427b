//! Values in place of variables that are assigned once.
//!
//! ```text
//! var p: bool;
//! p = a && b;      ⇒   let p = a && b;
//! f(p);                f(p);
//! ```
//!
//! All reads of the variable come after the assignment, in the same list or in a list in it, or in the condition that a loop computes after
//! this list.

use super::Context;
use super::effects::assignment;
use super::places::{Places, WriteKind};
use crate::syntax::{Block, LocalId, LocalKind, Statement, StatementKind};

/// Applies the rule to all lists.
pub(super) fn convert(body: &mut Block, context: &mut Context<'_>) {
    let places = Places::of(body, context);
    let mut converted = vec![false; context.locals.len()];
    Search { places: &places, context, converted: &mut converted }.list(body, &mut 0, None);
    rewrite(body, &converted, context);
}

struct Search<'a, 'b> {
    places: &'a Places,
    context: &'a Context<'b>,
    converted: &'a mut [bool],
}

impl Search<'_, '_> {
    /// Finds the assignments in a list, which may be the last one of the loop at the position `around`. `position` is that of the first statement,
    /// and becomes that after the last one.
    fn list(&mut self, list: &Block, position: &mut u32, around: Option<u32>) {
        let mut assignments = Vec::new();
        for statement in list {
            let here = *position;
            *position += 1;
            if let Some((local, _)) = assignment(statement, self.context) {
                assignments.push((local, here));
            }
            let of_loop = last_list(statement).map(|last| (last, here));
            for (number, inner) in statement.blocks().into_iter().enumerate() {
                let around = of_loop.filter(|(last, _)| *last == number).map(|(_, position)| position);
                self.list(inner, position, around);
            }
        }
        for (local, here) in assignments {
            let is_behind = |read: u32| here < read && read < *position;
            let is_inside = self.places.reads(local).is_none_or(|(first, last)| is_behind(first) && is_behind(last))
                && self.places.reads_at_end(local).iter().all(|&read| is_behind(read) || around == Some(read));
            let found = self.context.local(local);
            if is_inside
                && found.kind == LocalKind::Variable
                && found.prefix.is_empty()
                && is_assigned_once(local, self.places)
            {
                self.converted[local.0 as usize] = true;
            }
        }
    }
}

/// The number of the list of a loop after which it computes its condition.
fn last_list(statement: &Statement) -> Option<usize> {
    let StatementKind::Loop(found) = &statement.kind else { return None };
    Some(usize::from(!found.continuing.is_empty()))
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
