//! Packages: every library crate has a description and a README, both from the documentation of its `lib.rs`.
//!
//! ```text
//! //! Structurizer: converts any graph to a structured [`Plan`].      description = "Structurizer: converts any graph to a structured Plan"
//! //!                                                            ⇒
//! //! The crate has no instructions, values or IR.                    README.md: that sentence, where examples are, the whole
//! ```
//!
//! `cargo xtask bless` writes the READMEs.

use std::fs;

use super::Finding;
use super::source::Source;
use xtask_setup::workspace::root;

const LIBRARY: &str = "/src/lib.rs";

/// The README of a crate.
pub(crate) struct Readme {
    /// From the workspace root.
    pub(crate) file: String,
    /// The contents that it should have.
    pub(crate) text: String,
}

/// The READMEs of all library crates.
pub(crate) fn readmes() -> Result<Vec<Readme>, String> {
    let source = Source::read()?;
    Ok(libraries(&source).map(|(folder, text)| readme_of(folder, text)).collect())
}

/// Compares descriptions and READMEs with the documentation of the crates.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (folder, text) in libraries(source) {
        let Readme { file, text: expected } = readme_of(folder, text);
        if fs::read_to_string(root().join(&file)).ok().as_deref() != Some(&*expected) {
            findings.push(Finding::error(&file, 1, "stale or missing: `cargo xtask bless` writes it"));
        }
        let manifest = format!("{folder}/Cargo.toml");
        let line = format!("description = {:?}", description(text));
        let has_line = fs::read_to_string(root().join(&manifest)).is_ok_and(|text| text.lines().any(|own| own == line));
        if !has_line {
            findings.push(Finding::error(&manifest, 1, format!("the first sentence of lib.rs is no `{line}` here")));
        }
    }
    findings
}

/// The library crates: their folders, and their `lib.rs`.
fn libraries(source: &Source) -> impl Iterator<Item = (&str, &str)> {
    let files = source.files().iter().filter(|file| file.path.starts_with("crates/"));
    files.filter_map(|file| Some((file.path.strip_suffix(LIBRARY)?, file.text.as_str())))
}

fn readme_of(folder: &str, text: &str) -> Readme {
    let name = package_of(folder);
    let examples = match root().join(folder).join("examples").is_dir() {
        true => "Programs to run are in the folder `examples` of the crate; the documentation has more",
        false => "Examples are in the documentation",
    };
    let text = format!(
        "# {name}\n\n{}\n\n{examples} (`cargo doc -p {name} --open`).\n\nThe crate is a part of Reconverge, a compiler for GPUs. \
         The crate `reconverge` combines the parts.\n",
        first_paragraph(text)
    );
    Readme { file: format!("{folder}/README.md"), text }
}

fn package_of(folder: &str) -> String {
    match folder.trim_start_matches("crates/") {
        "reconverge" => "reconverge".to_owned(),
        name => format!("reconverge-{name}"),
    }
}

/// The first paragraph of the documentation of a file, on one line, without the brackets of links.
fn first_paragraph(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(str::trim).take_while(|line| !line.is_empty()).collect();
    lines.join(" ").replace("[`", "`").replace("`]", "`")
}

/// The first sentence of the documentation of a file, as plain text without its full stop.
fn description(text: &str) -> String {
    let paragraph = first_paragraph(text).replace('`', "");
    let sentence = paragraph.split_once(". ").map_or(paragraph.as_str(), |(sentence, _)| sentence);
    sentence.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIB: &str = "//! Converts a graph to a [`Plan`].\n//! It is `small`.\n//!\n//! More.\nmod a;\n";

    #[test]
    fn the_first_paragraph_becomes_the_readme_and_its_first_sentence_the_description() {
        assert_eq!(first_paragraph(LIB), "Converts a graph to a `Plan`. It is `small`.");
        assert_eq!(description(LIB), "Converts a graph to a Plan");
        let Readme { file, text } = readme_of("crates/no-such-crate", LIB);
        assert_eq!(file, "crates/no-such-crate/README.md");
        assert!(
            text.starts_with("# reconverge-no-such-crate\n\nConverts a graph to a `Plan`. It is `small`.\n\nExamples")
        );
    }

    #[test]
    fn the_facade_has_the_name_of_the_project() {
        assert_eq!(package_of("crates/reconverge"), "reconverge");
        assert_eq!(package_of("crates/lanes-cpu"), "reconverge-lanes-cpu");
    }
}
