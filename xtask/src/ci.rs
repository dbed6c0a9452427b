//! `cargo xtask ci [CORPUS]...`: everything that a change must pass.
//!
//! The steps run in the order of [`STEPS`], cheap ones first, and all of them run even if some fail, so that one run shows everything.
//! Tests and example are the two commands of README.md exactly as they are there, through a shell: the first commands of a new user must
//! not break.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::table::Table;
use crate::{corpus, instructions, kernels, readme, tidy};
use xtask_setup::tools;
use xtask_setup::workspace::{cargo, find_program, output, root, run};

type Step = fn(&[PathBuf]) -> Result<(), String>;

const STEPS: &[(&str, Step)] = &[
    ("format", |_| run(&mut cargo(["fmt", "--all", "--", "--check"]))),
    ("clippy", |_| run(&mut cargo(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))),
    ("documentation", |_| {
        run(cargo(["doc", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "--deny warnings"))
    }),
    ("tidy", |_| tidy::tidy()),
    ("packages", |_| packages()),
    ("features", |_| run(&mut cargo(["check", "-p", "reconverge-cli", "--no-default-features"]))),
    ("wasm32", |_| wasm()),
    ("musl", |_| musl()),
    ("growth", |_| instructions::growth()),
    ("README: test", |_| shell(&readme_commands()?[1])),
    ("README: example", |_| example()),
    ("corpus", judge_corpus),
    ("corpus: kernels", run_kernels),
];

/// A step with a tool that setup does not install, because cargo would compile it for minutes. Returns why it did not run, if it did not.
type ToolStep = fn() -> Result<Option<String>, String>;

const TOOL_STEPS: &[(&str, ToolStep)] = &[("licenses and advisories", deny), ("public interface", semver_checks)];

/// Runs all steps, and fails if one failed.
pub(crate) fn ci(folders: &[PathBuf]) -> Result<(), String> {
    let mut report = Report::new();
    for &(name, step) in STEPS {
        report.run(name, || step(folders).map(|()| None));
    }
    for &(name, step) in TOOL_STEPS {
        report.run(name, step);
    }
    report.end()
}

/// What became of the steps.
struct Report {
    table: Table,
    passed: usize,
    /// The steps that failed, each with its message.
    failed: Vec<String>,
    /// The steps that did not run, each with the reason.
    skipped: Vec<String>,
}

impl Report {
    fn new() -> Report {
        let table = Table::new(&["step", "result", "seconds"]);
        Report { table, passed: 0, failed: Vec::new(), skipped: Vec::new() }
    }

    /// Runs a step, which returns why it did not run, if it did not.
    fn run(&mut self, name: &str, step: impl FnOnce() -> Result<Option<String>, String>) {
        eprintln!("\n== {name}");
        let start = Instant::now();
        let result = match step() {
            Ok(None) => {
                self.passed += 1;
                "ok"
            }
            Ok(Some(reason)) => {
                self.skipped.push(format!("{name}: {reason}"));
                "not run"
            }
            Err(message) => {
                eprintln!("error: {message}");
                self.failed.push(format!("{name}: {message}"));
                "failed"
            }
        };
        self.table.push([name.to_owned(), result.to_owned(), format!("{:.1}", start.elapsed().as_secs_f64())]);
    }

    /// Prints the table and what did not run, and fails if a step failed.
    fn end(self) -> Result<(), String> {
        println!("\n{}", self.table);
        self.skipped.iter().for_each(|step| println!("not run: {step}"));
        let count = self.passed + self.failed.len();
        match self.failed.is_empty() {
            true => {
                println!("ci: all {count} steps that ran passed");
                Ok(())
            }
            false => Err(format!("ci: {} of {count} steps failed\n{}", self.failed.len(), self.failed.join("\n"))),
        }
    }
}

/// Licenses, advisories, versions and sources of the dependencies, as `deny.toml` accepts them.
fn deny() -> Result<Option<String>, String> {
    if find_program("cargo-deny").is_none() {
        return Ok(Some(absent("cargo-deny")));
    }
    run(&mut cargo(["deny", "--workspace", "check"])).map(|()| None)
}

/// The public interface of the library, compared with the last version that has a tag: what breaks users needs a new number.
fn semver_checks() -> Result<Option<String>, String> {
    if find_program("cargo-semver-checks").is_none() {
        return Ok(Some(absent("cargo-semver-checks")));
    }
    let tag =
        output(Command::new("git").current_dir(root()).args(["describe", "--tags", "--abbrev=0", "--match", "v*"]));
    let Ok(tag) = tag else { return Ok(Some("no version has a tag to compare with".to_owned())) };
    run(&mut cargo(["semver-checks", "--package", "reconverge", "--baseline-rev", tag.trim()])).map(|()| None)
}

fn absent(tool: &str) -> String {
    format!("{tool} is not installed: cargo install {tool} --locked")
}

/// Makes the packages of all crates that are published.
fn packages() -> Result<(), String> {
    let options = ["--quiet", "--no-verify", "--allow-dirty"];
    run(cargo(["package", "--workspace", "--exclude", "xtask", "--exclude", "xtask-setup"]).args(options))
}

/// Checks the crates that a compiler in a browser would use.
fn wasm() -> Result<(), String> {
    tools::setup()?;
    run(&mut cargo(["check", "-p", "reconverge-structurize", "--features", "json", "--target", tools::WASM]))?;
    run(&mut cargo(["check", "-p", "reconverge", "--no-default-features", "--target", tools::WASM]))
}

/// The command is handed out for musl ([`super::dist`]). What calls the system has types of its own there; the rest of the command needs a C
/// compiler for musl, and is not built here.
fn musl() -> Result<(), String> {
    tools::setup()?;
    run(&mut cargo(["check", "-p", "reconverge-lanes-cpu", "--target", tools::MUSL]))
}

fn readme_commands() -> Result<[String; 2], String> {
    let text = std::fs::read_to_string(root().join("README.md")).map_err(|error| format!("README.md: {error}"))?;
    match readme::commands(&text)[..] {
        [example, test] => Ok([example.to_owned(), test.to_owned()]),
        ref other => Err(format!("README.md shows {} commands; two are promised: example and test", other.len())),
    }
}

/// Runs the README's example: the kernel that it shows gives the same before it is compiled and after.
fn example() -> Result<(), String> {
    let [command, _] = readme_commands()?;
    eprintln!("$ {command}");
    let printed = output(Command::new("sh").current_dir(root()).args(["-c", &command]))?;
    print!("{printed}");
    match results(&printed)[..] {
        [before, after] if before == after => Ok(()),
        _ => Err("the README's example does not show the same results twice".to_owned()),
    }
}

/// The results in the output of the example: the texts after `argument N (name) = `.
fn results(printed: &str) -> Vec<&str> {
    let of_runs = printed.lines().filter_map(|line| line.split_once(": argument "));
    of_runs.filter_map(|(_, output)| output.split_once(" = ").map(|(_, found)| found)).collect()
}

fn shell(command: &str) -> Result<(), String> {
    run(Command::new("sh").current_dir(root()).args(["-c", command]))
}

/// The folders that were named; one that is missing is an error. Where none was named there is nothing to judge, and that is said.
fn judge_corpus(folders: &[PathBuf]) -> Result<(), String> {
    if folders.is_empty() {
        eprintln!("corpus: no folder was named; not run");
        return Ok(());
    }
    if let Some(absent) = folders.iter().find(|folder| !folder.is_dir()) {
        return Err(format!("{} is no folder", absent.display()));
    }
    corpus::corpus(folders)?;
    corpus::corpus_text(folders, corpus::Detail::Sums)
}

/// The folders of kernels below the corpus, with their launches, on the engines that get them right.
fn run_kernels(folders: &[PathBuf]) -> Result<(), String> {
    let below = folders.iter().map(|folder| folder.join("kernels"));
    let present: Vec<PathBuf> = below.filter(|folder| folder.is_dir()).collect();
    if present.is_empty() { Ok(()) } else { kernels::of_corpus(&present) }
}

#[cfg(test)]
mod tests {
    use super::{Report, absent, results};

    #[test]
    fn a_step_that_does_not_run_is_no_failure_and_does_not_count_as_passed() {
        let mut steps = Report::new();
        steps.run("a", || Ok(None));
        steps.run("b", || Ok(Some("no tool".to_owned())));
        assert_eq!((steps.passed, steps.skipped.clone()), (1, vec!["b: no tool".to_owned()]));
        steps.run("c", || Err("broken".to_owned()));
        assert_eq!(steps.end(), Err("ci: 1 of 2 steps failed\nc: broken".to_owned()));
    }

    #[test]
    fn a_tool_that_is_absent_is_named_with_the_command_that_installs_it() {
        assert_eq!(absent("cargo-deny"), "cargo-deny is not installed: cargo install cargo-deny --locked");
    }

    #[test]
    fn results_are_those_of_runs() {
        let printed =
            "  12      i = i + 1;\n  before: argument 0 (a) = 1 5\n  after: argument 0 (a) = 1 6\nNext: a = b\n";
        assert_eq!(results(printed), ["1 5", "1 6"]);
    }
}
