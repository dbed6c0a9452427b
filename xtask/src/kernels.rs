//! `cargo xtask kernels DIR...`: runs folders of OpenCL kernels, each with a launch and expected outputs, on every engine, and prints a row
//! for each folder and engine. A kernel with unexpected outputs is reported and makes the command fail.
//!
//! Engines run in separate processes: environment variables select a driver, and a crash affects only one process.

use std::path::PathBuf;

use reconverge::pipeline::Level;

use crate::table::Table;
use case::cases;
pub(crate) use case::{Case, cases as cases_of};
use engine::Engine;
use verdict::Verdict;
use xtask_setup::workspace;

mod case;
mod engine;
mod verdict;
mod worker;

/// The arguments of `cargo xtask kernels`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A folder of NAME.json with NAME.spv beside it
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Only these engines
    #[arg(long, value_enum)]
    on: Vec<Engine>,
    /// Only modules whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Optimize at this level
    #[arg(long, default_value = "0")]
    level: String,
    /// Judge the cases from this one on, in steps of `--stride`, in this process, a verdict a line
    #[arg(long, hide = true)]
    worker_from: Option<usize>,
    /// See `--worker-from`
    #[arg(long, hide = true, default_value_t = 1)]
    stride: usize,
}

impl Arguments {
    fn level(&self) -> Result<Level, String> {
        Level::from_name(&self.level).ok_or_else(|| format!("there is no level {}", self.level))
    }
}

const HEADINGS: [&str; 7] = ["folder", "engine", "modules", "as expected", "of them racy", "lack a feature", "wrong"];

/// Runs the kernels of the folders.
pub(crate) fn kernels(arguments: &Arguments) -> Result<(), String> {
    let engines = if arguments.on.is_empty() { Engine::ALL.to_vec() } else { arguments.on.clone() };
    if let Some(from) = arguments.worker_from {
        let cases = selected(&arguments.folders[0], arguments)?;
        let job = worker::Job { engine: engines[0], level: arguments.level()? };
        return worker::work(job, cases.iter().enumerate().skip(from).step_by(arguments.stride));
    }
    let mut table = Table::new(&HEADINGS);
    let mut complaints = Vec::new();
    for folder in &arguments.folders {
        let cases = selected(folder, arguments)?;
        for &engine in &engines {
            engine.check()?;
            let job = worker::Job { engine, level: arguments.level()? };
            let verdicts = worker::judge_all(job, folder, arguments.only.as_deref(), cases.len())?;
            let count =
                |wanted: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| wanted(verdict)).count().to_string();
            table.push([
                workspace::relative(folder),
                engine.name().to_owned(),
                cases.len().to_string(),
                count(|verdict| matches!(verdict, Verdict::AsExpected | Verdict::Racy(_))),
                count(|verdict| matches!(verdict, Verdict::Racy(_))),
                count(|verdict| matches!(verdict, Verdict::Lacks(_))),
                count(|verdict| matches!(verdict, Verdict::Wrong(_))),
            ]);
            let wrong = cases.iter().zip(&verdicts).filter_map(|(case, verdict)| match verdict {
                Verdict::Wrong(message) => Some(format!("{}: {}: {message}", case.name, engine.name())),
                _ => None,
            });
            complaints.extend(wrong);
        }
    }
    print!("{table}");
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("{count} kernels are not as expected\n  {}", complaints.join("\n  "))),
    }
}

/// The runs at `-O0`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plain {
    /// On every engine.
    OnAll,
    /// On one engine of each kind.
    OnSome,
}

impl Plain {
    /// Returns whether kernels run at a level on an engine. The interpreter takes the kernel as it came, so one level is enough for it.
    fn includes(self, level: Level, engine: Engine) -> bool {
        let is_other =
            matches!(engine, Engine::Interpreter | Engine::Lavapipe4 | Engine::Lavapipe16 | Engine::Swiftshader);
        level != Level::None || self == Plain::OnAll || !is_other
    }
}

/// Runs the kernels of this project on every engine.
pub(crate) fn of_project(plain: Plain) -> Result<(), String> {
    let folder = |name: &str| workspace::root().join(name);
    let on_all = of(&["tests/kernels", "tests/kernels/breaks"].map(folder), &Engine::ALL, plain);
    all_of([on_all, of(&[folder("tests/kernels/flow")], &without_bindings(), plain)])
}

/// Runs kernels of a corpus on every engine except lavapipe with bindings: of loops of this kind it has some wrong (docs/kernel-abi.md).
pub(crate) fn of_corpus(folders: &[PathBuf]) -> Result<(), String> {
    of(folders, &without_bindings(), Plain::OnAll)
}

fn without_bindings() -> Vec<Engine> {
    Engine::ALL.into_iter().filter(|&engine| engine != Engine::LavapipeBindings).collect()
}

/// Runs the kernels of the folders on these engines, as they are and optimized.
fn of(folders: &[PathBuf], engines: &[Engine], plain: Plain) -> Result<(), String> {
    all_of([Level::None, Level::Speed].map(|level| {
        println!("-O{}", level.name());
        let on = engines.iter().copied().filter(|&engine| plain.includes(level, engine)).collect();
        let (folders, level) = (folders.to_vec(), level.name().to_owned());
        kernels(&Arguments { folders, on, only: None, level, worker_from: None, stride: 1 })
    }))
}

/// The errors of all outcomes.
fn all_of<const COUNT: usize>(outcomes: [Result<(), String>; COUNT]) -> Result<(), String> {
    let errors: Vec<String> = outcomes.into_iter().filter_map(Result::err).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

/// Sets the environment of a process that shall see lavapipe alone.
pub(crate) fn prepare_for_lavapipe(command: &mut std::process::Command) -> Result<(), String> {
    Engine::Lavapipe8.check()?;
    Engine::Lavapipe8.prepare(command);
    Ok(())
}

fn selected(folder: &std::path::Path, arguments: &Arguments) -> Result<Vec<Case>, String> {
    let all = cases(folder)?;
    let is_wanted = |case: &Case| arguments.only.as_ref().is_none_or(|part| case.name.contains(part.as_str()));
    Ok(all.into_iter().filter(is_wanted).collect())
}
