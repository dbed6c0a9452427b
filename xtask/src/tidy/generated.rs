//! Generated pages: each must equal the current output of its generator.
//!
//! [`GENERATED`] is the list. A page that does not exist is not checked: writing it once enables its row. `cargo xtask bless` rewrites all
//! existing pages.

use std::path::PathBuf;
use std::process::Command;

use super::Finding;
use crate::programs::{Profile, Program, build};
use xtask_setup::workspace::{output, root};

/// A page and the program that prints it.
pub(crate) struct Page {
    /// From the workspace root.
    pub(crate) file: &'static str,
    generator: Program,
    arguments: &'static [&'static str],
}

/// All generated pages.
pub(crate) const GENERATED: &[Page] = &[
    Page { file: "docs/passes.md", generator: Program::Binary("reconverge"), arguments: &["passes", "--markdown"] },
    Page { file: "docs/opencl-std.md", generator: Program::Example("opencl_std"), arguments: &[] },
    Page { file: "docs/ops.md", generator: Program::Example("ops"), arguments: &[] },
    Page { file: "docs/rules.md", generator: Program::Example("rules"), arguments: &[] },
];

impl Page {
    /// The path of the page.
    pub(crate) fn path(&self) -> PathBuf {
        root().join(self.file)
    }

    /// True if the page is in the tree.
    pub(crate) fn is_present(&self) -> bool {
        self.path().is_file()
    }
}

/// The contents that the page should have.
pub(crate) fn generate(page: &Page) -> Result<String, String> {
    let program = build(page.generator, Profile::Tests)?;
    output(Command::new(program).current_dir(root()).args(page.arguments))
}

/// Compares every page that is there with its generator.
pub(super) fn check() -> Vec<Finding> {
    let present = GENERATED.iter().filter(|page| page.is_present());
    present.filter_map(|page| compare(page).err()).collect()
}

fn compare(page: &Page) -> Result<(), Finding> {
    let written =
        std::fs::read_to_string(page.path()).map_err(|error| Finding::error(page.file, 1, error.to_string()))?;
    let wanted = generate(page).map_err(|error| Finding::error(page.file, 1, error))?;
    match first_difference(&written, &wanted) {
        None => Ok(()),
        Some(line) => Err(Finding::error(page.file, line, "stale: `cargo xtask bless` regenerates it")),
    }
}

fn first_difference(written: &str, wanted: &str) -> Option<usize> {
    if written == wanted {
        return None;
    }
    let same = written.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_found_at_its_line() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
        assert_eq!(first_difference("a", "a\n"), Some(2));
    }
}
