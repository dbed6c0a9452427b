//! `cargo xtask corpus DIR...`: checks folders of SPIR-V modules that have a manifest, and prints a row for each folder and job. A rejected
//! module is reported with the first line of its message, and makes the command fail.
//!
//! A structured function has with its merges at most as many blocks as its graph needs, a number that is not computed here. If it comes
//! back with more, these were added by the structurizer: it is reported with them, and the percentage is that of the others.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::table::Table;
use judge::{Figures, Job, judge};
use manifest::MANIFEST;
pub(crate) use manifest::{Manifest, Module};
use xtask_setup::workspace;

mod damage;
mod judge;
mod level;
mod manifest;
mod pass;
mod pressure;
mod readability;

pub(crate) use damage::corpus_damage;
pub(crate) use level::corpus_level;
pub(crate) use pass::corpus_pass;
pub(crate) use readability::{Detail, corpus_text};

const HEADINGS: [&str; 11] = [
    "folder",
    "job",
    "modules",
    "accepted",
    "functions",
    "no block added",
    "no more than they had",
    "%",
    "blocks",
    "blocks added",
    "deepest",
];

/// Judges the folders; each holds a manifest or folders that do.
pub(crate) fn corpus(folders: &[PathBuf]) -> Result<(), String> {
    let validator = workspace::spirv_val();
    if !validator.is_file() {
        return Err(format!("{}: not there; `cargo xtask setup` installs it", validator.display()));
    }
    let mut table = Table::new(&HEADINGS);
    let mut complaints = Vec::new();
    for folder in folders_with_manifest(folders)? {
        let manifest = Manifest::read(&folder)?;
        for job in Job::ALL {
            let verdicts = judge_on_threads(manifest.modules(), &|module, scratch| {
                judge(job, &module.path, &module.environment, &validator, scratch)
            })?;
            table.push(row(&folder, job, &verdicts));
            for (module, verdict) in manifest.modules().iter().zip(verdicts) {
                let name = file_name(&module.path);
                match verdict {
                    Ok(figures) => figures.remarks.iter().for_each(|remark| println!("{name}: {remark}")),
                    Err(message) => complaints.push(format!("{name}: {}: {message}", job.name())),
                }
            }
        }
    }
    print!("{table}");
    check_accepted(&complaints)
}

/// Prints what was not accepted, and fails if anything was.
fn check_accepted(complaints: &[String]) -> Result<(), String> {
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("{count} not accepted")),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn row(folder: &Path, job: Job, verdicts: &[Result<Figures, String>]) -> [String; HEADINGS.len()] {
    let accepted: Vec<Figures> = verdicts.iter().filter_map(|verdict| verdict.as_ref().ok().cloned()).collect();
    let sum = accepted.iter().cloned().fold(Figures::default(), Figures::and);
    let figures = [verdicts.len(), accepted.len(), sum.functions, sum.untouched, sum.within];
    let [modules, accepted, functions, untouched, within] = figures.map(|number| number.to_string());
    let [blocks, added, deepest] = [sum.blocks, sum.added, sum.deepest as usize].map(|number| number.to_string());
    let percentage = format!("{:.1}", 100.0 * sum.within as f64 / sum.functions.max(1) as f64);
    let job = job.name().to_owned();
    [file_name(folder), job, modules, accepted, functions, untouched, within, percentage, blocks, added, deepest]
}

/// Judges every module, on as many threads as there are cores, each with a file of its own to write to. Verdicts come back in the
/// order of the modules.
pub(crate) fn judge_on_threads<T: Send>(
    modules: &[Module],
    judge: &(dyn Fn(&Module, &Path) -> Result<T, String> + Sync),
) -> Result<Vec<Result<T, String>>, String> {
    let scratch = workspace::root().join("target/corpus");
    std::fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Vec::with_capacity(modules.len()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, verdicts, scratch) = (&next, &verdicts, &scratch);
            scope.spawn(move || {
                let result = scratch.join(format!("{}-{thread}.spv", std::process::id()));
                while let Some((index, module)) = take(next, modules) {
                    let verdict = judge(module, &result);
                    verdicts.lock().expect("no thread panics while it holds the lock").push((index, verdict));
                }
                let _ = std::fs::remove_file(&result);
            });
        }
    });
    let mut verdicts = verdicts.into_inner().expect("no thread panics while it holds the lock");
    verdicts.sort_by_key(|(index, _)| *index);
    Ok(verdicts.into_iter().map(|(_, verdict)| verdict).collect())
}

fn take<'m>(next: &AtomicUsize, modules: &'m [Module]) -> Option<(usize, &'m Module)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    modules.get(index).map(|module| (index, module))
}

/// The given folders that hold a manifest, and the direct sub-folders of the others that do. Of these, a manifest of something else than
/// SPIR-V modules is left out with a note: it has no column for their files.
pub(crate) fn folders_with_manifest(folders: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for folder in folders {
        if folder.join(MANIFEST).is_file() {
            found.push(folder.clone());
            continue;
        }
        let below = folders_below(folder)?;
        if below.is_empty() {
            return Err(format!("{}: no {MANIFEST} in it or one folder down", folder.display()));
        }
        found.extend(below);
    }
    Ok(found)
}

fn folders_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut below: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.join(MANIFEST).is_file())
        .collect();
    below.sort();
    below.retain(|path| {
        let lists_modules = manifest::lists_modules(path);
        if !lists_modules {
            eprintln!("corpus: {}: {MANIFEST} lists no SPIR-V modules; left out", path.display());
        }
        lists_modules
    });
    Ok(below)
}
