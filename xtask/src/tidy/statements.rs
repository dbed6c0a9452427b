//! Statements: the paragraphs of a crate's documentation say something, at most 4 in 100 only name a question.
//!
//! ```text
//! /// Whether the block is empty.           a clause          /// Returns whether the block is empty.     a statement
//! /// What a jump passes for the value.     a clause          /// The argument that a jump passes.        a name
//! ```
//!
//! Measured are the paragraphs of the `///` and `//!` comments in a crate's `src`, without code blocks, tables, lists and headings. A paragraph is a
//! clause if its first sentence begins with a word of [`CLAUSE`], or with one of [`CONDITION`] and has no comma, so that no main clause can
//! follow. The sentence ends at the first full stop or question mark before a space, or at the end of the paragraph. A question is no clause.
//! The measure is coarse: `What is read is kept.` counts although it is a statement; the bar leaves room for that.
//!
//! `cargo xtask tidy --figures` prints the figure of each crate.

use std::collections::BTreeMap;
use std::fmt;

use super::Finding;
use super::source::{File, Source};

/// In percent of the paragraphs of a crate.
const BAR: usize = 4;

/// Words that begin a clause which stands for a noun.
const CLAUSE: [&str; 11] =
    ["How", "That", "What", "Whatever", "Where", "Whether", "Which", "Who", "Whom", "Whose", "Why"];

/// Words that begin a condition.
const CONDITION: [&str; 4] = ["As", "If", "Unless", "When"];

/// The paragraphs of one crate.
#[derive(Default)]
pub(super) struct Figure {
    paragraphs: usize,
    /// The places of the clauses, with their first lines.
    clauses: Vec<(String, usize, String)>,
}

/// Checks every crate against the bar, and lists all clauses of one that is above it.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, figure) in figures(source) {
        if !figure.is_above() {
            continue;
        }
        for (path, line, text) in &figure.clauses {
            findings.push(Finding::error(
                path,
                *line,
                format!("a clause, not a statement: `{text}` ({name}: {figure})"),
            ));
        }
    }
    findings
}

/// The figure of each crate, by name.
pub(super) fn figures(source: &Source) -> BTreeMap<String, Figure> {
    let mut figures: BTreeMap<String, Figure> = BTreeMap::new();
    for file in source.files().iter().filter(|file| is_measured(&file.path)) {
        measure(file, figures.entry(file.crate_name().to_owned()).or_default());
    }
    figures
}

fn is_measured(path: &str) -> bool {
    let is_source = path.starts_with("xtask/src/") || path.starts_with("crates/") && path.contains("/src/");
    is_source && path.ends_with(".rs")
}

/// Adds the paragraphs of a file.
fn measure(file: &File, figure: &mut Figure) {
    for (line, paragraph) in paragraphs(&file.text) {
        figure.paragraphs += 1;
        if is_clause(&paragraph) {
            let first = paragraph.chars().take(50).collect();
            figure.clauses.push((file.path.clone(), line, first));
        }
    }
}

/// The paragraphs of all documentation comments, each as one line, with the number of its first line.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut is_open, mut is_code) = (false, false);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(inside) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            (is_open, is_code) = (false, false);
            continue;
        };
        let inside = inside.trim();
        let is_fence = inside.starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence || inside.is_empty() || is_other(inside) {
            is_open = false;
        } else if is_open && let Some((_, paragraph)) = found.last_mut() {
            paragraph.push(' ');
            paragraph.push_str(inside);
        } else {
            found.push((index + 1, inside.to_owned()));
            is_open = true;
        }
    }
    found
}

/// A line of a table, a list or a heading.
fn is_other(line: &str) -> bool {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['|', '#'])
        || ["- ", "* "].iter().any(|mark| line.starts_with(mark))
        || numbered.len() < line.len() && numbered.starts_with(". ")
}

fn is_clause(paragraph: &str) -> bool {
    let end = paragraph.match_indices(['.', '?']).find(|(at, _)| {
        let after = paragraph[at + 1..].chars().next();
        after.is_none_or(char::is_whitespace)
    });
    let sentence = end.map_or(paragraph, |(at, mark)| &paragraph[..at + mark.len()]);
    let first = sentence.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    !sentence.ends_with('?') && (CLAUSE.contains(&first) || CONDITION.contains(&first) && !sentence.contains(','))
}

impl Figure {
    fn is_above(&self) -> bool {
        self.clauses.len() * 100 > self.paragraphs * BAR
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (clauses, paragraphs) = (self.clauses.len(), self.paragraphs);
        let tenths = (clauses * 1000).checked_div(paragraphs).unwrap_or(0);
        write!(out, "{clauses} of {paragraphs} paragraphs, {}.{} %", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(text: &str) -> Figure {
        let mut figure = Figure::default();
        measure(&File { path: "crates/a/src/b.rs".to_owned(), text: text.to_owned(), syntax: None }, &mut figure);
        figure
    }

    #[test]
    fn clauses_are_found_at_their_lines() {
        let found = figure(
            "//! A file.\n//!\n//! What it\n//! does.\n\n/// Whether so. It is true.\nfn a() {}\n    /// When it is.\n",
        );
        let lines: Vec<usize> = found.clauses.iter().map(|&(_, line, _)| line).collect();
        assert_eq!((found.paragraphs, lines), (4, vec![3, 6, 8]));
        assert_eq!(found.clauses[0].2, "What it does.");
    }

    #[test]
    fn statements_names_and_questions_are_none() {
        let text = "/// Returns whether so.\n\n/// The place where it is.\n\n/// When it is, this is.\n\n/// Why?\n\n/// Whatsoever it is.\n";
        assert_eq!((figure(text).paragraphs, figure(text).clauses.len()), (5, 0));
    }

    #[test]
    fn code_tables_lists_and_plain_comments_are_not_measured() {
        let text = "//! ```text\n//! What\n//! ```\n//! | What |\n//! - What\n//! 1. What\n//! # What\n// What\n";
        assert_eq!(figure(text).paragraphs, 0);
    }

    #[test]
    fn the_bar_is_a_share_of_the_paragraphs() {
        let paragraphs =
            |clauses: usize, others: usize| "/// What.\n\n".repeat(clauses) + &"/// One.\n\n".repeat(others);
        assert!(!figure(&paragraphs(4, 96)).is_above());
        assert!(figure(&paragraphs(5, 95)).is_above());
        assert!(!figure("").is_above());
        assert_eq!(figure(&paragraphs(1, 7)).to_string(), "1 of 8 paragraphs, 12.5 %");
    }
}
