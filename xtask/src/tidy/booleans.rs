//! Boolean parameters: a call says nothing about `true` and `false`, so a parameter with two values is an enum, or there are two functions.
//!
//! `xtask/tidy-booleans.txt` lists the functions whose parameter is a boolean by its meaning, each with the reason; a row for a function
//! without one is an error, so the list stays current. Of other functions there are at most [`MOST`], which only decreases. Tests,
//! closures and implementations of traits are free: the trait chooses the signature.

use syn::visit::{self, Visit};

use super::Finding;
use super::source::{File, Source};
use xtask_setup::workspace::root;

const LISTED: &str = "xtask/tidy-booleans.txt";

/// The maximal number of functions that are not listed.
const MOST: usize = 0;

/// A function with a boolean parameter, as `path::name`.
struct Found {
    name: String,
    line: usize,
}

/// Looks at every function of the workspace.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let found: Vec<Found> = source.files().iter().flat_map(functions).collect();
    let text = std::fs::read_to_string(root().join(LISTED)).unwrap_or_default();
    judge(&found, &text, MOST)
}

fn judge(found: &[Found], listed: &str, most: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for (index, line) in listed.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let (what, reason) = line.split_once(" | ").unwrap_or((line, ""));
        if reason.trim().is_empty() {
            findings.push(Finding::error(LISTED, index + 1, "a row is `path::function | reason`"));
        }
        if found.iter().all(|function| function.name != what) {
            findings.push(Finding::error(LISTED, index + 1, format!("`{what}` has no boolean parameter")));
        }
        rows.push(what);
    }
    let others: Vec<&Found> = found.iter().filter(|function| !rows.contains(&function.name.as_str())).collect();
    if others.len() > most {
        findings.extend(others.iter().map(|Found { name, line }| {
            let path = name.split("::").next().unwrap_or_default();
            let message = format!("`{name}` has a boolean parameter; make it an enum or two functions");
            Finding::warning(path, *line, message)
        }));
        let message = format!("{} functions have boolean parameters and no row; at most {most} may", others.len());
        findings.push(Finding::error(LISTED, 1, message));
    }
    findings
}

/// The functions of a file that have a boolean parameter.
fn functions(file: &File) -> Vec<Found> {
    let is_test = file.path.contains("/tests/") || file.path.ends_with("/tests.rs");
    let Some(syntax) = file.syntax.as_ref().filter(|_| !is_test) else { return Vec::new() };
    let mut functions = Functions { path: &file.path, found: Vec::new() };
    functions.visit_file(syntax);
    functions.found
}

struct Functions<'a> {
    path: &'a str,
    found: Vec<Found>,
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        let is_bool = |input: &syn::FnArg| match input {
            syn::FnArg::Typed(parameter) => {
                matches!(&*parameter.ty, syn::Type::Path(path) if path.path.is_ident("bool"))
            }
            syn::FnArg::Receiver(_) => false,
        };
        if signature.inputs.iter().any(is_bool) {
            let name = format!("{}::{}", self.path, signature.ident);
            self.found.push(Found { name, line: signature.fn_token.span.start().line });
        }
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let is_test = |attribute: &syn::Attribute| match &attribute.meta {
            syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
            _ => false,
        };
        if !module.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        if block.trait_.is_none() {
            visit::visit_item_impl(self, block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let file =
            File { path: "a.rs".to_owned(), text: text.to_owned(), syntax: Some(syn::parse_file(text).unwrap()) };
        functions(&file).into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn parameters_of_functions_and_methods_count() {
        let text = "fn one(a: u32, b: bool) {}\nfn two() -> bool { let f = |x: bool| x; f(true) }\nstruct S { b: bool }\n\
                    impl S { fn three(&self, b: bool) {} }\nimpl From<bool> for S { fn from(b: bool) -> S { S { b } } }\n\
                    trait T { fn four(b: bool); }\n#[cfg(test)]\nmod tests { fn five(b: bool) {} }\n";
        assert_eq!(names(text), ["a.rs::one", "a.rs::three", "a.rs::four"]);
    }

    #[test]
    fn rows_need_a_reason_and_a_use() {
        let found = [Found { name: "a.rs::one".to_owned(), line: 3 }];
        let messages = |listed: &str, most: usize| -> Vec<String> {
            judge(&found, listed, most).into_iter().map(|finding| finding.message).collect()
        };
        assert_eq!(messages("# comment\na.rs::one | a value\n", 0), Vec::<String>::new());
        assert_eq!(messages("a.rs::one\n", 0), ["a row is `path::function | reason`"]);
        assert_eq!(messages("a.rs::two | a value\n", 1), ["`a.rs::two` has no boolean parameter"]);
        assert_eq!(messages("", 1), Vec::<String>::new());
        assert_eq!(messages("", 0).len(), 2);
    }
}
