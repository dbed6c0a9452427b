//! Shortens long texts: a switch with thousands of cases is one line, and a name may have 262,139 characters.

use std::borrow::Cow;

use reconverge::Place;

/// The largest number of characters of a text that are shown.
const TEXT_LIMIT: usize = 240;
/// The number of characters before the column that are shown, if the column is far to the right.
const BEFORE: usize = 60;
/// The number of characters that are compared to distinguish two lines.
const COMPARED: usize = 120;

/// The beginning of a text and the number of omitted entries if the text is a list, else of characters. A text of at most 240 characters is
/// unchanged, and so is one that the verifier has already cut.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    let Some((end, _)) = text.char_indices().nth(TEXT_LIMIT) else { return Cow::Borrowed(text) };
    if &text[end..] == " …" {
        return Cow::Borrowed(text);
    }
    for (separator, sign) in [("] [", "]"), (", ", ",")] {
        let more = text[end..].matches(separator).count();
        if let Some(at) = text[..end].rfind(separator).filter(|&at| more > 0 && at > end / 2) {
            let between = text[at + separator.len()..end].matches(separator).count();
            return Cow::Owned(format!("{}{sign} … and {} more", &text[..at], more + between + 1));
        }
    }
    Cow::Owned(format!("{}… and {} more characters", &text[..end], text[end..].chars().count()))
}

/// A line of an input as it is shown: the whole line, or the part around a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ShownLine {
    /// The shown text.
    pub(crate) text: String,
    /// The annotated column in it, from 1.
    pub(crate) column: usize,
}

impl ShownLine {
    /// The line, shortened so that a column, from 1, is visible.
    pub(crate) fn new(line: &str, column: usize) -> ShownLine {
        if line.chars().nth(TEXT_LIMIT).is_none() {
            return ShownLine { text: line.to_owned(), column };
        }
        let skipped = if column > TEXT_LIMIT - BEFORE { column - 1 - BEFORE } else { 0 };
        let mut rest = line.chars().skip(skipped);
        let mut text = String::from(if skipped > 0 { "…" } else { "" });
        let column = column - skipped + text.chars().count();
        text.extend(rest.by_ref().take(TEXT_LIMIT));
        text.extend(rest.next().map(|_| '…'));
        ShownLine { text, column }
    }

    /// The line of a place in a text.
    pub(crate) fn at(place: Place, text: &str) -> Option<ShownLine> {
        let Place::Line(line, column) = place else { return None };
        Some(ShownLine::new(text.lines().nth(line.saturating_sub(1)).unwrap_or(""), column))
    }

    /// Returns whether it shows the printed form of an instruction; of long forms the beginning counts.
    pub(crate) fn shows(&self, printed: &str) -> bool {
        self.text.trim().chars().take(COMPARED).eq(printed.trim().chars().take(COMPARED))
    }
}

#[cfg(test)]
mod tests {
    use super::{ShownLine, TEXT_LIMIT, shortened};

    #[test]
    fn short_texts_are_themselves() {
        for text in ["", "a, b", "é".repeat(TEXT_LIMIT).as_str()] {
            assert_eq!(shortened(text), text);
            assert_eq!(ShownLine::new(text, 1), ShownLine { text: text.to_owned(), column: 1 });
        }
    }

    #[test]
    fn lists_are_cut_behind_an_entry_and_counted() {
        let entries: Vec<String> = (0..1_000).map(|number| format!("^block{number}")).collect();
        let text = shortened(&entries.join(", ")).into_owned();
        let (shown, more) = text.split_once(", … and ").unwrap();
        let shown = shown.split(", ").count();
        assert_eq!(more, format!("{} more", 1_000 - shown));
        let cases: Vec<String> = (0..1_000).map(|number| format!("[{number} ^a]")).collect();
        let text = shortened(&format!("switch %x default ^d {}", cases.join(" "))).into_owned();
        let (shown, more) = text.split_once(" … and ").unwrap();
        assert!(shown.ends_with(" ^a]"), "{shown}");
        assert_eq!(more, format!("{} more", 1_000 - shown.matches('[').count()));
    }

    #[test]
    fn names_are_cut_and_their_characters_counted() {
        let text = "→".repeat(TEXT_LIMIT + 7);
        assert_eq!(shortened(&text), format!("{}… and 7 more characters", "→".repeat(TEXT_LIMIT)));
    }

    #[test]
    fn what_is_pointed_at_stays_in_the_window() {
        let line: String = ('a'..='z').cycle().take(10_000).collect();
        for column in [1, 100, 180, 181, 5_000, 9_999, 10_000, 10_001] {
            let shown = ShownLine::new(&line, column);
            let at = shown.text.chars().nth(shown.column - 1).filter(|&letter| letter != '…');
            assert_eq!(at, line.chars().nth(column - 1), "{column}");
            assert!(shown.text.chars().count() <= TEXT_LIMIT + 2);
        }
    }
}
