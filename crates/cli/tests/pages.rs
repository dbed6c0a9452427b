//! The pages of the diagnoses show what is said of their first example: exactly what the command says.

use std::fs;
use std::path::Path;

use crate::common::Scratch;

/// What stands in the first block of code of a language behind a place, and where it ends.
fn block<'a>(page: &'a str, language: &str) -> Option<(&'a str, usize)> {
    let fence = format!("```{language}\n");
    let start = page.find(&fence)? + fence.len();
    let length = page[start..].find("```")?;
    Some((&page[start..start + length], start + length))
}

#[test]
fn what_a_page_shows_is_what_is_said() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics");
    let mut shown = 0;
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| !path.ends_with("README.md")) {
        let code = path.file_stem().unwrap().to_str().unwrap();
        let page = fs::read_to_string(path).unwrap();
        let (example, end) = block(&page, "ir").unwrap();
        let behind = page[end..].split("## Not reported").next().unwrap();
        let Some((expected, _)) = block(behind, "text") else { continue };
        let scratch = Scratch::new();
        scratch.file("example.ir", example);
        let ran = scratch.run(&["check", "example.ir", "--warn", code]).ended(0);
        assert_eq!(ran.stderr().trim_end(), expected.trim_end(), "{code}");
        shown += 1;
    }
    assert!(shown >= 11, "{shown} pages show what is said");
}
