//! `cargo xtask torture`: the torture ladder for minutes, and a table of what each rung found.

use std::time::{Duration, Instant};

use reconverge_testing::judge::Validator;
use reconverge_testing::torture::{Effort, FaultKind, Tally, exhaustive, fleshing};

use crate::table::Table;

/// What `cargo xtask torture` takes.
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
    /// How many graphs or programs a random rung tries, at most
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
const RUNGS: [(&str, f64, Run); 2] = [("exhaustive", 0.3, exhaustive), ("fleshing", 0.3, fleshing)];

/// Runs the rungs and prints a row for each part of them; a fault anywhere makes the command fail.
pub(crate) fn torture(arguments: &Arguments) -> Result<(), String> {
    println!("seed {}, {} threads, {} minutes", arguments.seed, arguments.threads, arguments.minutes);
    let mut table = Table::new(&HEADINGS);
    let mut sum = Tally::default();
    let chosen = (0..RUNGS.len()).filter(|&number| arguments.rung.is_none_or(|rung| rung == number));
    let chosen: Vec<usize> = chosen.collect();
    let shares: f64 = chosen.iter().map(|&number| RUNGS[number].1).sum();
    for number in chosen {
        let (name, share, run) = RUNGS[number];
        let start = Instant::now();
        let effort = Effort {
            seed: arguments.seed,
            tries: arguments.tries,
            deadline: Some(start + Duration::from_secs_f64(arguments.minutes * 60.0 * share / shares)),
            threads: arguments.threads,
        };
        for (part, tally) in run(&effort) {
            table.push(row(&format!("T{number} {name}: {part}"), &tally, start.elapsed().as_secs_f64()));
            tally.counts.iter().for_each(|(what, times)| println!("T{number} {part}: {what}: {times}"));
            sum = sum.and(tally);
        }
    }
    print!("{table}");
    sum.kept.iter().for_each(|fault| println!("{fault}"));
    if sum.is_clean() { Ok(()) } else { Err(format!("{} faults", sum.faults.iter().sum::<u64>())) }
}

const HEADINGS: [&str; 9] =
    ["rung", "tried", "invalid", "unequal", "crashes", "fallbacks", "worst growth", "partly walked", "seconds"];

fn row(name: &str, tally: &Tally, seconds: f64) -> [String; HEADINGS.len()] {
    let kinds = [FaultKind::Invalid, FaultKind::Unequal, FaultKind::Crash, FaultKind::Fallback];
    let [invalid, unequal, crashes, fallbacks] = kinds.map(|kind| tally.of(kind).to_string());
    let (after, before) = tally.worst;
    let worst = if before == 0 {
        "–".to_owned()
    } else {
        format!("{:.2} ({before} → {after})", after as f64 / before as f64)
    };
    let tried = format!("{}{}", tally.tried, if tally.is_cut_off { " (cut off)" } else { "" });
    let partly = tally.partly_walked.to_string();
    [name.to_owned(), tried, invalid, unequal, crashes, fallbacks, worst, partly, format!("{seconds:.0}")]
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

fn fleshing(effort: &Effort) -> Vec<(String, Tally)> {
    let validator = Validator::find();
    if let Err(message) = &validator {
        println!("T1 without spirv-val: {message}");
    }
    vec![("random".to_owned(), fleshing::run(effort, validator.as_ref().ok()))]
}
