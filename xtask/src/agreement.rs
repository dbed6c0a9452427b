//! `cargo xtask agreement`: compares the verifier with the validator of SPIRV-Tools, on real and mutated modules.

use std::path::PathBuf;
use std::thread;

use reconverge_testing::agreement::instructions::Effort;
use reconverge_testing::agreement::{Tally, compare, modules_under, mutate, name};
use reconverge_testing::judge::{Environment, Validator};

/// The arguments of `cargo xtask agreement`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Modules, or folders of modules, as deep as they lie
    #[arg(required_unless_present = "instructions")]
    folders: Vec<PathBuf>,
    /// How many changed modules, after the real ones
    #[arg(long, default_value_t = 1_000)]
    modules: u64,
    /// Ask about modules with one instruction each instead: so many trials of every instruction and enumerant
    #[arg(long, value_name = "TRIALS")]
    instructions: Option<usize>,
    /// How many of the trials are asked about, valid and invalid
    #[arg(long, default_value_t = 3)]
    kept: usize,
    /// Only instructions whose names hold this
    #[arg(long)]
    only: Option<String>,
    /// What decides everything random: the first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// On how many threads
    #[arg(long, default_value_t = 2)]
    threads: u64,
    /// Write what they disagree about into this folder
    #[arg(long)]
    keep: Option<PathBuf>,
}

mod instructions;

/// The share of what the validator refuses that we refuse as well.
const BAR: f64 = 0.995;

/// Compares on the real modules, then on changed ones, and prints what only one of both refuses.
pub(crate) fn agreement(arguments: &Arguments) -> Result<(), String> {
    let validator = Validator::find()?;
    if let Some(trials) = arguments.instructions {
        return instructions::instructions(arguments, &validator, Effort { trials, kept: arguments.kept });
    }
    let mut files = Vec::new();
    for path in modules_under(&arguments.folders)? {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        files.push((path, bytes));
    }
    let real = tally(arguments, &validator, files.len() as u64, |number| {
        let (path, bytes) = &files[number as usize];
        (name(path, None), bytes.clone())
    })?;
    print("real", &real);
    let first = arguments.seed;
    let changed = tally(arguments, &validator, arguments.modules, |number| {
        let seed = first + number;
        let (path, bytes) = &files[(seed % files.len() as u64) as usize];
        (name(path, Some(seed)), mutate(bytes, seed))
    })?;
    print("changed", &changed);
    let mut all = real;
    all.merge(changed);
    match all.unexplained() == 0 && all.share() >= BAR {
        true => Ok(()),
        false => Err(format!("{:.2} % refused alike, {} unexplained", 100.0 * all.share(), all.unexplained())),
    }
}

/// Compares on so many modules, several at a time.
fn tally(
    arguments: &Arguments,
    validator: &Validator,
    count: u64,
    module: impl Fn(u64) -> (String, Vec<u8>) + Sync,
) -> Result<Tally, String> {
    let threads = arguments.threads.max(1);
    let part = |thread: u64| -> Result<Tally, String> {
        let mut own = Tally::default();
        for number in (thread..count).step_by(threads as usize) {
            let (name, bytes) = module(number);
            let agreement = compare(validator, &bytes, Environment::Universal)?;
            let (missed, unexplained) = (own.missed(), own.unexplained());
            own.add(agreement, &name);
            if own.missed() > missed || own.unexplained() > unexplained {
                keep(arguments, &name, &bytes)?;
            }
        }
        Ok(own)
    };
    thread::scope(|scope| {
        let part = &part;
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        let mut all = Tally::default();
        for worker in workers {
            all.merge(worker.join().map_err(|_| "a comparison panicked".to_owned())??);
        }
        Ok(all)
    })
}

/// Writes a module into the folder that was named for them.
fn keep(arguments: &Arguments, name: &str, bytes: &[u8]) -> Result<(), String> {
    let Some(folder) = &arguments.keep else { return Ok(()) };
    let file = folder.join(format!("{}.spv", name.replace(' ', "_")));
    std::fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}

fn print(title: &str, tally: &Tally) {
    println!(
        "{title}: both accept {}, both refuse {}, missed {} ({:.2} % refused alike), argued {}, unexplained {}",
        tally.accepted,
        tally.refused,
        tally.missed(),
        100.0 * tally.share(),
        tally.argued,
        tally.unexplained()
    );
    for (kind, rows) in [("unexplained", &tally.unexplained), ("missed", &tally.missed)] {
        let mut rows: Vec<_> = rows.iter().collect();
        rows.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (what, (count, example)) in rows {
            println!("  {count:6} {kind} {what}\n         {example}");
        }
    }
}
