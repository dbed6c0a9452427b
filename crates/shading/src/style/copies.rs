//! Names for the value of a variable that does not change while the names are used.
//!
//! ```text
//! let _e9 = i;
//! if (_e9 >= n) {                if (i >= n) {
//!     break;                         break;
//! }                      ⇒       }
//! sum = sum + _e9;               sum = sum + i;
//! i = _e9 + 1u;                  i = i + 1u;
//! ```
//!
//! The variable replaces the name if every use of it comes before the variable is written again: in the statements after the name, in the
//! order of the text. A loop executes its text several times, and a case may fall through to another, so a loop or a switch that uses the
//! name must not write the variable at all. Variables whose address is taken are not changed.

use std::collections::BTreeMap;

use super::expression::{Calls, find_word, words};
use super::loops::declared_name;
use super::temporaries::{count, declared};
use super::tree::{List, Statement};

/// Applies the rule to all statements.
pub(super) fn propagate(body: &mut List, calls: &Calls<'_>) {
    let mut uses = BTreeMap::new();
    count(body, &mut uses);
    let mut variables: BTreeMap<String, bool> = BTreeMap::new();
    let prefix = body.iter().map_while(|statement| statement.simple().filter(|text| declared_name(text).is_some()));
    let is_variable = |text: &&str| !text.starts_with("let ") && !text.starts_with("const ");
    variables.extend(prefix.filter(is_variable).filter_map(declared_name).map(|name| (name.to_owned(), true)));
    exclude_shared(body, calls, &mut variables);
    variables.retain(|_, is_alone| *is_alone);
    in_list(body, &uses, &variables);
}

/// Marks the variables that other code may write: a reference to them is created, or they are passed to a function with an effect.
fn exclude_shared(list: &List, calls: &Calls<'_>, variables: &mut BTreeMap<String, bool>) {
    for statement in list {
        for text in statement.texts() {
            let has_effect = calls.effects(text) > 0;
            for word in words(text).filter(|word| has_effect || text[..word.start].ends_with('&')) {
                variables.entry(word.text.to_owned()).and_modify(|is_alone| *is_alone = false);
            }
        }
        statement.lists().into_iter().for_each(|inner| exclude_shared(inner, calls, variables));
    }
}

fn in_list(list: &mut List, uses: &BTreeMap<String, usize>, variables: &BTreeMap<String, bool>) {
    for index in 0..list.len() {
        let found = list[index].simple().and_then(declared).map(|(name, value)| (name.to_owned(), value.to_owned()));
        if let Some((name, variable)) = found.filter(|(_, value)| variables.contains_key(value)) {
            let used = with_all_uses(&list[index + 1..], &name, uses);
            if let Some(used) =
                used.filter(|&used| is_read_before_written(&list[index + 1..][..used], &name, &variable))
            {
                list[index + 1..][..used].iter_mut().for_each(|statement| rename(statement, &name, &variable));
                // Removed below, all at once.
                list[index] = Statement::Block(List::new());
            }
        }
        list[index].lists_mut().into_iter().for_each(|inner| in_list(inner, uses, variables));
    }
    list.retain(|statement| !matches!(statement, Statement::Block(inner) if inner.is_empty()));
}

/// The number of statements that contain all uses of the name; `None` if the list does not contain all. Linear up to the last use.
fn with_all_uses(list: &[Statement], name: &str, uses: &BTreeMap<String, usize>) -> Option<usize> {
    let mut left = uses.get(name)?.checked_sub(1)?;
    for (index, statement) in list.iter().enumerate() {
        left = left.checked_sub(occurrences(statement, name))?;
        if left == 0 {
            return Some(index + 1);
        }
    }
    (left == 0).then_some(0)
}

/// The number of occurrences of the name in a statement and those in it.
fn occurrences(statement: &Statement, name: &str) -> usize {
    let here: usize =
        statement.texts().into_iter().map(|text| words(text).filter(|word| word.text == name).count()).sum();
    here + statement.lists().into_iter().flatten().map(|inner| occurrences(inner, name)).sum::<usize>()
}

/// Returns whether every use of the name comes before the variable is written.
fn is_read_before_written(list: &[Statement], name: &str, variable: &str) -> bool {
    let Some(last) = list.iter().rposition(|statement| occurrences(statement, name) > 0) else { return true };
    let is_kept = !list[..last].iter().any(|statement| writes(statement, variable));
    is_kept
        && match &list[last] {
            // The statement reads it before it writes.
            Statement::Simple(_) => true,
            Statement::Block(inner) => is_read_before_written(inner, name, variable),
            Statement::If { then, otherwise, .. } => {
                [then, otherwise].into_iter().all(|arm| is_read_before_written(arm, name, variable))
            }
            repeated @ (Statement::Loop(_) | Statement::Switch { .. }) => !writes(repeated, variable),
        }
}

/// Returns whether a statement, or one in it, assigns the variable or a part of it, or declares another of its name.
fn writes(statement: &Statement, variable: &str) -> bool {
    let is_here = statement.simple().is_some_and(|text| {
        let assigned = text.split_once(" = ").and_then(|(left, _)| words(left).next());
        assigned.is_some_and(|word| word.text == variable) || declared_name(text) == Some(variable)
    });
    is_here || statement.lists().into_iter().flatten().any(|inner| writes(inner, variable))
}

fn rename(statement: &mut Statement, name: &str, variable: &str) {
    for text in statement.texts_mut() {
        while let Some(word) = find_word(text, name).map(|word| word.start..word.end()) {
            text.replace_range(word, variable);
        }
    }
    statement.lists_mut().into_iter().flatten().for_each(|inner| rename(inner, name, variable));
}
