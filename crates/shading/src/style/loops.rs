//! Converts loops to the kinds of the languages.
//!
//! ```text
//! bool first = true;
//! while (true) {                      loop {
//!     if (!first) { step; }             body
//!     first = false;              ⇒     continuing { step }       recognize
//!     body                            }
//! }
//!
//! loop { if (!c) { break; } a }   ⇒   while (c) { a }             conditions
//! loop { a } continuing { step }  ⇒   loop { a; step }            … if no `continue` leads to the step
//!
//! loop { if (c) { a; continue; } b } continuing { step }   ⇒   loop { if (c) { a } else { b } step }   in C, for a long step
//!
//! i = 0; while (c) { a } continuing { i += 1 }   ⇒   for (i = 0; c; i += 1) { a }    counters
//! i = 0; while (c) { a; i += 1 }                 ⇒   the same, if c names i and no `continue` skips its end
//! ```

use std::mem::take;

use super::Dialect;
use super::assignments::compound_of;
use super::branches::nest;
use super::expression::{find_word, negated, words};
use super::tree::{List, Loop, Statement, has_continue};

/// The maximum length of the last part of a `for`.
const LONGEST_STEP: usize = 40;

/// The maximum nesting of selections that avoid the flag of a loop.
const MOST_NESTED_CONTINUES: usize = 3;

/// The maximum number of statements between the first part of a `for` and the loop.
const FARTHEST_INIT: usize = 16;

/// Finds the code between iterations in languages without a keyword for it.
pub(super) fn recognize(list: &mut List) {
    let mut result = List::with_capacity(list.len());
    for mut statement in take(list) {
        if let Statement::Loop(found) = &mut statement
            && let Some(flag) = result.last().and_then(Statement::simple).and_then(flag_of)
            && is_flagged(&found.body, flag)
        {
            found.flag = Some(flag.to_owned());
            take_continuing(found);
            result.pop();
        }
        statement.lists_mut().into_iter().for_each(recognize);
        result.push(statement);
    }
    *list = result;
}

/// The flag that a statement declares.
fn flag_of(text: &str) -> Option<&str> {
    text.strip_prefix("bool ")?.strip_suffix(" = true").filter(|name| name.starts_with("loop_init"))
}

/// Returns whether the body begins as that of a loop with the flag.
fn is_flagged(body: &List, flag: &str) -> bool {
    let [Statement::If { condition, otherwise, .. }, Statement::Simple(reset), ..] = &body[..] else { return false };
    condition.strip_prefix('!') == Some(flag) && otherwise.is_empty() && reset.strip_suffix(" = false") == Some(flag)
}

fn take_continuing(found: &mut Loop) {
    let mut head = found.body.drain(..2);
    if let Some(Statement::If { then, .. }) = head.next() {
        found.continuing = then;
    }
    drop(head);
    if let Some(Statement::If { condition, then, otherwise }) = found.continuing.last()
        && is_break(then)
        && otherwise.is_empty()
    {
        found.break_if = Some(condition.clone());
        found.continuing.pop();
    }
}

fn is_break(list: &List) -> bool {
    matches!(&list[..], [Statement::Simple(text)] if text == "break")
}

/// Finds the conditions of loops, and moves the code between iterations to the end of the iteration if no `continue` leads to it.
pub(super) fn conditions(list: &mut List, dialect: Dialect) {
    for statement in list {
        statement.lists_mut().into_iter().for_each(|inner| conditions(inner, dialect));
        let Statement::Loop(found) = statement else { continue };
        if found.runs_once() {
            continue;
        }
        if let Some(Statement::If { condition, then, otherwise }) = found.body.first()
            && is_break(then)
            && otherwise.is_empty()
            && found.condition.is_none()
        {
            found.condition = Some(negated(condition));
            found.body.remove(0);
        }
        if has_continue(&found.body) && found.flag.is_some() && !is_step(found, dialect) {
            nest_continues(&mut found.body);
        }
        if !has_continue(&found.body) && !is_step(found, dialect) {
            end_round(found, dialect);
        }
    }
}

/// Replaces each `continue` by an `else`, if few selections are equivalent: an iteration then has one end, and the code after it needs no
/// flag.
fn nest_continues(body: &mut List) {
    let mut nested = body.clone();
    nest(&mut nested, "continue", MOST_NESTED_CONTINUES);
    if !has_continue(&nested) {
        *body = nested;
    }
}

/// Moves the code after an iteration to its end.
fn end_round(found: &mut Loop, dialect: Dialect) {
    let is_reached = found.body.last().is_none_or(|last| !last.is_jump());
    let last = take(&mut found.continuing);
    if is_reached {
        found.body.extend(last);
    }
    // In C the condition of a `do` does not see the declarations of its body.
    let is_do = dialect == Dialect::C && found.condition.is_none();
    let Some(condition) = found.break_if.take() else { return };
    if is_do && !declares_any(&found.body, &condition) {
        found.break_if = Some(condition);
    } else if is_reached {
        let then = vec![Statement::Simple("break".to_owned())];
        found.body.push(Statement::If { condition, then, otherwise: List::new() });
    }
}

/// Returns whether the list itself declares a name of the expression.
fn declares_any(list: &List, expression: &str) -> bool {
    let declared = list.iter().filter_map(Statement::simple).filter_map(declared_name);
    let names: Vec<&str> = declared.collect();
    words(expression).any(|word| names.contains(&word.text))
}

/// Returns whether the code after an iteration can be the last part of a `for`.
fn is_step(found: &Loop, dialect: Dialect) -> bool {
    can_be_step(&found.continuing, found, dialect)
}

