//! `cargo xtask hunt kernels`: random kernels by clang, at every level and with both kinds of 64-bit integers, beside this machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reconverge_testing::generators::kernels::{Kernel, make, preamble, print, smaller};

use super::case::{Batch, Place, Source, launch, write_source};
use super::csmith::{self, CSMITH};
use super::judge::{Outcome, Remark, Tally, Variant, cpu_variants, judge, name, variants};
use super::native::{CLANG, Native, has_odd_widths};
use crate::table::Table;
use xtask_setup::workspace;

/// The number of kernels that are in a file.
const BATCH: u64 = 50;

/// The levels of clang, in turn from file to file.
const CLANG_LEVELS: [&str; 4] = ["-O2", "-O1", "-O0", "-O3"];

/// The arguments of `cargo xtask hunt kernels`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many kernels
    #[arg(long, default_value_t = 1000)]
    programs: u64,
    /// The seed of the first one, a multiple of 50
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// On how many threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Begin no file of kernels after so many minutes
    #[arg(long, default_value_t = 600)]
    minutes: u64,
    /// Programs of csmith, each a file of its own
    #[arg(long, conflicts_with = "shrink")]
    csmith: bool,
    /// Compile by clang at this level alone
    #[arg(long)]
    clang: Option<String>,
    /// Beside the kernels as they came, run them on this CPU alone
    #[arg(long)]
    cpu: bool,
    /// Print the source of the kernels instead
    #[arg(long)]
    print: bool,
    /// Make the first kernel of every kind of fault smaller, and print it
    #[arg(long)]
    shrink: bool,
    /// Write each tenth kernel with its launch and what must come out to this folder, for `cargo xtask kernels`
    #[arg(long)]
    keep: Option<PathBuf>,
}

impl Arguments {
    /// The number of kernels that are in a file.
    const fn batch(&self) -> u64 {
        if self.csmith { 1 } else { BATCH }
    }

    /// The text before the kernels.
    fn preamble(&self) -> String {
        if self.csmith { csmith::PREAMBLE.to_owned() } else { preamble() }
    }

    /// The kernel of a seed.
    fn source(&self, seed: u64) -> Result<Source, String> {
        if self.csmith { csmith::source(seed as usize) } else { Ok(Source::new(seed as usize, &make(seed))) }
    }

    /// Checks that the required programs are installed.
    fn check(&self) -> Result<(), String> {
        let needed = [CLANG, CSMITH].into_iter().take(if self.csmith { 2 } else { 1 });
        needed
            .filter(|program| workspace::find_program(program).is_none())
            .try_for_each(|program| Err(format!("{program} is not there; `apt-get install {program}` installs it")))
    }
}

const HEADINGS: [&str; 9] =
    ["variant", "kernels", "equal", "refused", "too long", "not valid before", "different", "invalid", "crashed"];

