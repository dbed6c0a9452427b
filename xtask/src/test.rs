//! `cargo xtask test`: setup, the tests of the workspace, the documentation examples, the kernels of `tests/kernels` on every engine,
//! and the examples of host programs.
//!
//! A stage runs also if one before it failed. The last output is a summary: each stage, and the names of what failed in it.

use crate::{hosts, kernels};
use xtask_setup::tools;
use xtask_setup::workspace::{PROFILE, cargo};

mod names;

/// The arguments of `cargo xtask test`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the long sets too (sets RECONVERGE_DEEP=1, and runs ignored tests)
    #[arg(long)]
    deep: bool,
    /// Passed to the test runner as it stands; documentation examples are then left out
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    runner: Vec<String>,
}

/// A part of the tests, and what came of it: an error names what failed.
struct Stage {
    name: &'static str,
    outcome: Result<(), String>,
}

/// Runs the tests. A tool that `setup` could not install is not a reason to stop: the tests that need
/// it fail with the command that installs it, and all others are still worth running.
pub(crate) fn test(arguments: &Arguments) -> Result<(), String> {
    eprintln!(
        "test: 1. tools that the tests need  2. unit and integration tests  3. documentation examples  4. kernels  5. host programs"
    );
    let mut stages = Vec::new();
    let mut run = |name, work: &dyn Fn() -> Result<(), String>| {
        eprintln!("\n== {name}");
        let outcome = work();
        if let Err(message) = &outcome {
            eprintln!("test: {name}: {message}\ntest: going on");
        }
        stages.push(Stage { name, outcome });
    };
    run("tools", &tools::setup);
    run("unit and integration tests", &|| run_tests(arguments));
    if arguments.runner.is_empty() {
        run("documentation examples", &|| run_documentation(arguments));
        let plain = if arguments.deep { kernels::Plain::OnAll } else { kernels::Plain::OnSome };
        run("kernels", &|| kernels::of_project(plain));
        run("host programs", &hosts::hosts);
    }
    summarize(&stages)
}

/// The tests by the runner that there is.
fn run_tests(arguments: &Arguments) -> Result<(), String> {
    let has_nextest = tools::is_nextest_present();
    let mut words = if has_nextest { vec!["nextest", "run", "--cargo-profile"] } else { vec!["test", "--profile"] };
    words.push(PROFILE);
    let selects_package = |word: &String| ["-p", "--package"].iter().any(|flag| word.starts_with(flag));
    if !arguments.runner.iter().any(selects_package) {
        words.push("--workspace");
    }
    // Examples are built by clippy; as programs they would take a fifth of the disk.
    if arguments.runner.is_empty() {
        words.extend(["--lib", "--bins", "--tests", "--no-fail-fast"]);
    }
    // Tests that are too long for every day are ignored, so that a run says that it left them out.
    let with_ignored: &[&str] = match (arguments.deep, has_nextest) {
        (false, _) => &[],
        (true, true) => &["--run-ignored", "all"],
        (true, false) => &["--", "--include-ignored"],
    };
    let mut tests = cargo(words);
    tests.args(&arguments.runner).args(with_ignored);
    if arguments.deep {
        tests.env("RECONVERGE_DEEP", "1");
    }
    names::run(&mut tests)
}

fn run_documentation(arguments: &Arguments) -> Result<(), String> {
    let mut examples = cargo(["test", "--quiet", "--doc", "--workspace", "--no-fail-fast", "--profile", PROFILE]);
    if arguments.deep {
        examples.env("RECONVERGE_DEEP", "1");
    }
    names::run(&mut examples)
}

/// Prints each stage in a line. The error is what failed, stage by stage.
fn summarize(stages: &[Stage]) -> Result<(), String> {
    eprintln!("\n== summary");
    let mut failed = Vec::new();
    for Stage { name, outcome } in stages {
        eprintln!("{name}: {}", if outcome.is_ok() { "ok" } else { "failed" });
        failed.extend(outcome.as_ref().err().map(|message| format!("\n{name}: {message}")));
    }
    match failed.len() {
        0 => Ok(()),
        count => Err(format!("{count} of {} stages failed{}", stages.len(), failed.concat())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_what_failed_in_every_stage() {
        let stage = |name, outcome: Result<(), &str>| Stage { name, outcome: outcome.map_err(str::to_owned) };
        let stages =
            [stage("one", Err("2 failed\n  a\n  b")), stage("two", Ok(())), stage("three", Err("1 failed\n  c"))];
        let expected = "2 of 3 stages failed\none: 2 failed\n  a\n  b\nthree: 1 failed\n  c";
        assert_eq!(summarize(&stages), Err(expected.to_owned()));
        assert_eq!(summarize(&stages[1..2]), Ok(()));
    }
}