/// Returns whether these statements can be the last part of a `for` with the conditions of the loop.
fn can_be_step(steps: &[Statement], found: &Loop, dialect: Dialect) -> bool {
    let steps: Option<Vec<&str>> = steps.iter().map(Statement::simple).collect();
    let Some(steps) = steps else { return false };
    let is_assignment = |text: &&str| assigned_name(text).is_some();
    let count = if dialect == Dialect::Wgsl { 1 } else { 2 };
    let length: usize = steps.iter().map(|step| compound_of(step).len()).sum();
    let is_short = !steps.is_empty() && steps.len() <= count && length <= LONGEST_STEP;
    // The last part of a `for` does not see the declarations of the body.
    let is_known = !steps.iter().any(|step| declares_any(&found.body, step));
    is_short && is_known && found.break_if.is_none() && found.condition.is_some() && steps.iter().all(is_assignment)
}

/// The variable that a statement assigns as a whole, if it does not declare it.
pub(super) fn assigned_name(text: &str) -> Option<&str> {
    let (left, _) = text.split_once(" = ")?;
    let is_name = words(left).next().is_some_and(|word| word.text == left && !word.is_number());
    is_name.then_some(left)
}

/// The variable that a statement declares: `var i: u32 = 0u`, `uint i = 0u`.
pub(super) fn declared_name(text: &str) -> Option<&str> {
    let left = text.split_once(" = ").map_or(text, |(left, _)| left);
    let in_wgsl = ["var ", "let ", "const "].into_iter().find_map(|word| left.strip_prefix(word));
    if let Some((name, _)) = in_wgsl.and_then(|rest| rest.split_once(':')) {
        return Some(name.trim());
    }
    let (ty, name) = left.rsplit_once(' ')?;
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    let is_type = ty != "return"
        && !ty.contains(['(', '[', '='])
        && ty.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let is_name = words(name).next().is_some_and(|word| word.text == name && !word.is_number());
    (is_type && is_name).then_some(name)
}

/// Writes loops with a counter as `for`.
pub(super) fn counters(list: &mut List, dialect: Dialect) {
    let mut result = List::with_capacity(list.len());
    let mut rest = take(list).into_iter();
    while let Some(mut statement) = rest.next() {
        statement.lists_mut().into_iter().for_each(|inner| counters(inner, dialect));
        if let Statement::Loop(found) = &mut statement {
            take_step(found, &result, rest.as_slice(), dialect);
        }
        if let Statement::Loop(found) = &mut statement
            && is_step(found, dialect)
        {
            found.is_for = true;
            let counter = found.continuing.last().and_then(Statement::simple).and_then(assigned_name);
            let counter = counter.unwrap_or_default();
            if let Some(place) = init_of(&result, counter, rest.as_slice()) {
                found.init = result.remove(place).simple().map(str::to_owned);
            }
        }
        result.push(statement);
    }
    *list = result;
}

/// Makes the last statement of an iteration the code after it, if it changes a counter that is set before the loop, so that the loop
/// becomes a `for`.
fn take_step(found: &mut Loop, before: &List, after: &[Statement], dialect: Dialect) {
    let Some(condition) =
        found.condition.as_deref().filter(|_| found.continuing.is_empty() && found.break_if.is_none())
    else {
        return;
    };
    let Some(last) = found.body.last() else { return };
    let Some(step) = last.simple() else { return };
    // The declarations of the body are not visible after it.
    let is_counter = assigned_name(step)
        .is_some_and(|counter| find_word(condition, counter).is_some() && init_of(before, counter, after).is_some());
    if is_counter && can_be_step(std::slice::from_ref(last), found, dialect) && !has_continue(&found.body) {
        found.continuing.extend(found.body.pop());
    }
}

/// The statement before a loop that is the first part of its `for`: it sets the counter, and no statement between names the counter or
/// changes the value that it is set to. A counter that it declares is not used after the loop. Inspects [`FARTHEST_INIT`] statements.
fn init_of(before: &List, counter: &str, after: &[Statement]) -> Option<usize> {
    let mut between: Vec<&str> = Vec::new();
    for (place, statement) in before.iter().enumerate().rev().take(FARTHEST_INIT) {
        let text = statement.simple().filter(|_| !statement.is_jump())?;
        let is_declared = declared_name(text) == Some(counter);
        if is_declared || assigned_name(text) == Some(counter) {
            let is_local = || !after.iter().any(|statement| mentions(statement, counter));
            let is_init = !is_declared || text.contains(" = ") && !text.starts_with("let ") && is_local();
            let (_, value) = text.split_once(" = ")?;
            return (is_init && is_same_behind(value, &between)).then_some(place);
        }
        if find_word(text, counter).is_some() {
            return None;
        }
        between.push(text);
    }
    None
}

/// Returns whether a value is the same after some statements: they do not write its variables, or they only declare and compute.
fn is_same_behind(value: &str, statements: &[&str]) -> bool {
    let is_plain = !value.contains(['(', '[', '.']);
    statements.iter().all(|text| {
        let written = assigned_name(text).or_else(|| declared_name(text));
        match written {
            Some(name) => find_word(value, name).is_none() && (is_plain || !text.contains('(')),
            None => false,
        }
    })
}

/// Returns whether a statement, or one in it, contains the name.
fn mentions(statement: &Statement, name: &str) -> bool {
    statement.texts().into_iter().any(|text| find_word(text, name).is_some())
        || statement.lists().into_iter().flatten().any(|inner| mentions(inner, name))
}
