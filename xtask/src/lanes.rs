//! `cargo xtask lanes`: random programs with lanes on Vulkan drivers, record by record against what they must do.
//!
//! The programs run in separate processes, so that a crash of a driver affects only one program.

use std::path::PathBuf;
use std::process::Command;

use reconverge_testing::lanes::{Batch, Demand, Doubt, Driver, Tally, judge_in_processes, shrink_on_driver, work};

use crate::table::Table;

/// The number of programs that one process runs.
const BATCH: usize = 100;

/// The arguments of `cargo xtask lanes`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many programs
    #[arg(long, default_value_t = 200)]
    programs: u64,
    /// The seed of the first one
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// With how many lanes
    #[arg(long, value_delimiter = ',', default_value = "4,8,16")]
    lanes: Vec<usize>,
    /// The driver: lavapipe or swiftshader
    #[arg(long, default_value = "lavapipe", value_parser = driver)]
    on: Driver,
    /// What the driver is held to: what is `promised`; `maximal` reconvergence, on programs without fall-through; or the same of
    /// structure that was found again, under the policy `spirv`, `bare`, `wgsl` or `flat`
    #[arg(long, default_value = "promised", value_parser = demand)]
    to: Demand,
    /// Make the first program smaller as long as something is wrong, and print it
    #[arg(long)]
    shrink: bool,
    /// Runs in this process, which is a worker
    #[arg(long, hide = true)]
    worker: bool,
}

fn driver(name: &str) -> Result<Driver, String> {
    Driver::parse(name).ok_or_else(|| "lavapipe or swiftshader".to_owned())
}

fn demand(name: &str) -> Result<Demand, String> {
    Demand::parse(name).ok_or_else(|| "promised, maximal, bare, with-merges, wgsl or flat".to_owned())
}

/// Runs the programs and prints a row for each number of lanes; a record that the driver is held to and that came out differently makes
/// the command fail.
pub(crate) fn lanes(arguments: &Arguments) -> Result<(), String> {
    let seeds: Vec<u64> = (arguments.first..arguments.first + arguments.programs).collect();
    let demand = arguments.to;
    if arguments.worker {
        let lanes = *arguments.lanes.first().ok_or("no number of lanes")?;
        return match arguments.shrink {
            true => shrink_on_driver(arguments.first, lanes, demand).map(|program| println!("{program}")),
            false => work(seeds.into_iter(), lanes, demand),
        };
    }
    if arguments.shrink {
        let lanes = *arguments.lanes.first().ok_or("no number of lanes")?;
        let mut command = worker(&seeds[..1], lanes, demand)?;
        arguments.on.prepare(&mut command, lanes)?;
        let status = command.arg("--shrink").status().map_err(|error| error.to_string())?;
        return if status.success() { Ok(()) } else { Err(format!("the worker ended with {status}")) };
    }
    let mut table = Table::new(&HEADINGS);
    let mut by_reason = Table::new(&REASONS);
    let mut faults = Vec::new();
    for &lanes in &arguments.lanes {
        let (tally, found) = run(arguments.on, lanes, demand, &seeds)?;
        table.push(row(arguments.on, lanes, &tally));
        reasons(arguments.on, lanes, &tally).for_each(|row| by_reason.push(row));
        faults.extend(found);
    }
    print!("{table}\n{by_reason}");
    faults.iter().for_each(|fault| println!("{fault}"));
    if faults.is_empty() { Ok(()) } else { Err(format!("{} programs went wrong", faults.len())) }
}

const HEADINGS: [&str; 8] = [
    "driver",
    "lanes",
    "programs",
    "crashes",
    "equal, promised",
    "different, promised",
    "equal, open",
    "different, open",
];

const REASONS: [&str; 5] = ["driver", "lanes", "not promised, since", "equal", "different"];

fn row(driver: Driver, lanes: usize, tally: &Tally) -> [String; HEADINGS.len()] {
    let [equal_open, different_open] = [tally.equal_open, tally.different_open].map(|open| open.iter().sum());
    let Tally { programs, crashes, equal_decided, different_decided, .. } = *tally;
    let numbers = [lanes, programs, crashes, equal_decided, different_decided, equal_open, different_open];
    let [a, b, c, d, e, f, g] = numbers.map(|number| number.to_string());
    [driver.name().to_owned(), a, b, c, d, e, f, g]
}

/// A row for each reason why a record is not promised.
fn reasons(driver: Driver, lanes: usize, tally: &Tally) -> impl Iterator<Item = [String; REASONS.len()]> {
    let counts = tally.equal_open.into_iter().zip(tally.different_open);
    Doubt::ALL.into_iter().zip(counts).map(move |(doubt, (equal, different))| {
        let [lanes, equal, different] = [lanes, equal, different].map(|number| number.to_string());
        [driver.name().to_owned(), lanes, doubt.name().to_owned(), equal, different]
    })
}

fn run(driver: Driver, lanes: usize, demand: Demand, seeds: &[u64]) -> Result<Batch, String> {
    let mut sum = Tally::default();
    let mut faults = Vec::new();
    for batch in seeds.chunks(BATCH) {
        let (tally, found) = judge_in_processes(driver, lanes, batch, &|seeds| worker(seeds, lanes, demand))?;
        sum = sum.and(tally);
        faults.extend(found);
    }
    Ok((sum, faults))
}

/// The command that runs consecutive seeds in a process of its own.
fn worker(seeds: &[u64], lanes: usize, demand: Demand) -> Result<Command, String> {
    let program: PathBuf = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    let mut command = Command::new(program);
    let [first, count] = [seeds[0], seeds.len() as u64].map(|number| number.to_string());
    command.args(["lanes", "--worker", "--lanes", &lanes.to_string(), "--first", &first, "--programs", &count]);
    command.args(["--to", demand.name()]);
    Ok(command)
}
