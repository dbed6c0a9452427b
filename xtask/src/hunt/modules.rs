//! `cargo xtask hunt modules DIR...`: corpora, transformed by random sequences of passes of `spirv-opt`, then compiled at every level, with
//! their merges and without.
//!
//! The transformed modules must be valid; then the output must be valid and equivalent: kernels are compared by their launch on the
//! interpreter, other entry points with artificial inputs.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reconverge::opencl::{Int64, KernelOptions};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Target};
use reconverge_restructure::forget_structure;
use reconverge_run::Races;
use reconverge_spirv::Merges;
use reconverge_testing::lanes::judge_optimized;

use super::case::{Case, validate};
use super::judge::{Form, Outcome, Version, guarded, refused};
use super::sequences::{apply, sequence};
use crate::corpus::{Manifest, Module as Row, folders_with_manifest, judge_on_threads};
use crate::table::Table;
use xtask_setup::workspace;

/// The arguments of `cargo xtask hunt modules`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A folder with a manifest, or a folder of such folders
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// How many sequences of passes
    #[arg(long, default_value_t = 40)]
    sequences: usize,
    /// The first of them
    #[arg(long, default_value_t = 0)]
    first: usize,
    /// Try each module with one in so many of the sequences, in turn
    #[arg(long, default_value_t = 1)]
    stride: usize,
    /// What decides the sequences
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin no module after so many minutes
    #[arg(long, default_value_t = 600)]
    minutes: u64,
}

const HEADINGS: [&str; 8] = [
    "folder",
    "modules",
    "spirv-opt gave up",
    "not valid before",
    "equal or open",
    "refused",
    "different",
    "invalid or crashed",
];

/// The outcomes of a module in every sequence and mode: their counts, and remarks.
type Found = (BTreeMap<Outcome, u64>, Vec<String>);

/// A kernel with its launch, and the options that it is compiled with.
struct Launched {
    case: Case,
    options: KernelOptions,
}

/// A module to judge.
struct Subject<'m> {
    row: &'m Row,
    /// Its place in the manifest.
    place: usize,
    case: Option<&'m Launched>,
}

/// Hunts in the folders; a fault makes the command fail.
pub(super) fn modules(arguments: &Arguments) -> Result<(), String> {
    let until = Instant::now() + Duration::from_secs(60 * arguments.minutes);
    let mut table = Table::new(&HEADINGS);
    let mut faults = 0;
    std::panic::set_hook(Box::new(|_| ()));
    for folder in folders_with_manifest(&arguments.folders)? {
        let manifest = Manifest::read(&folder)?;
        let cases = launches(&folder)?;
        let places: HashMap<&Path, usize> =
            manifest.modules().iter().enumerate().map(|(index, row)| (row.path.as_path(), index)).collect();
        let found = judge_on_threads(manifest.modules(), &|row, scratch| {
            let case = cases.get(&row.path);
            let subject = Subject { row, place: places[row.path.as_path()], case };
            Ok(judge(arguments, &subject, scratch, until))
        })?;
        let mut sum = BTreeMap::new();
        for (counts, remarks) in found.into_iter().flatten() {
            counts.into_iter().for_each(|(outcome, count)| *sum.entry(outcome).or_default() += count);
            remarks.iter().for_each(|remark| println!("{remark}"));
        }
        faults += sum.iter().filter(|(outcome, _)| outcome.is_fault()).map(|(_, count)| count).sum::<u64>();
        table.push(row(&folder, manifest.modules().len(), &sum));
    }
    let _ = std::panic::take_hook();
    print!("{table}");
    if faults == 0 { Ok(()) } else { Err(format!("{faults} faults")) }
}

fn row(folder: &Path, modules: usize, sum: &BTreeMap<Outcome, u64>) -> [String; HEADINGS.len()] {
    let count = |outcomes: &[Outcome]| outcomes.iter().filter_map(|outcome| sum.get(outcome)).sum::<u64>().to_string();
    [
        workspace::relative(folder),
        modules.to_string(),
        count(&[Outcome::TooLong]),
        count(&[Outcome::NotValidBefore]),
        count(&[Outcome::Equal]),
        count(&[Outcome::Refused]),
        count(&[Outcome::Different]),
        count(&[Outcome::Invalid, Outcome::Crashed]),
    ]
}

/// The launches of a folder, by the module.
fn launches(folder: &Path) -> Result<HashMap<PathBuf, Launched>, String> {
    let cases = crate::kernels::cases_of(folder)?.into_iter().enumerate().map(|(number, case)| {
        let expected =
            std::fs::read(&case.expected).map_err(|error| format!("{}: {error}", case.expected.display()))?;
        let options = KernelOptions::new().fma(case.fma);
        let launched = Launched { case: Case { number, launch: case.launch, expected: Ok(expected) }, options };
        Ok((case.module, launched))
    });
    cases.collect()
}

