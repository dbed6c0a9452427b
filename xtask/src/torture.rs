//! `cargo xtask torture`: runs the stress tests for minutes, and prints a table of the findings of each.

use std::time::{Duration, Instant};

use reconverge_testing::judge::Validator;
use reconverge_testing::torture::scaling::{self, Timed};
use reconverge_testing::torture::{
    Effort, Fault, FaultKind, Tally, consumers, damage, exhaustive, filling, unstructurers,
};

use crate::table::Table;
use xtask_setup::workspace::{PROFILE, cargo, run};

/// The arguments of `cargo xtask torture`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How long, all rungs together; rungs that are exhaustive are cut off as well
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Only this rung: T0 to T6
    #[arg(long, value_parser = rung)]
    rung: Option<Rung>,
    /// What decides everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of graphs or programs that a random rung tries, at most
    #[arg(long, default_value_t = u64::MAX)]
    tries: u64,
    /// On how many threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

type Rung = usize;

fn rung(name: &str) -> Result<Rung, String> {
    let number = name.strip_prefix(['T', 't']).and_then(|number| number.parse().ok());
    number.filter(|&number| number < RUNGS.len()).ok_or_else(|| "a rung is one of T0 to T6".to_owned())
}

type Run = fn(&Effort) -> Vec<(String, Tally)>;

/// Each rung: what it is, its share of the time, how to run it.
const RUNGS: [(&str, f64, Run); 7] = [
    ("exhaustive", 0.3, exhaustive),
    ("filling", 0.3, filling),
    ("reconvergence", 0.0, reconvergence),
    ("unstructurers", 0.15, unstructurers),
    ("consumers", 0.1, consumers),
    ("damage", 0.1, damage),
    ("scaling", 0.05, scaling),
];

/// Runs the rungs and prints a row for each part of them; a fault anywhere makes the command fail.
pub(crate) fn torture(arguments: &Arguments) -> Result<(), String> {
    println!("seed {}, {} threads, {} minutes", arguments.seed, arguments.threads, arguments.minutes);
    let mut table = Table::new(&HEADINGS);
    let mut sum = Tally::default();
    let chosen = (0..RUNGS.len()).filter(|&number| arguments.rung.is_none_or(|rung| rung == number));
    let chosen: Vec<usize> = chosen.collect();
    let shares: f64 = chosen.iter().map(|&number| RUNGS[number].1).sum();
    for number in chosen {
        let (name, share, climb) = RUNGS[number];
        let start = Instant::now();
        let effort = Effort {
            seed: arguments.seed,
            tries: arguments.tries,
            deadline: Some(start + Duration::from_secs_f64(arguments.minutes * 60.0 * share / shares)),
            threads: arguments.threads,
        };
        for (part, tally) in climb(&effort) {
            table.push(row(&format!("T{number} {name}: {part}"), &tally, start.elapsed().as_secs_f64()));
            tally.counts.iter().for_each(|(what, times)| println!("T{number} {part}: {what}: {times}"));
            sum = sum.and(tally);
        }
    }
    print!("{table}");
    for fault in &sum.kept {
        println!("{fault}");
        if let Some(test) = fault.filetest() {
            println!("as a filetest, for tests/filetests/bugs:\n{test}");
        }
    }
    if sum.is_clean() { Ok(()) } else { Err(format!("{} faults", sum.faults.iter().sum::<u64>())) }
}

const HEADINGS: [&str; 10] =
    ["rung", "tried", "invalid", "unequal", "crashes", "fallbacks", "growth", "worst", "partly walked", "seconds"];

