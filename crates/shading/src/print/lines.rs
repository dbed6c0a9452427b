//! Breaks of long lines.
//!
//! The printers write [`BREAK`] instead of a blank where a line may end: behind operators and commas. A line that is too long ends at the
//! break that is inside the fewest brackets, the last one of these in the second half of the line. What follows is indented by eight more blanks.
//! Linear in the length of the text, except the search of at most a line for each break.

/// A blank where a line may end.
pub(super) const BREAK: char = '\u{b}';

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
        rest = &rest[position + BREAK.len_utf8()..];
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
    result.extend(part.chars().map(|character| if character == BREAK { ' ' } else { character }));
    result.push('\n');
}

/// Where the first line of a text ends, if the text is too long for a line.
fn break_of(text: &str, indent: usize) -> Option<usize> {
    let room = COLUMNS.saturating_sub(indent);
    let mut depth = 0usize;
    let mut best: Option<(usize, usize)> = None;
    for (column, (position, character)) in text.char_indices().enumerate() {
        if column >= room && best.is_some() {
            return best.map(|(position, _)| position);
        }
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            BREAK if best.is_none_or(|(at, found)| depth <= found || at < room / 2) => best = Some((position, depth)),
            _ => {}
        }
    }
    best.filter(|_| text.chars().count() > room).map(|(position, _)| position)
}