/// Judges the kernels and prints a row for each variant; a fault makes the command fail.
pub(super) fn kernels(arguments: &Arguments) -> Result<(), String> {
    if arguments.print {
        let seeds = arguments.first..arguments.first + arguments.programs;
        println!("{}", arguments.preamble());
        for seed in seeds {
            println!("{}", arguments.source(seed)?.text);
        }
        return Ok(());
    }
    arguments.check()?;
    let start = Instant::now();
    let folder = workspace::root().join(format!("target/hunt/{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if let Some(kept) = &arguments.keep {
        fs::create_dir_all(kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    }
    let native = Native::new(&folder)?;
    std::panic::set_hook(Box::new(|_| ()));
    let tally = on_threads(arguments, &native, &folder)?;
    let _ = std::panic::take_hook();
    print!("{}", table(&tally, &variants_of(arguments)));
    let faults = report(&tally.remarks);
    println!(
        "seeds {} to {}, {:.0} s",
        arguments.first,
        arguments.first + arguments.programs,
        start.elapsed().as_secs_f64()
    );
    if arguments.shrink {
        shrink_all(arguments, &tally.remarks, Place { native: &native, folder: &folder })?;
    }
    let _ = fs::remove_dir_all(&folder);
    if faults == 0 { Ok(()) } else { Err(format!("{faults} faults")) }
}

fn on_threads(arguments: &Arguments, native: &Native, folder: &Path) -> Result<Tally, String> {
    let next = AtomicU64::new(0);
    let until = Instant::now() + Duration::from_secs(60 * arguments.minutes);
    let sum = Mutex::new(Ok(Tally::default()));
    std::thread::scope(|scope| {
        for thread in 0..arguments.threads {
            let (next, sum) = (&next, &sum);
            scope.spawn(move || {
                let folder = folder.join(thread.to_string());
                let _ = fs::create_dir_all(&folder);
                loop {
                    let start = next.fetch_add(arguments.batch(), Ordering::Relaxed);
                    if start >= arguments.programs || Instant::now() > until {
                        break;
                    }
                    let found = judge_batch(arguments, start, Place { native, folder: &folder });
                    let mut sum = sum.lock().expect("no thread panics while it holds the lock");
                    match (found, sum.as_mut()) {
                        (Ok(found), Ok(sum)) => sum.add(found),
                        (Err(error), Ok(_)) => *sum = Err(error),
                        (_, Err(_)) => break,
                    }
                }
            });
        }
    });
    sum.into_inner().expect("no thread panics while it holds the lock")
}

/// The variants to judge: all, or those of this CPU.
fn variants_of(arguments: &Arguments) -> Vec<Variant> {
    if arguments.cpu { cpu_variants() } else { variants() }
}

fn judge_batch(arguments: &Arguments, start: u64, place: Place<'_>) -> Result<Tally, String> {
    let seeds = start..arguments.programs.min(start + arguments.batch());
    let kernels: Vec<Source> =
        seeds.map(|index| arguments.source(arguments.first + index)).collect::<Result<_, _>>()?;
    let level = clang_level(arguments, start);
    let batch = Batch::new(&arguments.preamble(), &kernels, level, place)?;
    if let Some(kept) = &arguments.keep {
        keep(&batch, &kernels, kept)?;
    }
    let mut tally = judge(&batch, &variants_of(arguments), &place.folder.join("ours.spv"));
    for number in tally.different_before() {
        let kernel = kernels.iter().filter(|kernel| kernel.number == number);
        let path = place.folder.join("odd.cl");
        write_source(&arguments.preamble(), kernel, &path)?;
        if has_odd_widths(&path, level) {
            tally.excuse(number, "clang keeps integers of odd widths in wider ones, and forgets to mask them");
        } else if level == "-O0" && tally.is_repaired(number) {
            tally.excuse(
                number,
                "clang declares a variable that is too small, and the kernel is right once it is compiled",
            );
        }
    }
    Ok(tally)
}

fn clang_level(arguments: &Arguments, start: u64) -> &str {
    let turn = (arguments.first + start) / arguments.batch();
    arguments.clang.as_deref().unwrap_or(CLANG_LEVELS[(turn % CLANG_LEVELS.len() as u64) as usize])
}

/// Writes each tenth kernel that runs.
fn keep(batch: &Batch, kernels: &[Source], folder: &Path) -> Result<(), String> {
    let write = |name: String, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    };
    for module in batch.modules.iter().filter(|module| module.complaint.is_none()) {
        for (case, kernel) in module.cases.iter().map(|&index| (&batch.cases[index], &kernels[index])) {
            if let (0, Ok(expected)) = (case.number % 10, &case.expected) {
                write(format!("{}.spv", case.name()), &module.spirv)?;
                write(format!("{}.json", case.name()), launch(kernel).as_bytes())?;
                write(format!("{}.expected", case.name()), expected)?;
            }
        }
    }
    Ok(())
}

fn table(tally: &Tally, variants: &[Variant]) -> Table {
    let mut table = Table::new(&HEADINGS);
    for &variant in variants {
        let name = name(variant);
        let count = |outcome: Outcome| tally.counts.get(&(name.clone(), outcome)).copied().unwrap_or(0).to_string();
        let all: u64 = tally.counts.iter().filter(|((own, _), _)| *own == name).map(|(_, count)| count).sum();
        table.push([
            name.clone(),
            all.to_string(),
            count(Outcome::Equal),
            count(Outcome::Refused),
            count(Outcome::TooLong),
            count(Outcome::NotValidBefore),
            count(Outcome::Different),
            count(Outcome::Invalid),
            count(Outcome::Crashed),
        ]);
    }
    table
}

/// Prints what is worth a word, and tells how many faults there are.
fn report(remarks: &[Remark]) -> usize {
    let mut reasons: BTreeMap<(Outcome, String), Vec<usize>> = BTreeMap::new();
    for remark in remarks {
        let Remark { number, variant, outcome, message } = remark;
        match outcome.is_fault() {
            true => println!("k{number}, {variant}: {outcome:?}: {}", message.lines().next().unwrap_or_default()),
            false => reasons.entry((*outcome, kind(remark).2)).or_default().push(*number),
        }
    }
    for ((outcome, reason), numbers) in &reasons {
        println!("{} {outcome:?}, first k{}: {reason}", numbers.len(), numbers[0]);
    }
    remarks.iter().filter(|remark| remark.outcome.is_fault()).count()
}

/// The fault without what differs from kernel to kernel.
fn kind(remark: &Remark) -> (String, Outcome, String) {
    let is_plain = |letter: &char| !letter.is_ascii_digit();
    let first: String = remark.message.lines().next().unwrap_or_default().chars().filter(is_plain).collect();
    (remark.variant.clone(), remark.outcome, first)
}

fn shrink_all(arguments: &Arguments, remarks: &[Remark], place: Place<'_>) -> Result<(), String> {
    let mut seen = Vec::new();
    for remark in remarks.iter().filter(|remark| remark.outcome.is_fault()) {
        if seen.contains(&kind(remark)) {
            continue;
        }
        seen.push(kind(remark));
        let kernel = shrink(arguments, remark, place)?;
        println!("// k{}, {}: {}\n{}", remark.number, remark.variant, remark.message, print(&kernel, remark.number));
    }
    Ok(())
}

/// The number of smaller kernels that are tried at once.
const AT_ONCE: usize = 24;

/// Makes a kernel smaller as long as its variant ends the same way, and the kernel as it came is right.
fn shrink(arguments: &Arguments, remark: &Remark, place: Place<'_>) -> Result<Kernel, String> {
    let mut kernel = make(remark.number as u64);
    let level = clang_level(arguments, (remark.number as u64 - arguments.first) / BATCH * BATCH);
    let mut wanted = variants_of(arguments);
    wanted.retain(|&variant| name(variant) == remark.variant);
    'again: loop {
        let candidates = smaller(&kernel);
        for some in candidates.chunks(AT_ONCE) {
            let numbered: Vec<Source> =
                some.iter().enumerate().map(|(number, kernel)| Source::new(number, kernel)).collect();
            let batch = Batch::new(&preamble(), &numbered, level, place)?;
            let [before, after] = [vec![Variant::AsItCame], wanted.clone()]
                .map(|variants| judge(&batch, &variants, &place.folder.join("smaller.spv")));
            let is_wrong = |remark: &Remark, number: usize| remark.number == number && remark.outcome.is_fault();
            let is_right = |number: usize| {
                wanted == [Variant::AsItCame] || !before.remarks.iter().any(|remark| is_wrong(remark, number))
            };
            let found = after.remarks.iter().find(|found| found.outcome == remark.outcome && is_right(found.number));
            if let Some(found) = found {
                kernel = some[found.number].clone();
                continue 'again;
            }
        }
        return Ok(kernel);
    }
}
