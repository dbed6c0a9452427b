//! `cargo xtask test`: setup, the tests of the workspace, the documentation examples, the kernels of `tests/kernels` on every engine,
//! and the examples of host programs.

use crate::workspace::{cargo, run};
use crate::{hosts, kernels, setup};

/// What `cargo xtask test` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the long sets too (sets RECONVERGE_DEEP=1, and runs ignored tests)
    #[arg(long)]
    deep: bool,
    /// Passed to the test runner as it stands; documentation examples are then left out
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    runner: Vec<String>,
}

/// Runs the tests. A tool that `setup` could not install is not a reason to stop: the tests that need
/// it fail with the command that installs it, and all others are still worth running.
pub(crate) fn test(arguments: &Arguments) -> Result<(), String> {
    eprintln!(
        "test: 1. tools that the tests need  2. unit and integration tests  3. documentation examples  4. kernels  5. host programs"
    );
    if let Err(missing) = setup::setup() {
        eprintln!("test: {missing}; going on without");
    }
    let mut words = match setup::is_nextest_present() {
        true => vec!["nextest", "run"],
        false => vec!["test"],
    };
    // Tests that are too long for every day are ignored, so that a run says that it left them out.
    let with_ignored: &[&str] = match (arguments.deep, setup::is_nextest_present()) {
        (false, _) => &[],
        (true, true) => &["--run-ignored", "all"],
        (true, false) => &["--", "--include-ignored"],
    };
    let selects_package = |word: &String| ["-p", "--package"].iter().any(|flag| word.starts_with(flag));
    if !arguments.runner.iter().any(selects_package) {
        words.push("--workspace");
    }
    // Examples are built by clippy; as programs they would take a fifth of the disk.
    if arguments.runner.is_empty() {
        words.extend(["--lib", "--bins", "--tests"]);
    }
    let mut tests = cargo(words);
    tests.args(&arguments.runner).args(with_ignored);
    let mut examples = cargo(["test", "--quiet", "--doc", "--workspace"]);
    if arguments.deep {
        tests.env("RECONVERGE_DEEP", "1");
        examples.env("RECONVERGE_DEEP", "1");
    }
    let tested = run(&mut tests);
    if !arguments.runner.is_empty() {
        return tested;
    }
    let outcomes = [tested, run(&mut examples), kernels::of_project(), hosts::hosts()];
    outcomes.into_iter().collect()
}
