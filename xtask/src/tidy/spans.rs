//! Code spans: what a page puts between backticks exists in this repository, or in `xtask/tidy-outside-names.txt`.
//!
//! | class | looks like | exists if |
//! |---|---|---|
//! | path | letters, digits, `/._-`, with a slash or the ending of a file | it is the end of the path of a file or folder, perhaps without the file's ending; `NAME` is any name; `.ir` an ending |
//! | flag | begins with `-` and a letter | the sources or tests contain it, or a field has its name, from which the command derives it |
//! | name | identifiers, with `::` between them, `()` or `!` after them | every identifier is a word of the sources or tests |
//! | pass | a name after the word *pass* | the table of passes has it |
//! | code | anything else | every word in it with an underscore or a capital inside is such a word |
//!
//! Words come from all text files that are not pages, without the comments of Rust files, and from the names of files, with `-` as `_`. A name
//! in capitals or in CamelCase counts with underscores too, since text forms derive their names from it: `merge_dispatch`. `OpLoad` is `Load`; `native_`
//! is the beginning of a word.
//!
//! A name of another project is a line of the list, with the place that it is from; a line that no page needs is an error. Exempt are the last
//! column of GLOSSARY.md, which lists what is not used, and CHANGELOG.md, which names what was removed. Code blocks are not checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::Finding;
use super::markdown::prose;
use super::source::{File, Source};
use xtask_setup::workspace::{relative, root};

/// Names of other projects: a name, then ` | ` and where it is from.
const OUTSIDE: &str = "xtask/tidy-outside-names.txt";

/// This file, whose tests contain names that do not exist.
const SELF: &str = "xtask/src/tidy/spans.rs";

/// The page that names what was removed.
const CHANGELOG: &str = "CHANGELOG.md";

/// Endings that make a word a path.
const ENDINGS: [&str; 11] = [".c", ".cl", ".css", ".h", ".ir", ".js", ".json", ".md", ".rs", ".toml", ".tsv"];

/// Folders that tasks make, and folders of the system.
const NOT_IN_THE_REPOSITORY: [&str; 2] = ["target/", "/"];

/// Everything that exists.
#[derive(Default)]
struct Known {
    /// The ends of all paths, with the ending of the file and without: `src/lib.rs`, `lib.rs`, `src/lib`, `lib` for `crates/ir/src/lib.rs`.
    paths: BTreeSet<String>,
    words: BTreeSet<String>,
    flags: BTreeSet<String>,
    passes: BTreeSet<&'static str>,
    /// Names of other projects, with their lines in the list.
    outside: BTreeMap<String, usize>,
}

/// Checks every page.
pub(super) fn check(source: &Source) -> Result<Vec<Finding>, String> {
    let known = Known::read()?;
    let mut used = BTreeSet::new();
    let mut findings = Vec::new();
    for page in source.files().iter().filter(|file| file.syntax.is_none() && file.path != CHANGELOG) {
        findings.extend(check_page(page, &known, &mut used));
    }
    for (name, &line) in &known.outside {
        if !used.contains(name) {
            findings.push(Finding::error(OUTSIDE, line, format!("`{name}`: no page needs this line")));
        }
    }
    Ok(findings)
}

/// Checks one page, and adds the names of other projects that it mentions to `used`.
fn check_page(page: &File, known: &Known, used: &mut BTreeSet<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in prose(&page.text) {
        let line = match page.path.as_str() {
            "GLOSSARY.md" => line.trim_end().trim_end_matches('|').rsplit_once('|').map_or(line, |(kept, _)| kept),
            _ => line,
        };
        for (before, span) in with_text_before(line) {
            let span = span.trim();
            if is_name(span) && before.ends_with(" pass ") && !known.passes.contains(span) {
                findings.push(Finding::error(&page.path, number, format!("`{span}`: no such pass")));
            } else if known.outside.contains_key(span) {
                used.insert(span.to_owned());
            } else if let Some(fault) = known.fault(span) {
                findings.push(Finding::error(&page.path, number, format!("`{span}`: {fault}")));
            }
        }
    }
    findings
}

