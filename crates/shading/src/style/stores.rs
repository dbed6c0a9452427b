//! Names for values that are only assigned to a variable.
//!
//! ```text
//! let sum_next = sum + i;        sum = sum + i;
//! let i_next = i + 1u;      ⇒    i = i + 1u;
//! sum = sum_next;
//! i = i_next;
//! ```
//!
//! The variable is assigned where the value is computed, if no statement in between names it and the value has no other use. The statements
//! in between may not call a function with an effect either, which could read the variable. Inspects [`FARTHEST`] statements for each.

use std::collections::BTreeMap;

use super::expression::{Calls, find_word, words};
use super::loops::{assigned_name, declared_name};
use super::temporaries::count;
use super::tree::{List, Statement};

/// The maximum number of statements between a value and its variable.
const FARTHEST: usize = 16;

/// Applies the rule to all statements.
pub(super) fn assign_early(body: &mut List, calls: &Calls<'_>) {
    let mut uses = BTreeMap::new();
    count(body, &mut uses);
    in_list(body, calls, &uses);
}

fn in_list(list: &mut List, calls: &Calls<'_>, uses: &BTreeMap<String, usize>) {
    let mut result = List::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        statement.lists_mut().into_iter().for_each(|inner| in_list(inner, calls, uses));
        if let Some((variable, value)) = statement.simple().and_then(copy)
            && uses.get(value) == Some(&2)
            && let Some(place) = definition(&result, variable, value, calls)
            && let Some((_, computed)) = result[place].simple().and_then(|text| text.split_once(" = "))
        {
            result[place] = Statement::Simple(format!("{variable} = {computed}"));
        } else {
            result.push(statement);
        }
    }
    *list = result;
}

/// The variable and the name of `variable = name`.
fn copy(text: &str) -> Option<(&str, &str)> {
    let variable = assigned_name(text)?;
    let (_, value) = text.split_once(" = ")?;
    let is_name = words(value).next().is_some_and(|word| word.text == value && !word.is_number());
    is_name.then_some((variable, value))
}

/// The statement that computes the value, if the variable can be assigned there.
fn definition(before: &List, variable: &str, value: &str, calls: &Calls<'_>) -> Option<usize> {
    for (place, statement) in before.iter().enumerate().rev().take(FARTHEST) {
        let text = statement.simple()?;
        if declared_name(text) == Some(value) && text.contains(" = ") {
            return Some(place);
        }
        if find_word(text, variable).is_some() || calls.effects(text) > 0 {
            return None;
        }
    }
    None
}
