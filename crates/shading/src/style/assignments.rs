//! `x = (x + 1u)` ⇒ `x += 1u`, and values, indices and arguments without parentheses around them.

use super::expression::{binary, is_primary, matching, without_parentheses};
use super::tree::{List, Statement};

/// The operators that have an assignment.
const OPERATORS: [&str; 10] = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];

/// Applies the rule to all statements.
pub(super) fn compound(list: &mut List) {
    for statement in list {
        match statement {
            Statement::Simple(text) => *text = compound_of(text),
            Statement::Loop(found) => {
                if let Some(init) = &mut found.init {
                    *init = compound_of(init);
                }
                for text in [&mut found.condition, &mut found.break_if].into_iter().flatten() {
                    *text = alone(text);
                }
            }
            Statement::If { condition: text, .. } | Statement::Switch { value: text, .. } => *text = alone(text),
            Statement::Block(_) => {}
        }
        statement.lists_mut().into_iter().for_each(compound);
    }
}

/// The statement as a compound assignment, if it can be one.
pub(super) fn compound_of(text: &str) -> String {
    rewritten(&alone(text))
}

fn rewritten(text: &str) -> String {
    if let Some(value) = text.strip_prefix("return ") {
        return format!("return {}", without_parentheses(value));
    }
    let Some((left, value)) = text.split_once(" = ") else { return text.to_owned() };
    let value = without_parentheses(value);
    match binary(value) {
        Some([first, operator, second])
            if first == left && is_primary(left) && !left.contains('(') && OPERATORS.contains(&operator) =>
        {
            format!("{left} {operator}= {}", without_parentheses(second))
        }
        _ => format!("{left} = {value}"),
    }
}

/// The text without parentheses around a whole index or argument. Those around `<` stay: WGSL parses it as a bracket.
fn alone(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut dropped = Vec::new();
    for (open, _) in text.match_indices('(') {
        let before = text[..open].strip_suffix(' ').unwrap_or(&text[..open]);
        let is_first = before.ends_with(['[', '(']) || text[..open].ends_with(", ");
        let close = if is_first { matching(text, open) } else { None };
        let is_last =
            close.and_then(|close| bytes.get(close + 1)).is_some_and(|after| matches!(after, b']' | b')' | b','));
        if let Some(close) = close.filter(|&close| is_last && !text[open..close].contains(['<', '>', '?'])) {
            dropped.extend([open, close]);
        }
    }
    let kept = text.char_indices().filter(|(index, _)| !dropped.contains(index));
    kept.map(|(_, character)| character).collect()
}