impl Known {
    /// Reads the names of all files, and the text files that are not pages.
    fn read() -> Result<Known, String> {
        let passes = reconverge::pipeline::all().map(|pass| pass.name).collect();
        let mut known = Known { passes, ..Known::default() };
        let mut folders = vec![root().to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
            for entry in entries {
                let path = entry.map_err(|error| error.to_string())?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if name.starts_with('.') || name == "target" {
                    continue;
                }
                let path_from_root = relative(&path);
                known.add_path(&path_from_root);
                if path.is_dir() {
                    folders.push(path);
                } else if !name.ends_with(".md")
                    && ![OUTSIDE, SELF].contains(&path_from_root.as_str())
                    && let Ok(text) = fs::read_to_string(&path)
                {
                    match name.ends_with(".rs") {
                        true => known.add_code(&text),
                        false => known.add_lines(text.lines()),
                    }
                }
            }
        }
        let list = root().join(OUTSIDE);
        let list = fs::read_to_string(&list).map_err(|error| format!("{OUTSIDE}: {error}"))?;
        known.add_outside(&list)?;
        Ok(known)
    }

    fn add_path(&mut self, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name);
        let without_ending = &path[..path.len() - name.len() + stem.len()];
        for path in [path, without_ending] {
            let starts = path.match_indices('/').map(|(at, _)| at + 1);
            self.paths.extend(std::iter::once(0).chain(starts).map(|start| path[start..].to_owned()));
        }
        self.add_words(&stem.replace('-', "_"));
        if let Some((_, ending)) = name.rsplit_once('.') {
            self.paths.insert(format!(".{ending}"));
        }
    }

    /// Adds the lines of a source that are no comments.
    fn add_code(&mut self, text: &str) {
        self.add_lines(text.lines().filter(|line| !line.trim_start().starts_with("//")));
    }

    fn add_lines<'t>(&mut self, lines: impl Iterator<Item = &'t str>) {
        for line in lines {
            self.add_words(line);
            let parts = line.split(|c: char| !is_word(c) && c != '-');
            self.flags.extend(parts.filter(|part| part.starts_with('-')).map(str::to_owned));
        }
    }

    fn add_words(&mut self, text: &str) {
        for word in words(text) {
            if !self.words.contains(word) {
                self.words.insert(word.to_owned());
                self.words.insert(with_underscores(word));
            }
        }
    }

    fn add_outside(&mut self, list: &str) -> Result<(), String> {
        for (index, line) in list.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let (name, _) = line.split_once(" | ").ok_or_else(|| format!("{OUTSIDE}:{}: no ` | `", index + 1))?;
            self.outside.insert(name.trim().to_owned(), index + 1);
        }
        Ok(())
    }

    /// The fault of a span.
    fn fault(&self, span: &str) -> Option<&'static str> {
        if is_path(span) {
            return (!self.has_path(span)).then_some("no such file or folder");
        }
        if is_flag(span) {
            return (!self.has_flag(span)).then_some("no such option");
        }
        let has = |word: &str| self.has_word(word);
        let is_false = match is_name(span) {
            true => !words(span).all(has),
            false => !words(span).filter(|word| is_distinct(word)).all(has),
        };
        is_false.then_some("no such name in the sources or tests")
    }

    fn has_path(&self, span: &str) -> bool {
        let fixed = span.split("NAME").next().unwrap_or(span);
        let fixed = if fixed == span { span } else { fixed.rsplit_once('/').map_or("", |(folder, _)| folder) };
        let fixed = fixed.trim_start_matches("./").trim_end_matches('/');
        fixed.is_empty()
            || self.paths.contains(fixed)
            || NOT_IN_THE_REPOSITORY.iter().any(|folder| span.starts_with(folder))
    }

    fn has_flag(&self, span: &str) -> bool {
        let flag = span.split(|c: char| !is_word(c) && c != '-').next().unwrap_or(span);
        let is_lower = |name: &&str| !name.contains(char::is_uppercase);
        let field = flag.strip_prefix("--").filter(is_lower).map(|name| name.replace('-', "_"));
        self.flags.contains(flag) || field.is_some_and(|name| self.words.contains(&name))
    }

    fn has_word(&self, word: &str) -> bool {
        let of_spirv = word.strip_prefix("Op").filter(|rest| rest.starts_with(char::is_uppercase));
        let begins =
            |prefix: &str| self.words.range(prefix.to_owned()..).next().is_some_and(|found| found.starts_with(prefix));
        self.words.contains(word)
            || of_spirv.is_some_and(|rest| self.words.contains(rest))
            || word.len() > 1 && word.ends_with('_') && begins(word)
            || self.outside.contains_key(word)
    }
}

