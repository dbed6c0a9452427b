//! Modules as layers: in the crates of [`LAYERED`], a module uses only those before it in the table of its `lib.rs`.
//!
//! ```text
//! //! | module   | content |          mod memory          crate::value::Value   goes down
//! //! | `value`  | …       |                              crate::memory         its own
//! //! | `memory` | …       |                              crate::lanes::Lane    goes up: a finding
//! //! | `lanes`  | …       |
//! ```
//!
//! So the modules have no cycles. A path is found among the tokens of a file, in `use` declarations, expressions and macros alike. A name
//! that `lib.rs` re-exports counts as the module that declares it. Tests in a module may use any module.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Item, UseTree, Visibility};

use super::Finding;
use super::markdown::{code_spans, table};
use super::source::{File, Source};

/// The folders of the crates whose modules are layers.
const LAYERED: &[&str] = &["crates/interpret"];

/// Checks the modules of every layered crate.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    LAYERED.iter().flat_map(|folder| check_crate(source, folder)).collect()
}

fn check_crate(source: &Source, folder: &str) -> Vec<Finding> {
    let root = format!("{folder}/src/lib.rs");
    let Some(lib) = source.file(&root) else { return vec![Finding::error(&root, 1, "the file is missing")] };
    let documentation: Vec<&str> = lib.text.lines().map(|line| line.strip_prefix("//! ").unwrap_or("")).collect();
    let documentation = documentation.join("\n");
    let rows = table(&documentation, "module");
    let order: Vec<&str> = rows.iter().filter_map(|(_, row)| code_spans(row[0]).next()).collect();
    let declared = Declared::of(lib);
    let mut findings = differences(&root, &order, &declared.modules);
    let sources = format!("{folder}/src/");
    for file in source.files().iter().filter(|file| file.path != root) {
        let Some(inside) = file.path.strip_prefix(&sources) else { continue };
        let own = inside.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        let rank = order.iter().position(|&module| module == own);
        for Used { name, line } in used(file, inside) {
            let module = declared.exports.get(&name).unwrap_or(&name);
            let is_above = order.iter().position(|other| other == module) > rank;
            if is_above {
                findings.push(Finding::error(
                    &file.path,
                    line,
                    format!("`{own}` uses `{name}` of `{module}`, which comes after it in the table of lib.rs"),
                ));
            }
        }
    }
    findings
}

/// The modules that only one of the table and the declarations has.
fn differences(root: &str, order: &[&str], modules: &[String]) -> Vec<Finding> {
    let undeclared = order.iter().filter(|name| !modules.iter().any(|module| module == *name));
    let unlisted = modules.iter().map(String::as_str).filter(|module| !order.contains(module));
    let undeclared = undeclared.map(|name| Finding::error(root, 1, format!("there is no module `{name}`")));
    let unlisted =
        unlisted.map(|name| Finding::error(root, 1, format!("the table has no row for the module `{name}`")));
    undeclared.chain(unlisted).collect()
}

/// The modules of a crate, and for each re-exported name the module that it is from.
#[derive(Default)]
struct Declared {
    modules: Vec<String>,
    exports: BTreeMap<String, String>,
}

impl Declared {
    fn of(lib: &File) -> Declared {
        let mut declared = Declared::default();
        for item in lib.syntax.iter().flat_map(|syntax| &syntax.items) {
            match item {
                Item::Mod(module) if module.content.is_none() => declared.modules.push(module.ident.to_string()),
                Item::Use(used) if !matches!(used.vis, Visibility::Inherited) => {
                    if let UseTree::Path(path) = &used.tree {
                        declared.export(&path.ident.to_string(), &path.tree);
                    }
                }
                _ => {}
            }
        }
        declared
    }

    fn export(&mut self, module: &str, tree: &UseTree) {
        let mut open = vec![tree];
        while let Some(tree) = open.pop() {
            let name = match tree {
                UseTree::Path(path) => {
                    open.push(&path.tree);
                    continue;
                }
                UseTree::Group(group) => {
                    open.extend(&group.items);
                    continue;
                }
                UseTree::Name(name) => &name.ident,
                UseTree::Rename(rename) => &rename.rename,
                _ => continue,
            };
            self.exports.insert(name.to_string(), module.to_owned());
        }
    }
}

/// The name after `crate::`, or after as many `super::` as lead to the root of the crate.
struct Used {
    name: String,
    line: usize,
}