fn judge(arguments: &Arguments, subject: &Subject<'_>, scratch: &Path, until: Instant) -> Found {
    let mut found = Found::default();
    let numbers = arguments.first..arguments.first + arguments.sequences;
    for number in numbers.filter(|number| (number + subject.place).is_multiple_of(arguments.stride)) {
        if Instant::now() > until {
            break;
        }
        let passes = sequence(arguments.seed, number);
        for (mode, outcome, message) in judge_sequence(&passes, subject, scratch) {
            *found.0.entry(outcome).or_default() += 1;
            if outcome.is_fault() || outcome == Outcome::Refused {
                let (name, line) = (subject.row.path.display(), message.lines().next().unwrap_or_default());
                found.1.push(format!("{name}, {}, {mode}: {outcome:?}: {line}", passes.join(" ")));
            }
        }
    }
    found
}

/// The outcomes of a module after a sequence in each mode.
fn judge_sequence(passes: &[&str], subject: &Subject<'_>, scratch: &Path) -> Vec<(String, Outcome, String)> {
    let row = subject.row;
    let alone = |outcome: Outcome, message: String| vec![("before".to_owned(), outcome, message)];
    let spirv = match apply(passes, &row.path, scratch) {
        Ok(spirv) => spirv,
        Err(message) => return alone(Outcome::TooLong, message),
    };
    if let Err(complaint) = validate(&spirv, scratch, &row.environment) {
        return alone(Outcome::NotValidBefore, complaint);
    }
    let is_kernel = reconverge::read(&spirv, reconverge::Format::SPIRV)
        .is_ok_and(|module| Target::default().lowers_kernels(&module));
    let mut found = Vec::new();
    for level in [Level::None, Level::Speed, Level::Size] {
        let name = format!("-O{}", level.name());
        match subject.case.filter(|_| is_kernel) {
            Some(Launched { case, options }) => {
                for int64 in [Int64::Native, Int64::Split] {
                    let options = CompileOptions::new().level(level).kernel(options.clone().int64(int64));
                    let name = format!("{name} {int64:?}");
                    match Version::compiled(&spirv, &options, scratch) {
                        Ok(version) => found.extend(judge_everywhere(version, &name, int64, case)),
                        Err((outcome, message)) => found.push((name, outcome, message)),
                    }
                }
            }
            None => {
                for merges in [Merges::Keep, Merges::Strip] {
                    let (outcome, message) = optimized(&spirv, level, merges, row, scratch);
                    found.push((format!("{name} {merges:?}"), outcome, message));
                }
            }
        }
    }
    found
}

/// The outcome of a kernel on the interpreter and, with 64-bit integers, on this CPU.
fn judge_everywhere(mut version: Version, name: &str, int64: Int64, case: &Case) -> Vec<(String, Outcome, String)> {
    let (outcome, message) = version.judge(case, Races::Ignore);
    let mut found = vec![(name.to_owned(), outcome, message)];
    for form in Form::on_this_cpu().into_iter().filter(|_| int64 == Int64::Native) {
        version.form = Some(form);
        let (outcome, message) = version.judge(case, Races::Ignore);
        found.push((format!("{name} {form}"), outcome, message));
    }
    found
}

/// The outcome of a level for a module that is not a kernel with a launch.
fn optimized(spirv: &[u8], level: Level, merges: Merges, row: &Row, scratch: &Path) -> (Outcome, String) {
    let options = CompileOptions::new().level(level).target(Target::INPUT);
    let mut stop = None;
    let mut optimize = |module: &mut reconverge::ir::Module| {
        if merges == Merges::Strip {
            let functions: Vec<_> = module.functions().collect();
            functions.into_iter().for_each(|function| forget_structure(module, function));
        }
        let ran = reconverge::run(module, &options, &mut |_, _| ());
        ran.map(drop).map_err(|error| {
            let message = error.to_string();
            stop = Some(refused(error));
            message
        })
    };
    let judged = guarded(|| judge_optimized(spirv, None, &mut optimize));
    match judged {
        Err(fall) => fall,
        Ok(Err(message)) if message.starts_with("before") => (Outcome::Refused, message),
        Ok(Err(message)) => stop.unwrap_or((Outcome::Different, message)),
        Ok(Ok(figures)) => match validate(&figures.spirv, scratch, &row.environment) {
            Ok(()) => (Outcome::Equal, String::new()),
            Err(complaint) => (Outcome::Invalid, complaint),
        },
    }
}