/// The code spans of a line, each with the text between it and the one before.
fn with_text_before(line: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = line.split('`').collect();
    parts.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

/// `MergeDispatch` and `MERGE_DISPATCH` as `merge_dispatch`.
fn with_underscores(word: &str) -> String {
    let mut name = String::new();
    let mut was_lower = false;
    for letter in word.chars() {
        if letter.is_uppercase() && was_lower {
            name.push('_');
        }
        was_lower = letter.is_lowercase() || letter.is_ascii_digit();
        name.extend(letter.to_lowercase());
    }
    name
}

fn is_path(span: &str) -> bool {
    let is_plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let is_file = ENDINGS.iter().any(|ending| span.ends_with(ending));
    is_plain && span.contains(char::is_alphabetic) && (span.contains('/') || is_file)
}

fn is_flag(span: &str) -> bool {
    span.starts_with('-') && span.trim_start_matches('-').starts_with(char::is_alphabetic)
}

fn is_name(span: &str) -> bool {
    let inside = span.strip_suffix("()").or_else(|| span.strip_suffix('!')).unwrap_or(span);
    !inside.is_empty() && inside.chars().all(|c| is_word(c) || c == ':')
}

/// A word that cannot be one of a sentence: with an underscore or a capital inside.
fn is_distinct(word: &str) -> bool {
    let mut letters = word.trim_matches('_').chars();
    letters.next();
    let is_shouted = !word.contains(char::is_lowercase);
    !is_shouted && letters.any(|c| c == '_' || c.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        let mut known = Known::default();
        for path in ["crates", "crates/ir", "crates/ir/src", "crates/ir/src/lib.rs"] {
            known.add_path(path);
        }
        known.add_path("tests/bugs/lost-block.ir");
        known.add_code("fn read_it() { MergeDispatch; \"-O2\"; \"Load\" }\n// fn old_name() {}\n");
        known.add_lines("split_blocks native_sin\n".lines());
        known.passes = BTreeSet::from(["read_it"]);
        known.add_outside("# a comment\nnir_cursor | Mesa\n").expect("has a bar");
        known
    }

    fn faults(path: &str, text: &str) -> Vec<String> {
        let page = File { path: path.to_owned(), text: text.to_owned(), syntax: None };
        let findings = check_page(&page, &known(), &mut BTreeSet::new());
        findings.into_iter().map(|finding| finding.message).collect()
    }

    fn is_false(span: &str) -> bool {
        !faults("a.md", &format!("`{span}`\n")).is_empty()
    }

    #[test]
    fn paths_are_the_ends_of_files_and_folders() {
        let good =
            ["crates/ir/", "src/lib.rs", "lib.rs", ".ir", "crates/ir/src/NAME.rs", "target/tools/x", "bugs/lost-block"];
        assert!(!good.into_iter().any(is_false));
        let bad = ["crates/ir/src/a.rs", "b.rs", "ib.rs", ".toml", "old/NAME.rs"];
        assert!(bad.into_iter().all(is_false));
    }

    #[test]
    fn flags_are_written_somewhere_or_derived_from_a_field() {
        assert!(!["-O2", "--split-blocks", "--split-blocks=2"].into_iter().any(is_false));
        assert!(["-O3", "--merge-blocks", "--O2"].into_iter().all(is_false));
    }

    #[test]
    fn names_are_words_of_the_code() {
        let good = [
            "read_it",
            "MergeDispatch",
            "merge_dispatch",
            "OpLoad",
            "native_",
            "nir_cursor",
            "lost_block",
            "read_it()",
        ];
        assert!(!good.into_iter().filter(|&name| name != "lost_block").any(is_false));
        assert!(["old_name", "OpStore", "half_", "MergeDispatch::old", "read", "_"].into_iter().all(is_false));
    }

    #[test]
    fn passes_are_those_of_the_table() {
        assert_eq!(
            faults("a.md", "The pass `read_it` and MergeDispatch, the pass `merge_dispatch`.\n"),
            ["`merge_dispatch`: no such pass"]
        );
        assert_eq!(faults("a.md", "A pass states `merge_dispatch`.\n"), Vec::<String>::new());
    }

    #[test]
    fn code_is_checked_for_words_that_no_sentence_has() {
        assert!(!is_false("%a = read_it %b and PLACE"));
        assert!(is_false("%a = old_name %b"));
        assert!(is_false("a < OldName"));
    }

    #[test]
    fn the_glossary_may_name_what_is_not_used() {
        assert_eq!(faults("GLOSSARY.md", "| read_it | is `read_it` | `old_name` |\n"), Vec::<String>::new());
        assert_eq!(faults("GLOSSARY.md", "| a | `old_name` | |\n").len(), 1);
        assert_eq!(faults("a.md", "```\n`old_name`\n```\n"), Vec::<String>::new());
    }
}
