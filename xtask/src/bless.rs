//! `cargo xtask bless [path]`: makes the current results the expectations.
//!
//! Runs the filetest runner (test `filetests` of `reconverge-testing`) with `RECONVERGE_BLESS=1`;
//! a path goes to it in `RECONVERGE_FILETESTS`. Without a path the generated pages are written
//! too. Read the difference before you commit it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tidy::generated::{GENERATED, generate};
use crate::tidy::packages::readmes;
use xtask_setup::workspace::{PROFILE, cargo, root, run};

pub(crate) fn bless(path: Option<&Path>) -> Result<(), String> {
    let package = ["--package", "reconverge-testing", "--test", "tests"];
    let mut runner = cargo(["test", "--quiet", "--profile", PROFILE].iter().chain(&package));
    runner.args(["--"]).args(["filetests::", "--skip", "lanes_filetests::"]);
    runner.env("RECONVERGE_BLESS", "1");
    if let Some(path) = path {
        runner.env("RECONVERGE_FILETESTS", resolve(path)?);
    }
    run(&mut runner)?;
    if path.is_none() {
        for page in GENERATED.iter().filter(|page| page.is_present()) {
            fs::write(page.path(), generate(page)?).map_err(|error| format!("{}: {error}", page.file))?;
        }
        for readme in readmes()? {
            fs::write(root().join(&readme.file), readme.text).map_err(|error| format!("{}: {error}", readme.file))?;
        }
    }
    Ok(())
}

fn resolve(path: &Path) -> Result<PathBuf, String> {
    [PathBuf::new(), root().join("tests/filetests"), root().to_owned()]
        .iter()
        .find_map(|base| base.join(path).canonicalize().ok())
        .ok_or_else(|| format!("{}: neither here, nor below tests/filetests", path.display()))
}
