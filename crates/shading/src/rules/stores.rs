//! Names for values that are only assigned to a variable.
//!
//! ```text
//! let a = sum + i;        sum = sum + i;
//! let b = i + 1u;    ⇒    i = i + 1u;
//! sum = a;
//! i = b;
//! ```
//!
//! The variable is assigned where the value is computed, if no statement in between names it and the value has no other use. Inspects
//! [`FARTHEST`] statements for each.

use std::mem::take;

use super::Context;
use super::effects::assignment;
use super::uses::{Uses, count_in};
use crate::syntax::{Block, Effects, LocalId, LocalKind, Shape, Statement, StatementKind, TypeShape};

/// The maximum number of statements between a value and its variable.
const FARTHEST: usize = 16;

/// Applies the rule to all statements.
pub(super) fn assign_early(body: &mut Block, context: &mut Context<'_>) {
    let uses = Uses::of(body, context);
    in_list(body, &uses, context);
}

fn in_list(list: &mut Block, uses: &Uses, context: &mut Context<'_>) {
    for mut statement in take(list) {
        for inner in statement.blocks_mut() {
            in_list(inner, uses, context);
        }
        match copy(&statement, uses, context) {
            Some((variable, name)) => match definition(list, variable, name, context) {
                Some(place) => assign(list, place, statement),
                None => list.push(statement),
            },
            None => list.push(statement),
        }
    }
}

/// Assigns the value of a declaration to the target of an assignment.
fn assign(list: &mut Block, place: usize, assignment: Statement) {
    let StatementKind::Assign { target, .. } = assignment.kind else { return };
    if let StatementKind::Declare { value: Some(value), .. } = list[place].kind {
        list[place].kind = StatementKind::Assign { target, operator: None, value };
    }
}

/// The variable and the name of `variable = name`, if the name is used once.
fn copy(statement: &Statement, uses: &Uses, context: &Context<'_>) -> Option<(LocalId, LocalId)> {
    let (variable, value) = assignment(statement, context)?;
    let Shape::Local(name) = *context.shape(value) else { return None };
    let (of_variable, of_name) = (context.local(variable), context.local(name));
    let keeps_name = of_variable.name.is_some() || of_name.name.is_none();
    let is_copy = of_variable.kind == LocalKind::Variable
        && of_name.kind == LocalKind::Value
        && of_name.prefix.is_empty()
        && keeps_name
        && uses.count(name) == 1;
    is_copy.then_some((variable, name))
}

/// The statement that computes the value, if the variable can be assigned there.
fn definition(before: &Block, variable: LocalId, name: LocalId, context: &Context<'_>) -> Option<usize> {
    for (place, statement) in before.iter().enumerate().rev().take(FARTHEST) {
        if !statement.blocks().is_empty() {
            return None;
        }
        if let StatementKind::Declare { local, value: Some(value) } = statement.kind
            && local == name
        {
            let is_pinned = context.expressions[value].effects.has(Effects::PINNED);
            let is_array = matches!(context.shape(value), Shape::Construct(_))
                && matches!(context.type_shape(value), TypeShape::Array { .. });
            let is_free = !context.passed(value).contains(&variable);
            return (!is_pinned && !is_array && is_free).then_some(place);
        }
        let is_declared = matches!(statement.kind, StatementKind::Declare { local, .. } if local == variable);
        if is_declared || count_in(statement, variable, context) > 0 {
            return None;
        }
    }
    None
}
