//! Sizes: a function is counted from its `fn` to its closing brace, a file by its lines.
//!
//! The syntax tree gives the lines, so strings and comments do not affect the count. Functions that a macro declares in its body are tokens
//! in the tree and count only for the file. `xtask/tidy-exempt.txt` lists what may be larger, each row with its reason; a row that exempts
//! nothing is an error, so the list stays current.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::Finding;
use super::source::{File, Source};
use xtask_setup::workspace::root;

const EXEMPT: &str = "xtask/tidy-exempt.txt";

/// A soft and a hard limit.
struct Limit {
    rule: usize,
    hard: usize,
}

const FUNCTION: Limit = Limit { rule: 60, hard: 100 };
const FILE: Limit = Limit { rule: 500, hard: 800 };

/// A thing of `lines` lines: a file (`path`) or a function (`path::name`).
struct Measured {
    path: String,
    name: Option<String>,
    line: usize,
    lines: usize,
}

/// Measures every function and file in Rust.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let measured: Vec<Measured> = source.files().iter().flat_map(measure).collect();
    let text = std::fs::read_to_string(root().join(EXEMPT)).unwrap_or_default();
    judge(&measured, &text)
}

fn measure(file: &File) -> Vec<Measured> {
    let Some(syntax) = &file.syntax else { return Vec::new() };
    let mut functions = Functions { path: &file.path, found: Vec::new() };
    functions.visit_file(syntax);
    let mut found = functions.found;
    found.push(Measured { path: file.path.clone(), name: None, line: 1, lines: file.text.lines().count() });
    found
}

fn judge(measured: &[Measured], exempt: &str) -> Vec<Finding> {
    let mut rows: Vec<(usize, &str, bool)> = Vec::new();
    let mut findings = Vec::new();
    for (index, line) in exempt.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(" | ") {
            Some((what, reason)) if !reason.trim().is_empty() => rows.push((index + 1, what.trim(), false)),
            _ => findings.push(Finding::error(EXEMPT, index + 1, "a row is `path or path::function | reason`")),
        }
    }
    for thing in measured {
        let (limit, kind) = match &thing.name {
            Some(name) => (FUNCTION, format!("function `{name}`")),
            None => (FILE, "file".to_owned()),
        };
        if thing.lines <= limit.rule {
            continue;
        }
        let full_name = thing.name.as_ref().map_or(thing.path.clone(), |name| format!("{}::{name}", thing.path));
        if let Some(row) = rows.iter_mut().find(|(_, what, _)| *what == full_name) {
            row.2 = true;
            continue;
        }
        let lines = thing.lines;
        findings.push(match lines > limit.hard {
            true => Finding::error(
                &thing.path,
                thing.line,
                format!("{kind} has {lines} lines; the limit is {}", limit.hard),
            ),
            false => {
                Finding::warning(&thing.path, thing.line, format!("{kind} has {lines} lines; aim for {}", limit.rule))
            }
        });
    }
    let idle = rows.iter().filter(|(_, _, is_used)| !is_used);
    findings.extend(idle.map(|(line, what, _)| Finding::error(EXEMPT, *line, format!("`{what}` needs no exemption"))));
    findings
}

struct Functions<'a> {
    path: &'a str,
    found: Vec<Measured>,
}

impl Functions<'_> {
    fn record(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.fn_token.span().start().line;
        let last = block.brace_token.span.close().end().line;
        self.found.push(Measured {
            path: self.path.to_owned(),
            name: Some(signature.ident.to_string()),
            line: first,
            lines: last + 1 - first,
        });
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.record(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.record(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.record(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Severity;
    use super::*;

    fn file(text: &str) -> File {
        File { path: "a.rs".to_owned(), text: text.to_owned(), syntax: Some(syn::parse_file(text).unwrap()) }
    }

    fn function_of(lines: usize) -> Vec<Measured> {
        let body = "    let _ = \"}\";\n".repeat(lines - 2);
        measure(&file(&format!("/// Documented.\n#[test]\nfn long() {{\n{body}}}\n")))
    }

    #[test]
    fn functions_are_measured_without_their_documentation() {
        let measured =
            measure(&file("struct A;\nimpl A {\n    /// One.\n    pub fn one() {\n    }\n}\ntrait B { fn two(); }\n"));
        let sizes: Vec<_> = measured.iter().map(|thing| (thing.name.as_deref(), thing.line, thing.lines)).collect();
        assert_eq!(sizes, [(Some("one"), 4, 2), (None, 1, 7)]);
    }

    #[test]
    fn limits_fire_just_past_their_number() {
        let severities = |lines| -> Vec<Severity> {
            judge(&function_of(lines), "").into_iter().map(|finding| finding.severity).collect()
        };
        assert_eq!(severities(60), []);
        assert_eq!(severities(61), [Severity::Warning]);
        assert_eq!(severities(100), [Severity::Warning]);
        assert_eq!(severities(101), [Severity::Error]);
    }

    #[test]
    fn exemptions_need_a_reason_and_a_use() {
        assert_eq!(judge(&function_of(101), "# comment\na.rs::long | a table\n"), []);
        assert_eq!(judge(&function_of(3), "a.rs::long | a table\n")[0].message, "`a.rs::long` needs no exemption");
        assert_eq!(judge(&function_of(101), "a.rs::long\n").len(), 2);
    }
}