fn row(name: &str, tally: &Tally, seconds: f64) -> [String; HEADINGS.len()] {
    let kinds = [FaultKind::Invalid, FaultKind::Unequal, FaultKind::Crash, FaultKind::Fallback, FaultKind::Growth];
    let [invalid, unequal, crashes, fallbacks, growth] = kinds.map(|kind| tally.of(kind).to_string());
    let (after, before) = tally.worst;
    let worst = match (before, after) {
        (0, _) | (1, 1) => "–".to_owned(),
        _ => format!("{:.2} ({before} → {after})", after as f64 / before as f64),
    };
    let tried = format!("{}{}", tally.tried, if tally.is_cut_off { " (cut off)" } else { "" });
    let (partly, seconds) = (tally.partly_walked.to_string(), format!("{seconds:.0}"));
    [name.to_owned(), tried, invalid, unequal, crashes, fallbacks, growth, worst, partly, seconds]
}

fn exhaustive(effort: &Effort) -> Vec<(String, Tally)> {
    let two = (1..exhaustive::TWO_WAY.len()).map(|count| (count, 2));
    let three = (3..=5).map(|count| (count, 3));
    let parts = two.chain(three).map(|(count, arity)| {
        let tally = exhaustive::run(count, arity, 1, effort);
        let is_whole = arity > 2 || tally.is_cut_off || tally.tried == exhaustive::TWO_WAY[count];
        assert!(is_whole, "{} graphs of {count} blocks, there are {}", tally.tried, exhaustive::TWO_WAY[count]);
        (format!("{count} blocks, {arity} ways"), tally)
    });
    parts.collect()
}

/// spirv-val, or a note that it is not there.
fn validator(rung: &str) -> Option<Validator> {
    Validator::find().map_err(|message| println!("{rung} without spirv-val: {message}")).ok()
}

fn filling(effort: &Effort) -> Vec<(String, Tally)> {
    vec![("random".to_owned(), filling::run(effort, validator("T1").as_ref()))]
}

/// Ballots are a test of their own, which is run as one.
fn reconvergence(_: &Effort) -> Vec<(String, Tally)> {
    let arguments = ["nextest", "run", "--cargo-profile", PROFILE, "--package", "reconverge-testing", "convergence::"];
    let mut tally = Tally { tried: 1, ..Tally::default() };
    if let Err(message) = run(&mut cargo(arguments)) {
        tally.push(Fault::new(FaultKind::Unequal, format!("the tests of convergence failed: {message}")));
    }
    vec![("crates/testing/tests/convergence.rs".to_owned(), tally)]
}

fn unstructurers(effort: &Effort) -> Vec<(String, Tally)> {
    vec![("programs".to_owned(), unstructurers::run(effort, validator("T3").as_ref()))]
}

fn consumers(effort: &Effort) -> Vec<(String, Tally)> {
    consumers::missing().iter().for_each(|name| println!("T4 without {name}: it is not installed"));
    vec![("shaders".to_owned(), consumers::run(effort, validator("T4").as_ref()))]
}

fn damage(effort: &Effort) -> Vec<(String, Tally)> {
    let plans = Effort { tries: effort.tries.min(200_000), ..effort.clone() };
    let mut parts = vec![("plans".to_owned(), damage::run_plans(&plans))];
    if let Some(validator) = validator("T5") {
        parts.push(("modules".to_owned(), damage::run_modules(effort, &validator)));
    }
    parts
}

fn scaling(effort: &Effort) -> Vec<(String, Tally)> {
    let (tally, curves) = scaling::run(effort, 400_000, Timed::Yes);
    let mut table = Table::new(&[
        "shape",
        "blocks",
        "after",
        "selectors",
        "nesting",
        "milliseconds",
        "size exponent",
        "time exponent",
    ]);
    for curve in &curves {
        let Some(last) = curve.points.last() else { continue };
        table.push([
            curve.name.to_owned(),
            last.blocks.to_string(),
            last.after.to_string(),
            last.selectors.to_string(),
            last.nesting.to_string(),
            format!("{:.1}", last.seconds * 1e3),
            format!("{:.2}", curve.size_exponent()),
            format!("{:.2}", curve.time_exponent()),
        ]);
    }
    print!("{table}");
    vec![("shapes".to_owned(), tally)]
}
