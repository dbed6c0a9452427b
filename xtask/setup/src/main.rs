//! `cargo xtask COMMAND`: says what comes, installs the tools of the tests, builds the package `xtask`, and runs the command there.
//!
//! | step | of which commands |
//! |---|---|
//! | the plan: what is installed, built and run, and how long it takes | `test`, `ci`, `setup` |
//! | installing what is missing | `test`, `setup`; `ci` does so in its steps |
//! | building the tasks, in the profile of the tests and with their features, so that the tests build nothing twice | all but `setup` |
//! | running the command | all but `setup` |

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use xtask_setup::tools;
use xtask_setup::workspace::{PROFILE, cargo, executable, run};

/// What a build of the workspace and its tests costs on two cores, where nothing was built before.
const BUILD: &str = "builds the workspace and its tests (10 minutes on two cores, 2 GB of disk; once)";

/// What `cargo xtask test` runs.
const TESTS: &str = "runs 2,200 tests, the documentation examples, the kernels of the project on every engine, and the host programs (8 minutes)";

/// What `cargo xtask ci` runs.
const CHECKS: &str =
    "runs the checks of every change: format, clippy, documentation, project rules, tests, README, corpus (20 minutes)";

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let asks_for_help = words.iter().any(|word| word == "--help" || word == "-h");
    let command = words.first().filter(|_| !asks_for_help).and_then(|word| word.to_str()).unwrap_or_default();
    plan(command);
    let outcome = match command {
        "setup" => tools::setup().map(|()| ExitCode::SUCCESS),
        "test" => {
            // A tool that cannot be installed fails the tests that need it, and no others.
            if let Err(message) = tools::setup() {
                eprintln!("error: {message}");
            }
            run_task(&words)
        }
        _ => run_task(&words),
    };
    match outcome {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Says what a command will do.
fn plan(command: &str) {
    let after_tools: &[&str] = match command {
        "setup" => &[],
        "test" => &[BUILD, TESTS],
        "ci" => &[BUILD, CHECKS],
        _ => return,
    };
    let missing: Vec<&str> = tools::missing().collect();
    let installs = match missing.len() {
        0 => "installs nothing: all tools of the tests are here".to_owned(),
        count => format!("installs {count} tools of the tests, which need the network: {}", missing.join(", ")),
    };
    for (number, step) in (1..).zip(std::iter::once(&*installs).chain(after_tools.iter().copied())) {
        eprintln!("{command}: {number}. {step}");
    }
}

/// Builds the tasks, and runs one, which says why it fails.
fn run_task(words: &[OsString]) -> Result<ExitCode, String> {
    run(&mut cargo(["build", "--workspace", "--bin", "xtask", "--profile", PROFILE]))?;
    let status = Command::new(task()?).args(words).status().map_err(|error| format!("xtask did not start: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The program of the tasks: in the folder of its profile, which is beside that of this program.
fn task() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("the path of this program: {error}"))?;
    let folder = own.parent().and_then(|folder| folder.parent()).ok_or("this program is not in a folder of cargo")?;
    Ok(folder.join(PROFILE).join(executable("xtask")))
}
