//! Words: comments and pages use the terms of the field, no images and no old-fashioned words.
//!
//! Checked are the comments of the crates' sources and of `xtask`, and Markdown pages, without code. GLOSSARY.md is exempt: it lists words
//! to avoid.

use super::Finding;
use super::markdown::{prose, without_code_spans};
use super::source::{File, Source};

/// Words and phrases that are not used, and what to write instead.
const AVOIDED: [(&str, &str); 38] = [
    ("anew", "again"),
    ("but for", "except"),
    ("chore", "task"),
    ("come together", "reconverge, join"),
    ("comes together", "reconverges, joins"),
    ("dear", "expensive"),
    ("flesh", "contents"),
    ("for certain", "certainly"),
    ("for ever", "forever"),
    ("gave way", "was replaced"),
    ("give way", "be replaced"),
    ("gives way", "is replaced"),
    ("gone", "removed, deleted"),
    ("half done", "partly transformed"),
    ("handed on", "passed on"),
    ("hands on", "passes on"),
    ("held against", "checked against"),
    ("in front of", "before"),
    ("in the place of", "in place of"),
    ("in vain", "without success"),
    ("made up", "generated, random"),
    ("mended", "fixed"),
    ("nobody", "nothing"),
    ("outgrown", "exceeded"),
    ("put together", "constructed"),
    ("save for", "except"),
    ("somebody", "the user, another lane"),
    ("speaks", "states, determines"),
    ("spoilt", "mutated"),
    ("stood", "was"),
    ("taken apart", "split, parsed"),
    ("thrown away", "discarded"),
    ("told", "reported, known"),
    ("truth values", "booleans"),
    ("twin", "copy"),
    ("wants", "requires"),
    ("whoever", "the code that"),
    ("whom", "which lanes, which functions"),
];

/// Checks the comments of Rust files and the prose of Markdown files.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    source.files().iter().filter(|file| is_checked(&file.path)).flat_map(check_file).collect()
}

fn is_checked(path: &str) -> bool {
    let is_source = path.starts_with("xtask/src/") || path.starts_with("crates/") && path.contains("/src/");
    path.ends_with(".md") && path != "GLOSSARY.md" || path.ends_with(".rs") && is_source
}

fn check_file(file: &File) -> Vec<Finding> {
    let text = if file.path.ends_with(".rs") { comments(&file.text) } else { file.text.clone() };
    let mut findings = Vec::new();
    for (number, line) in prose(&text) {
        for (avoided, instead) in avoided_in(line) {
            findings.push(Finding::error(&file.path, number, format!("`{avoided}`: write `{instead}`")));
        }
    }
    findings
}

/// The text of the comments that have a line of their own; all other lines are empty.
fn comments(text: &str) -> String {
    let comment = |line: &str| {
        let inside = line.trim_start().strip_prefix("//").unwrap_or_default();
        inside.trim_start_matches(['/', '!']).to_owned() + "\n"
    };
    text.lines().map(comment).collect()
}

fn avoided_in(line: &str) -> Vec<(&'static str, &'static str)> {
    let lower = without_code_spans(line).to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let occurs = |phrase: &str| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|window| window == phrase)
    };
    AVOIDED.into_iter().filter(|(avoided, _)| occurs(avoided)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        let findings = check_file(&File { path: path.to_owned(), text: text.to_owned(), syntax: None });
        findings.into_iter().map(|finding| format!("{}: {}", finding.line, finding.message)).collect()
    }

    #[test]
    fn each_avoided_word_is_found_at_its_line() {
        assert_eq!(messages("a.md", "a\nAll but for one.\n"), ["2: `but for`: write `except`"]);
        assert_eq!(messages("a.rs", "/// Computed anew.\nfn a() {}\n"), ["1: `anew`: write `again`"]);
        assert_eq!(messages("a.rs", "fn a() {\n    // A twin.\n}\n"), ["2: `twin`: write `copy`"]);
    }

    #[test]
    fn code_and_longer_words_are_left_alone() {
        assert_eq!(messages("a.md", "`anew`, retold\n```\nanew\n```\n"), Vec::<String>::new());
        assert_eq!(messages("a.rs", "let anew = \"told\";\n//! ```text\n//! twin\n//! ```\n"), Vec::<String>::new());
    }

    #[test]
    fn tests_and_the_glossary_are_not_checked() {
        assert!(is_checked("crates/ir/src/lib.rs") && is_checked("docs/ir.md"));
        assert!(!is_checked("crates/ir/tests/main.rs") && !is_checked("GLOSSARY.md"));
    }
}
