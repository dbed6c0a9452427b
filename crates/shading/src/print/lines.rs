//! Breaks of long lines.
//!
//! The printers write [`BREAK`] instead of a blank where a line may end: behind commas and assignments, and behind operators a character that says
//! how tightly the operator binds ([`break_behind`]). A line that is too long ends at the break that is inside the fewest brackets and binds least, the last one
//! of these behind the first third of the line. What follows is indented by eight more blanks. Linear in the length of the text, except the search of at most
//! a line for each break.

use crate::syntax::Level;

/// A blank where a line may end.
pub(super) const BREAK: char = '\u{b}';

/// The first of the characters behind operators, in the order of levels. They are for private use, and in no text.
const FIRST: char = '\u{e000}';

/// The blank behind an operator of a level, where a line may end.
pub(super) fn break_behind(level: Level) -> char {
    char::from_u32(FIRST as u32 + level as u32).unwrap_or(BREAK)
}

/// How tightly the operator before a break binds; 0 for a comma.
fn tightness(character: char) -> Option<u32> {
    let is_of_operator = (FIRST..='\u{e01f}').contains(&character);
    match character {
        BREAK => Some(0),
        _ if is_of_operator => Some(character as u32 - FIRST as u32 + 1),
        _ => None,
    }
}

/// A text in one line.
pub(super) fn unbroken(text: &str) -> String {
    text.chars().map(|character| if tightness(character).is_some() { ' ' } else { character }).collect()
}

/// The maximum number of columns.
pub(super) const COLUMNS: usize = 100;

/// The blanks of a level of braces.
const INDENT: usize = 4;

/// The blanks before the rest of a long line, besides those of its first part.
const HANGING: usize = 8;

/// Adds a line, and breaks it where it is too long.
pub(super) fn write(result: &mut String, line: &str, level: usize) {
    let mut indent = level * INDENT;
    let mut rest = line;
    while let Some(position) = break_of(rest, indent) {
        add(result, &rest[..position], indent);
        rest = rest[position..].trim_start_matches(|character| tightness(character).is_some());
        indent = level * INDENT + HANGING;
    }
    add(result, rest, indent);
}

/// Returns whether the text fits in a line.
pub(super) fn fits(line: &str, level: usize) -> bool {
    level * INDENT + line.chars().count() <= COLUMNS
}

fn add(result: &mut String, part: &str, indent: usize) {
    result.extend(std::iter::repeat_n(' ', indent));
    result.push_str(&unbroken(part));
    result.push('\n');
}

/// Where the first line of a text ends, if the text is too long for a line.
fn break_of(text: &str, indent: usize) -> Option<usize> {
    let room = COLUMNS.saturating_sub(indent);
    let mut depth = 0usize;
    let mut best: Option<(usize, (usize, u32))> = None;
    for (column, (position, character)) in text.char_indices().enumerate() {
        if column >= room && best.is_some() {
            return best.map(|(position, _)| position);
        }
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {
                if let Some(tightness) = tightness(character)
                    && best.is_none_or(|(at, found)| (depth, tightness) <= found || at < room / 3)
                {
                    best = Some((position, (depth, tightness)));
                }
            }
        }
    }
    best.filter(|_| text.chars().count() > room).map(|(position, _)| position)
}
