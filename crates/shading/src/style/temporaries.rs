//! Names for values that the next statement reads once.
//!
//! ```text
//! let _e9 = i;
//! let _e11 = data[_e9];      ⇒    if (data[i] > 3u) {
//! if (_e11 > 3u) {
//! ```
//!
//! A name is replaced by its expression if it is read once, in the same list, and no statement between writes anything. A statement may
//! compute its operands in any order before it writes, so the statement that reads the name may itself write; but if it calls a function
//! with an effect, that call must be the whole statement. A call itself does not move, except into the statement right after it. Values
//! that compare lanes with their neighbours are computed where all lanes compute them, never after `&&`.

use std::collections::BTreeMap;

use super::expression::{
    Calls, as_operand, find_word, has_neighbours, has_short_circuit, is_primary, without_parentheses, words,
};
use super::tree::{List, Statement};

/// The maximum length of a resulting expression.
const LONGEST: usize = 100;

/// Applies the rule to all statements.
pub(super) fn inline(body: &mut List, calls: &Calls<'_>) {
    let mut uses = BTreeMap::new();
    count(body, &mut uses);
    Inliner { uses, calls, pending: Vec::new() }.list(body);
}

/// The number of times that each name occurs.
pub(super) fn count(list: &List, uses: &mut BTreeMap<String, usize>) {
    for statement in list {
        for word in statement.texts().into_iter().flat_map(words).filter(|word| !word.is_number()) {
            *uses.entry(word.text.to_owned()).or_default() += 1;
        }
        statement.lists().into_iter().for_each(|inner| count(inner, uses));
    }
}

/// Returns whether it is a name that naga gives to an unnamed value.
fn is_temporary(name: &str) -> bool {
    name.strip_prefix("_e").is_some_and(|digits| digits.starts_with(|first: char| first.is_ascii_digit()))
}

/// A declaration that is not written yet.
struct Pending {
    name: String,
    value: String,
    /// The whole statement, with its replacements.
    statement: String,
}

struct Inliner<'a> {
    uses: BTreeMap<String, usize>,
    calls: &'a Calls<'a>,
    pending: Vec<Pending>,
}

impl Inliner<'_> {
    fn list(&mut self, list: &mut List) {
        let outer = std::mem::take(&mut self.pending);
        for mut statement in std::mem::take(list) {
            match &mut statement {
                Statement::Simple(text) => {
                    if self.simple(text, list) {
                        continue;
                    }
                }
                Statement::If { condition: head, .. } | Statement::Switch { value: head, .. } => {
                    self.replace(head);
                    *head = without_parentheses(head).to_owned();
                    self.write(list);
                }
                Statement::Loop(_) | Statement::Block(_) => self.write(list),
            }
            if let Statement::Loop(found) = &mut statement {
                self.list(&mut found.body);
                self.continuing(&mut found.continuing, &mut found.break_if);
            } else {
                statement.lists_mut().into_iter().for_each(|inner| self.list(inner));
            }
            list.push(statement);
        }
        self.write(list);
        self.pending = outer;
    }

    /// The end of a loop. Its condition is computed last.
    fn continuing(&mut self, list: &mut List, break_if: &mut Option<String>) {
        let Some(condition) = break_if else { return self.list(list) };
        list.push(Statement::If { condition: std::mem::take(condition), then: List::new(), otherwise: List::new() });
        self.list(list);
        if let Some(Statement::If { condition: found, .. }) = list.pop() {
            *condition = found;
        }
    }

    /// Replaces names in a statement. Returns whether the statement itself is deferred.
    fn simple(&mut self, text: &mut String, list: &mut List) -> bool {
        self.replace(text);
        // Names that could not be replaced must be declared before.
        if self.pending.iter().any(|pending| find_word(text, &pending.name).is_some()) {
            self.write(list);
        }
        let value = declared(text).map(|(name, value)| (name.to_owned(), without_parentheses(value).to_owned()));
        let is_pure = value.as_ref().is_some_and(|(_, value)| self.calls.effects(value) == 0);
        if let Some((name, value)) = value
            && is_pure
            && self.uses.get(&name) == Some(&2)
        {
            self.pending.push(Pending { name, value, statement: std::mem::take(text) });
            return true;
        }
        if !is_pure {
            self.write(list);
            self.take_call(text, list);
        }
        false
    }

    /// Moves a call into the statement that is the only one to read its value and assigns it as a whole: `let _e1 = f(x); y = _e1` ⇒ `y =
    /// f(x)`.
    fn take_call(&self, text: &mut String, list: &mut List) {
        let Some((name, value)) = list.last().and_then(Statement::simple).and_then(declared) else { return };
        let left = text.strip_suffix(name).filter(|left| *left == "return " || left.ends_with(" = "));
        if let Some(left) = left.filter(|left| self.uses.get(name) == Some(&2) && !left.contains(['[', '(', '.'])) {
            *text = format!("{left}{value}");
            list.pop();
        }
    }

    /// Writes the deferred declarations.
    fn write(&mut self, list: &mut List) {
        list.extend(self.pending.drain(..).map(|pending| Statement::Simple(pending.statement)));
    }

    /// Replaces each deferred name by its value, where the statement allows it.
    fn replace(&mut self, text: &mut String) {
        let source =
            text.split_once(" = ").map_or_else(|| text.strip_prefix("return ").unwrap_or(text), |(_, value)| value);
        let has_effect = self.calls.effects(text) > 0;
        if has_effect && !self.calls.is_one_call(source) {
            return;
        }
        let mut index = 0;
        while let Some(pending) = self.pending.get(index) {
            let word = find_word(text, &pending.name).map(|word| word.start..word.end());
            let is_allowed = !has_neighbours(&pending.value) || !has_short_circuit(text);
            match word.filter(|_| is_allowed && text.len() + pending.value.len() <= LONGEST) {
                Some(range) if !is_assigned(text, range.end) => {
                    let is_whole = is_alone(text, &range);
                    let value = if is_whole { pending.value.clone() } else { as_operand(&pending.value) };
                    text.replace_range(range, &value);
                    self.pending.remove(index);
                }
                _ => index += 1,
            }
        }
    }
}

/// Returns whether the statement writes the word or a part of it.
fn is_assigned(text: &str, end: usize) -> bool {
    let left = text.find(" = ").unwrap_or(0);
    end <= left && !text[..left].contains(['[', '('])
}

/// Returns whether the word is a whole expression: an argument, an index or a value.
fn is_alone(text: &str, range: &std::ops::Range<usize>) -> bool {
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let begins = before.is_empty()
        || before.ends_with(['(', '[', ','])
        || before.ends_with(", ")
        || before.ends_with(" = ")
        || before == "return ";
    begins && (after.is_empty() || after.starts_with([')', ']', ',']))
}

/// Name and value of the declaration of a temporary.
pub(super) fn declared(text: &str) -> Option<(&str, &str)> {
    let (left, value) = text.split_once(" = ")?;
    let left = if left.starts_with("let ") { left.split_once(':').map_or(left, |(left, _)| left) } else { left };
    let (before, name) = left.rsplit_once(' ')?;
    let is_declaration =
        before.starts_with(|first: char| first.is_alphabetic()) && !before.contains(['(', '[']) && is_primary(name);
    (is_declaration && is_temporary(name)).then_some((name, value))
}
