//! Tests that run: a file in `tests/` is compiled only if `tests/main.rs` names it as a module.

use super::Finding;
use super::source::{File, Source};

/// Checks every crate that lists its tests itself.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let lists = source.files().iter().filter(|file| file.path.ends_with("/tests/main.rs"));
    lists.flat_map(|list| missing(list, source)).collect()
}

/// The files and folders beside a list that it does not name.
fn missing(list: &File, source: &Source) -> Vec<Finding> {
    let folder = list.path.strip_suffix("main.rs").unwrap_or_default();
    let beside = source.files().iter().filter_map(|file| file.path.strip_prefix(folder));
    let mut names: Vec<&str> = beside.filter_map(module).filter(|name| *name != "main").collect();
    names.dedup();
    let is_named = |name: &&str| list.text.lines().any(|line| line == format!("mod {name};"));
    names.retain(|name| !is_named(name));
    names
        .into_iter()
        .map(|name| Finding::error(&list.path, 1, format!("`mod {name};` is missing: its tests do not run")))
        .collect()
}

/// `a` for `a.rs` and for `a/mod.rs`; a folder without `mod.rs` belongs to the file of its name.
fn module(path: &str) -> Option<&str> {
    match path.split_once('/') {
        None => path.strip_suffix(".rs"),
        Some((folder, "mod.rs")) => Some(folder),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_beside_the_list_is_named() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned(), syntax: None };
        let files = [
            file("crates/a/tests/b.rs", ""),
            file("crates/a/tests/c/mod.rs", ""),
            file("crates/a/tests/d.rs", ""),
            file("crates/a/tests/d/part.rs", ""),
            file("crates/a/tests/main.rs", "mod d;\n"),
            file("crates/e/tests/f.rs", ""),
        ];
        let findings = check(&Source::of(files.into()));
        let missing = |name| {
            Finding::error("crates/a/tests/main.rs", 1, format!("`mod {name};` is missing: its tests do not run"))
        };
        assert_eq!(findings, [missing("b"), missing("c")]);
    }
}
