//! Kernels on this CPU: ours beside lavapipe, the OpenCL runtimes of Intel and pocl, and scalar code of clang.
//!
//! ```text
//! cargo run --release -p cpu_engines                                 # everything that is installed
//! cargo run --release -p cpu_engines -- --parts speed --engines ours,16x1,16x2,1x1 mandel_f
//! ```
//!
//! Times are CPU time of a process on one core, best of some rounds, in which the engines take turns. Each engine is in a process of its own,
//! and an engine that is not installed is left out with a notice. The report is Markdown.
//!
//! | file | what |
//! |---|---|
//! | `kernels.rs`, `launches.rs` | what is measured |
//! | `engines/` | who is measured, behind one trait; `worker.rs` the process around each |
//! | `measure.rs` | run time and compilation, in turn |
//! | `groups.rs`, `threads.rs`, `growth.rs` | the cost of a work-group, two threads, growth of compilation |
//! | `report/` | Markdown and JSON |

mod arguments;
mod assembly;
mod clock;
mod engines;
mod groups;
mod growth;
mod kernels;
mod launches;
mod measure;
mod report;
mod threads;
mod worker;

use arguments::{Arguments, Part};
use engines::Name;
use kernels::{KERNELS, Kernel};
use report::Report;
use worker::Worker;

fn main() {
    let mut words = std::env::args().skip(1);
    let words: Vec<String> = words.by_ref().collect();
    if let [flag, engine] = &words[..]
        && flag == worker::FLAG
    {
        worker::work(Name::from_text(engine).expect("the parent names an engine"));
        return;
    }
    let result = Arguments::read(words.into_iter()).and_then(|arguments| run(&arguments));
    if let Err(error) = result {
        eprintln!("{error}\n{}", arguments::USAGE);
        std::process::exit(2);
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let kernels = selected(&arguments.kernels)?;
    if let Some(form) = arguments.assembly {
        return kernels.iter().try_for_each(|kernel| assembly::print(kernel, form));
    }
    let mut report = Report { rounds: arguments.rounds, ..Report::default() };
    // Threads need more than the one core that everything else runs on.
    if arguments.parts.contains(&Part::Threads) {
        for kernel in &kernels {
            eprintln!("threads: {}", kernel.name);
            report.threads.push(threads::measure(kernel, 3 * arguments.rounds)?);
        }
    }
    clock::use_one_core(arguments.core)?;
    if arguments.parts.contains(&Part::Speed) || arguments.parts.contains(&Part::Groups) {
        on_engines(arguments, &kernels, &mut report)?;
    }
    if arguments.parts.contains(&Part::Growth) {
        report.growth = growth::measure();
    }
    print!("{}", report::markdown(&report));
    match &arguments.json {
        Some(file) => std::fs::write(file, report::json(&report)).map_err(|error| format!("{file}: {error}")),
        None => Ok(()),
    }
}

fn selected(names: &[String]) -> Result<Vec<&'static Kernel>, String> {
    const ALL: &[Kernel] = &KERNELS;
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    names.iter().map(|name| kernels::find(name).ok_or_else(|| format!("there is no kernel {name}"))).collect()
}

/// What is measured on every engine.
fn on_engines(arguments: &Arguments, kernels: &[&'static Kernel], report: &mut Report) -> Result<(), String> {
    let mut workers = Vec::new();
    for &engine in &arguments.engines {
        match Worker::start(engine, arguments.icds.as_deref()) {
            Ok(worker) => workers.push(worker),
            Err(error) => eprintln!("{} is left out: {error}", engine.text()),
        }
    }
    report.engines = workers.iter().map(|worker| (worker.engine, worker.description.clone())).collect();
    if arguments.parts.contains(&Part::Speed) {
        let folder = std::env::temp_dir().join(format!("cpu-engines-outputs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for kernel in kernels {
            eprintln!("speed: {}", kernel.name);
            report.rows.push(measure::measure(kernel, &mut workers, arguments.rounds, &folder));
        }
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    if arguments.parts.contains(&Part::Groups) {
        for worker in workers.iter_mut().filter(|worker| ![Name::Lavapipe, Name::Clang].contains(&worker.engine)) {
            eprintln!("groups: {}", worker.engine.text());
            match groups::measure(worker, 3 * arguments.rounds) {
                Ok(cost) => report.groups.push(cost),
                Err(error) => eprintln!("{}: {error}", worker.engine.text()),
            }
        }
    }
    Ok(())
}
