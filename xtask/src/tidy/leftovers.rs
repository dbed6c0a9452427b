//! Leftovers: notes, unfinished code, lints silenced without a reason.

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::Finding;
use super::source::{File, Source};

/// Words for which an issue is the place. Spelled apart, for this file is checked too.
const NOTES: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// Checks every Rust file.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    source.files().iter().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<Finding> {
    let Some(syntax) = &file.syntax else { return Vec::new() };
    let mut leftovers = Leftovers { path: &file.path, findings: Vec::new() };
    leftovers.visit_file(syntax);
    let mut findings = leftovers.findings;
    for (index, line) in file.text.lines().enumerate() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if let Some(note) = words.find(|word| NOTES.contains(word)) {
            findings.push(Finding::error(&file.path, index + 1, format!("`{note}`: write an issue, or do it")));
        }
    }
    findings
}

struct Leftovers<'a> {
    path: &'a str,
    findings: Vec<Finding>,
}

impl<'ast> Visit<'ast> for Leftovers<'_> {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if ["todo", "unimplemented"].contains(&name.as_str()) {
            let line = call.span().start().line;
            self.findings.push(Finding::error(self.path, line, format!("`{name}!`: unfinished code")));
        }
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let is_silencer = attribute.path().is_ident("allow") || attribute.path().is_ident("expect");
        if let (true, syn::Meta::List(list)) = (is_silencer, &attribute.meta)
            && !has_reason(&list.tokens)
        {
            let line = attribute.span().start().line;
            self.findings.push(Finding::error(self.path, line, "a lint is silenced without `reason = \"...\"`"));
        }
    }
}

fn has_reason(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "reason"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        let syntax = Some(syn::parse_file(text).unwrap());
        let findings = check_file(&File { path: "a.rs".to_owned(), text: text.to_owned(), syntax });
        findings.into_iter().map(|finding| format!("{}: {}", finding.line, finding.message)).collect()
    }

    #[test]
    fn each_leftover_is_found_at_its_line() {
        let note = NOTES[0];
        assert_eq!(messages(&format!("// a\n// {note}: b\n")), [format!("2: `{note}`: write an issue, or do it")]);
        assert_eq!(messages("fn a() {\n    todo!()\n}\n"), ["2: `todo!`: unfinished code"]);
        let silenced = "a lint is silenced without `reason = \"...\"`";
        assert_eq!(messages("\n#[allow(dead_code)]\nfn a() {}\n"), [format!("2: {silenced}")]);
        assert_eq!(messages("#![expect(dead_code)]\n"), [format!("1: {silenced}")]);
    }

    #[test]
    fn what_only_looks_like_one_is_left_alone() {
        let note = NOTES[0];
        let text =
            format!("#[expect(dead_code, reason = \"why\")]\nfn a{note}S() {{ expect(1); }}\n/// todo!\nfn b() {{}}\n");
        assert_eq!(messages(&text), Vec::<String>::new());
    }
}
