//! `cargo xtask tidy`: project rules that no compiler checks, one file per rule.
//!
//! | check | rule |
//! |---|---|
//! | [`layers`] | a crate names only what the layers table of ARCHITECTURE.md grants it; each dependency has its reason |
//! | [`modules`] | a module of a layered crate uses only the modules before it in the table of `lib.rs` |
//! | [`booleans`] | no boolean parameters, exemptions by list |
//! | [`sizes`] | functions ≤ 60 lines (hard 100), files ≤ 500 (hard 800), exemptions by list |
//! | [`glossary`] | no public name contains a word that GLOSSARY.md excludes |
//! | [`leftovers`] | no notes, no unfinished code, no `allow` without a reason |
//! | [`links`] | relative links and the paths in ARCHITECTURE.md exist |
//! | [`listed_tests`] | every file of tests is a module of its crate's `tests/main.rs` |
//! | [`generated`] | generated pages are up to date |
//! | [`packages`] | library crates have descriptions and READMEs, from their documentation |
//! | [`spans`] | what a page puts between backticks exists |
//! | [`statements`] | at most 4 in 100 paragraphs of a crate's documentation are a clause without a statement |
//! | [`words`] | comments and pages use no words of a short list |
//!
//! All findings are collected. Those beyond a hard limit or against a rule are errors, those beyond a soft limit warnings.

use std::fmt;

use source::Source;

mod booleans;
pub(crate) mod generated;
mod glossary;
mod layers;
mod leftovers;
mod links;
mod listed_tests;
mod markdown;
mod modules;
pub(crate) mod packages;
mod sizes;
mod source;
mod spans;
mod statements;
mod words;

/// Something that a check found.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    severity: Severity,
    path: String,
    line: usize,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Warning,
    Error,
}

impl Finding {
    fn error(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Error, path: path.to_owned(), line, message: message.into() }
    }

    fn warning(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(out, "{severity}: {}:{}: {}", self.path, self.line, self.message)
    }
}

/// Prints the figures of the measured rules, one line for each crate.
pub(crate) fn figures() -> Result<(), String> {
    for (name, figure) in statements::figures(&Source::read()?) {
        println!("{name}: clauses are {figure}");
    }
    Ok(())
}

/// Runs all checks, prints the findings (errors last) and fails if one is an error.
pub(crate) fn tidy() -> Result<(), String> {
    let source = Source::read()?;
    let mut findings = Vec::new();
    findings.extend(layers::check(&source)?);
    findings.extend(modules::check(&source));
    findings.extend(booleans::check(&source));
    findings.extend(sizes::check(&source));
    findings.extend(glossary::check(&source));
    findings.extend(leftovers::check(&source));
    findings.extend(links::check(&source));
    findings.extend(listed_tests::check(&source));
    findings.extend(generated::check());
    findings.extend(packages::check(&source));
    findings.extend(spans::check(&source)?);
    findings.extend(statements::check(&source));
    findings.extend(words::check(&source));
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    println!("tidy: {errors} errors, {} warnings in {} files", findings.len() - errors, source.files().len());
    match errors {
        0 => Ok(()),
        1 => Err("tidy found an error".to_owned()),
        _ => Err(format!("tidy found {errors} errors")),
    }
}
