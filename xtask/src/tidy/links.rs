//! Links: relative links in Markdown, with their anchors, and the paths in the code spans of ARCHITECTURE.md and CONTRIBUTING.md exist in
//! this repository. External addresses are ignored. A path is relative to the root, or to the first path of its line: `crates/graph/src/`
//! and then `order.rs`.

use std::path::Path;

use super::Finding;
use super::markdown::{anchors, code_spans, link_targets, prose, without_code_spans};
use super::source::{File, Source};
use xtask_setup::workspace::root;

/// Files whose code spans name paths.
const NAMES_PATHS: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Checks every Markdown file.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let pages = source.files().iter().filter(|file| file.syntax.is_none());
    pages.flat_map(|page| check_page(page, root())).collect()
}

fn check_page(page: &File, root: &Path) -> Vec<Finding> {
    let file = root.join(&page.path);
    let folder = file.parent().unwrap_or(root);
    let mut findings = Vec::new();
    for (number, line) in prose(&page.text) {
        for target in link_targets(&without_code_spans(line)) {
            if let Some(fault) = fault_of_link(target, folder, &page.text) {
                findings.push(Finding::error(&page.path, number, format!("dead link `{target}`: {fault}")));
            }
        }
        if NAMES_PATHS.contains(&page.path.as_str()) {
            let dead = dead_paths(line, root).into_iter();
            findings.extend(dead.map(|span| Finding::error(&page.path, number, format!("`{span}` does not exist"))));
        }
    }
    findings
}

fn dead_paths<'a>(line: &'a str, root: &Path) -> Vec<&'a str> {
    let paths: Vec<&str> = code_spans(line).filter(|span| is_path(span)).collect();
    let first = root.join(paths.first().unwrap_or(&""));
    let base = if first.is_file() { first.parent().unwrap_or(root) } else { &first };
    paths.into_iter().filter(|path| !root.join(path).exists() && !base.join(path).exists()).collect()
}

fn fault_of_link(target: &str, folder: &Path, page: &str) -> Option<&'static str> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = folder.join(path);
    if !path.is_empty() && !file.exists() {
        return Some("no such file");
    }
    if anchor.is_empty() || !(path.is_empty() || path.ends_with(".md")) {
        return None;
    }
    let other = (!path.is_empty()).then(|| std::fs::read_to_string(&file).unwrap_or_default());
    let is_known = anchors(other.as_deref().unwrap_or(page)).iter().any(|known| known == anchor);
    (!is_known).then_some("no such heading")
}

/// A code span that can only be meant as a path: words with slashes, or a file with a known ending.
fn is_path(span: &str) -> bool {
    let is_plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let is_product = span.starts_with("target/") || span.starts_with('/');
    is_plain
        && !is_product
        && (span.contains('/') || [".md", ".rs", ".toml"].iter().any(|ending| span.ends_with(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        let page = File { path: path.to_owned(), text: text.to_owned(), syntax: None };
        check_page(&page, root()).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn dead_links_are_found() {
        let text = "[a](no.md) [b](GLOSSARY.md#no) [c](#no) [d](xtask/no)";
        let found = messages("README.md", text);
        assert_eq!(
            found,
            [
                "dead link `no.md`: no such file",
                "dead link `GLOSSARY.md#no`: no such heading",
                "dead link `#no`: no such heading",
                "dead link `xtask/no`: no such file",
            ]
        );
    }

    #[test]
    fn live_links_and_addresses_elsewhere_pass() {
        let text = "# Here\n[a](../xtask/src) [b](#here) [c](https://example.org/no) `[d](no.md)`";
        assert_eq!(messages("xtask/README.md", text), Vec::<String>::new());
    }

    #[test]
    fn paths_in_code_spans_are_checked_in_the_architecture_alone() {
        let text = "`xtask/src/main.rs` `xtask/no.rs` `a::b` `cargo run -o a/b` `NO.md`";
        assert_eq!(messages("ARCHITECTURE.md", text), ["`xtask/no.rs` does not exist", "`NO.md` does not exist"]);
        assert_eq!(messages("README.md", text), Vec::<String>::new());
    }

    #[test]
    fn further_paths_of_a_line_may_start_at_its_first() {
        let found = |text| messages("ARCHITECTURE.md", text);
        assert_eq!(found("`xtask/src/` `tidy/links.rs` `no.rs`"), ["`no.rs` does not exist"]);
        assert_eq!(found("`xtask/src/main.rs` `ci.rs`"), Vec::<String>::new());
        assert_eq!(found("`ci.rs`"), ["`ci.rs` does not exist"]);
    }
}
