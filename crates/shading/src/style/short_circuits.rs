//! `&&` and `||` in place of selections that compute the second operand.
//!
//! ```text
//! p = a;                          p = a;
//! if (a) {                        if (!a) {
//!     p = b;      ⇒  p = a && b;      p = b;      ⇒  p = a || b;
//! }                               }
//!
//! if (a) {                        if (a) {
//!     p = b;                          p = true;
//! } else {        ⇒  p = a && b;  } else {        ⇒  p = a || b;
//!     p = false;                      p = b;
//! }                               }
//! ```

use std::mem::take;

use super::expression::{Calls, as_operand, is_primary, negated};
use super::loops::assigned_name;
use super::tree::{List, Statement};

/// Applies the rule to all lists, inner lists first.
pub(super) fn join(list: &mut List, calls: &Calls<'_>) {
    for mut statement in take(list) {
        statement.lists_mut().into_iter().for_each(|inner| join(inner, calls));
        if let Some(chosen) = chosen(&statement, calls) {
            list.push(Statement::Simple(chosen));
            continue;
        }
        let joined = list.last().and_then(Statement::simple).and_then(|before| joined(before, &statement, calls));
        match joined {
            Some(joined) => {
                *list.last_mut().expect("it was joined with the last statement") = Statement::Simple(joined)
            }
            None => list.push(statement),
        }
    }
}

/// A selection with one arm that assigns a constant, as one statement.
fn chosen(selection: &Statement, calls: &Calls<'_>) -> Option<String> {
    let Statement::If { condition, then, otherwise } = selection else { return None };
    let ([Statement::Simple(one)], [Statement::Simple(other)]) = (&then[..], &otherwise[..]) else { return None };
    let ((target, one), (of_other, other)) = (one.split_once(" = ")?, other.split_once(" = ")?);
    if target != of_other
        || then[0].simple().and_then(assigned_name) != Some(target)
        || calls.effects(one) + calls.effects(other) > 0
    {
        return None;
    }
    let (first, operator, second) = match (one, other) {
        (_, "false") => (condition.clone(), "&&", one),
        ("true", _) => (condition.clone(), "||", other),
        (_, "true") => (negated(condition), "||", one),
        ("false", _) => (negated(condition), "&&", other),
        _ => return None,
    };
    Some(format!("{target} = {} {operator} {}", operand(&first, operator), operand(second, operator)))
}

/// The two statements as one.
fn joined(before: &str, selection: &Statement, calls: &Calls<'_>) -> Option<String> {
    let Statement::If { condition, then, otherwise } = selection else { return None };
    let ([Statement::Simple(assignment)], []) = (&then[..], &otherwise[..]) else { return None };
    let (left, first) = before.split_once(" = ")?;
    let (target, second) = assignment.split_once(" = ")?;
    let name = left.split_once(':').map_or(left, |(left, _)| left);
    let is_target = name == target || name.strip_suffix(target).is_some_and(|before| before.ends_with(' '));
    if !is_target || calls.effects(second) > 0 {
        return None;
    }
    // After the assignment, the variable itself is the same condition.
    let operator = match condition {
        _ if condition == first || condition == target => "&&",
        _ if *condition == negated(first) || *condition == negated(target) => "||",
        _ => return None,
    };
    Some(format!("{left} = {} {operator} {}", operand(first, operator), operand(second, operator)))
}

/// The operand; a chain of the same operator needs no parentheses.
fn operand(text: &str, operator: &str) -> String {
    let parts: Vec<&str> = text.split(&format!(" {operator} ")).collect();
    let is_chain = parts.len() > 1 && parts.iter().all(|part| is_primary(part));
    let is_negation = text.strip_prefix('!').is_some_and(is_primary);
    if is_chain || is_negation { text.to_owned() } else { as_operand(text) }
}