/// The names at the root of the crate that a file uses outside of its tests. `inside` is its path below `src`.
fn used(file: &File, inside: &str) -> Vec<Used> {
    let folders = inside.trim_end_matches("/mod.rs").split('/').count();
    let mut found = Vec::new();
    let mut open = vec![file.text.parse::<TokenStream>().unwrap_or_default()];
    while let Some(stream) = open.pop() {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if is_test_attribute(&tokens[at..]) {
                at += after_item(&tokens[at..]);
                continue;
            }
            let root = after_root(&tokens[at..], folders);
            if let Some(length) = root {
                at += length;
                found.extend(tokens.get(at).into_iter().flat_map(names));
            }
            if let Some(TokenTree::Group(group)) = tokens.get(at) {
                open.push(group.stream());
            }
            at += 1;
        }
    }
    found.sort_by_key(|used| used.line);
    found
}

/// The number of tokens of a path prefix that leads to the root of the crate, with its last `::`.
fn after_root(tokens: &[TokenTree], folders: usize) -> Option<usize> {
    /// A segment and the two colons after it.
    const SEGMENT: usize = 3;
    let segments = match tokens.first()? {
        TokenTree::Ident(ident) if ident == "crate" => 1,
        TokenTree::Ident(ident) if ident == "super" => folders,
        _ => return None,
    };
    let prefix = tokens.get(..segments * SEGMENT)?;
    let is_path = prefix.chunks(SEGMENT).all(|segment| {
        segment[0].to_string() == tokens[0].to_string() && segment[1..].iter().all(|colon| colon.to_string() == ":")
    });
    is_path.then_some(prefix.len())
}

/// The names that a token after the root stands for: itself, or the first of each path of a group.
fn names(token: &TokenTree) -> Vec<Used> {
    let used = |token: &TokenTree| Used { name: token.to_string(), line: token.span().start().line };
    match token {
        TokenTree::Ident(_) => vec![used(token)],
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            let paths = tokens.split(|token| token.to_string() == ",");
            paths.filter_map(<[TokenTree]>::first).map(used).collect()
        }
        _ => Vec::new(),
    }
}

fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(hash), TokenTree::Group(attribute), ..]
        if hash.as_char() == '#' && attribute.stream().to_string().replace(' ', "") == "cfg(test)")
}

/// The number of tokens up to the end of the item that they begin with: its braces or its semicolon.
fn after_item(tokens: &[TokenTree]) -> usize {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => token.to_string() == ";",
    };
    tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        let path = format!("crates/a/src/{path}");
        File { path, text: text.to_owned(), syntax: Some(syn::parse_file(text).unwrap()) }
    }

    fn findings(files: Vec<File>) -> Vec<(String, usize, String)> {
        let lib = "//! | module | content |\n//! |---|---|\n//! | `low` | x |\n//! | `high` | y |\n\
                   mod high;\nmod low;\npub use high::{deep::Exported as Name, Other};\n";
        let mut files = files;
        files.push(file("lib.rs", lib));
        let found = check_crate(&Source::of(files), "crates/a");
        found.into_iter().map(|finding| (finding.path, finding.line, finding.message)).collect()
    }

    #[test]
    fn a_module_uses_only_those_before_it() {
        let low =
            "use crate::low::x;\nuse crate::{low, high::y};\nfn f() { g!(crate::Name); super::super::high::z() }\n";
        let found =
            findings(vec![file("low/mod.rs", ""), file("low/part.rs", low), file("high.rs", "use crate::low;")]);
        let message = |name| format!("`low` uses `{name}` of `high`, which comes after it in the table of lib.rs");
        let expected = [(2, message("high")), (3, message("high")), (3, message("Name"))];
        assert_eq!(found, expected.map(|(line, message)| ("crates/a/src/low/part.rs".to_owned(), line, message)));
    }

    #[test]
    fn tests_documentation_and_other_crates_are_free() {
        let text = "/// [`crate::high`]\nuse other::high;\n#[cfg(test)]\nmod tests { use crate::high; }\n";
        assert_eq!(findings(vec![file("low.rs", text)]), []);
    }

    #[test]
    fn the_table_lists_the_modules() {
        let message = |findings: Vec<Finding>| findings.into_iter().map(|finding| finding.message).collect::<Vec<_>>();
        let modules = ["low".to_owned(), "new".to_owned()];
        let found = message(differences("lib.rs", &["low", "old"], &modules));
        assert_eq!(found, ["there is no module `old`", "the table has no row for the module `new`"]);
    }
}
