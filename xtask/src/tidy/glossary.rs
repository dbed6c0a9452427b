//! Glossary: no public name contains a word that the last column of GLOSSARY.md excludes.
//!
//! Words in backticks there are checked, separated by `;`, the rest is for readers:
//!
//! - `word` must not be a word of a name (`BlockNode` and `block_node` both contain `node`);
//! - `two_words` must not be adjacent;
//! - `word_` must not begin the name of a function;
//! - the text after the backticks may end in `outside a, b`: in those crates the word is allowed.
//!
//! Checked are `pub` functions, types, traits, constants, modules, fields and variants of `crates/`.

use syn::visit::{self, Visit};
use syn::{Ident, Visibility};

use super::Finding;
use super::markdown::{code_spans, table};
use super::source::{File, Source};

const GLOSSARY: &str = "GLOSSARY.md";

/// A word that is ruled out, and the term that takes its place.
struct Ban<'a> {
    words: Vec<&'a str>,
    opens_function: bool,
    fine_in: Vec<&'a str>,
    instead: &'a str,
}

/// Checks every Rust file of the crates' libraries.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let Some(page) = source.file(GLOSSARY) else {
        return vec![Finding::error(GLOSSARY, 1, "the page is missing")];
    };
    let bans = bans(&page.text);
    if bans.is_empty() {
        return vec![Finding::error(GLOSSARY, 1, "no table with the headings `Use`, `Means`, `Not`")];
    }
    let is_checked = |file: &&File| file.path.starts_with("crates/") && file.path.contains("/src/");
    source.files().iter().filter(is_checked).flat_map(|file| check_file(file, &bans)).collect()
}

fn bans(page: &str) -> Vec<Ban<'_>> {
    let rows = table(page, "Use").into_iter();
    rows.flat_map(|(_, row)| row[2].split(';').filter_map(move |entry| ban(row[0], entry))).collect()
}

fn ban<'a>(instead: &'a str, entry: &'a str) -> Option<Ban<'a>> {
    let word = code_spans(entry).next()?;
    let fine_in = entry.rsplit_once("outside ").map(|(_, crates)| crates.split(',').map(str::trim).collect());
    Some(Ban {
        words: word.trim_end_matches('_').split('_').collect(),
        opens_function: word.ends_with('_'),
        fine_in: fine_in.unwrap_or_default(),
        instead,
    })
}

fn check_file(file: &File, bans: &[Ban<'_>]) -> Vec<Finding> {
    let Some(syntax) = &file.syntax else { return Vec::new() };
    let mut names = Names::default();
    names.visit_file(syntax);
    let mut findings = Vec::new();
    for (ident, kind) in names.found {
        let words = words(&ident.to_string());
        let is_hit = |ban: &&Ban<'_>| !ban.fine_in.contains(&file.crate_name()) && ban.hits(&words, kind);
        if let Some(ban) = bans.iter().find(is_hit) {
            let message = format!("`{ident}` says `{}`; the glossary's term is: {}", ban.words.join("_"), ban.instead);
            findings.push(Finding::error(&file.path, ident.span().start().line, message));
        }
    }
    findings
}

impl Ban<'_> {
    fn hits(&self, words: &[String], kind: NameKind) -> bool {
        match self.opens_function {
            true => {
                kind == NameKind::Function
                    && words.starts_with(&self.words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
            }
            false => words.windows(self.words.len()).any(|window| window == self.words),
        }
    }
}

/// The words of a name in snake or camel case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase() || letter.is_ascii_digit();
        if let (true, Some(word)) = (letter != '_', words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The kind of item that a name is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Function,
    Other,
}

/// Public names, each with its kind.
#[derive(Default)]
struct Names {
    found: Vec<(Ident, NameKind)>,
}

impl Names {
    fn record(&mut self, visibility: &Visibility, ident: &Ident, kind: NameKind) {
        if matches!(visibility, Visibility::Public(_)) {
            self.found.push((ident.clone(), kind));
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.record(&item.vis, &item.sig.ident, NameKind::Function);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.record(&item.vis, &item.sig.ident, NameKind::Function);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.record(&item.vis, &item.ident, NameKind::Other);
        visit::visit_item_struct(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(ident) = &field.ident {
            self.record(&field.vis, ident, NameKind::Other);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.record(&item.vis, &item.ident, NameKind::Other);
        for variant in &item.variants {
            self.record(&item.vis, &variant.ident, NameKind::Other);
        }
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.record(&item.vis, &item.ident, NameKind::Other);
        for member in &item.items {
            if let syn::TraitItem::Fn(function) = member {
                self.record(&item.vis, &function.sig.ident, NameKind::Function);
            }
        }
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.record(&item.vis, &item.ident, NameKind::Other);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.record(&item.vis, &item.ident, NameKind::Other);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.record(&item.vis, &item.ident, NameKind::Other);
        visit::visit_item_mod(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
| Use | Means | Not |
|---|---|---|
| block | straight-line code | basic block; `bb`; `node` outside graph, structurize |
| x() | a query | `get_`; `util` |
| rpo | an order | `topological_order` |
";

    fn messages(path: &str, text: &str) -> Vec<String> {
        let file = File { path: path.to_owned(), text: text.to_owned(), syntax: Some(syn::parse_file(text).unwrap()) };
        check_file(&file, &bans(PAGE)).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn words_come_from_both_cases() {
        assert_eq!(words("BlockNode_of2ndHTTPKind"), ["block", "node", "of2nd", "httpkind"]);
        assert_eq!(words("MAX_COST"), ["max", "cost"]);
    }

    #[test]
    fn banned_words_are_found_in_every_kind_of_public_name() {
        let hits = |text| messages("crates/ir/src/a.rs", text).len();
        assert_eq!(hits("pub fn get_block() {}"), 1);
        assert_eq!(hits("pub struct Bb { pub node: u32 }"), 2);
        assert_eq!(hits("pub enum A { Node }"), 1);
        assert_eq!(hits("pub trait A { fn get_it(); }"), 1);
        assert_eq!(hits("pub mod util { pub const NODE_COUNT: u32 = 1; }"), 2);
        assert_eq!(hits("impl A { pub fn a_topological_order_b() {} }"), 1);
    }

    #[test]
    fn what_is_private_or_only_similar_passes() {
        let hits = |path, text| messages(path, text).len();
        assert_eq!(hits("crates/ir/src/a.rs", "fn get_block() {} pub(crate) struct Node;"), 0);
        assert_eq!(hits("crates/ir/src/a.rs", "pub fn target() {} pub struct Get; pub fn forget_it() {}"), 0);
        assert_eq!(hits("crates/ir/src/a.rs", "pub fn topological() { struct Node; } pub fn order() {}"), 0);
        assert_eq!(hits("crates/graph/src/a.rs", "pub struct Node;"), 0);
    }

    #[test]
    fn a_finding_names_the_term_to_use() {
        let found = messages("crates/ir/src/a.rs", "pub struct Node;");
        assert_eq!(found, ["`Node` says `node`; the glossary's term is: block"]);
    }
}
