//! Random programs on this CPU in machine code, against the interpreter: records, ballots and values.
//!
//! Programs run in other processes, a line each, so that a crash is a verdict on one program.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use reconverge::pipeline::Level;
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{CpuTrial, CpuVerdict, cpu_program, judge_on_cpu, shrink};

/// Says to a process that it is the worker, and for what: width, vectors, missing lanes, the first seed and the one behind the last.
const WORKER: &str = "RECONVERGE_LANES_CPU_WORKER";
/// With this too, the worker makes the programs smaller and prints them.
const SHRINK: &str = "RECONVERGE_LANES_SHRINK";

/// A kind of pack, and how many of its lanes are not launched.
#[derive(Clone, Copy)]
struct Kind {
    width: u32,
    vectors: u32,
    missing: usize,
}

impl Kind {
    fn trial(self, seed: u64) -> CpuTrial {
        let level = [Level::None, Level::Speed, Level::Size][seed as usize % 3];
        let lanes = (self.width * self.vectors) as usize - self.missing;
        CpuTrial { level, width: self.width, vectors: self.vectors, lanes }
    }

    fn is_on_this_cpu(self) -> bool {
        match self.width {
            8 => std::is_x86_feature_detected!("avx2"),
            16 => std::is_x86_feature_detected!("avx512bw"),
            _ => true,
        }
    }
}

#[test]
fn worker() {
    let Ok(order) = std::env::var(WORKER) else { return };
    let numbers: Vec<u64> = order.split(' ').map(|word| word.parse().unwrap()).collect();
    let kind = Kind { width: numbers[0] as u32, vectors: numbers[1] as u32, missing: numbers[2] as usize };
    for seed in numbers[3]..numbers[4] {
        println!("\nseed\t{seed}");
        let judge = |program: &_| judge_on_cpu(program, seed, kind.trial(seed)).unwrap();
        let mut program = cpu_program(seed);
        if std::env::var_os(SHRINK).is_some() {
            program = shrink(&program, |program| matches!(judge(program), CpuVerdict::Wrong(_)));
            println!("{program}");
        }
        match judge(&program) {
            CpuVerdict::Equal => println!("equal"),
            CpuVerdict::Refused(what) => println!("refused\t{}", what.replace('\n', " ")),
            CpuVerdict::Wrong(what) => println!("wrong\t{}", what.replace('\n', " ")),
        }
    }
}

#[derive(Default)]
struct Tally {
    equal: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

/// Runs programs from a seed on, until all are done or the process ends. Returns the seed behind the last.
fn run_batch(kind: Kind, first: u64, end: u64, tally: &mut Tally) -> u64 {
    let mut command = Command::new(std::env::current_exe().expect("a test knows its program"));
    let order = format!("{} {} {} {first} {end}", kind.width, kind.vectors, kind.missing);
    command.args(["--exact", "lanes_cpu::worker", "--nocapture"]).env(WORKER, order);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the test program starts again");
    let (mut seed, mut is_open) = (first, false);
    for line in BufReader::new(child.stdout.take().expect("its output is piped")).lines().map_while(Result::ok) {
        let (word, rest) = line.split_once('\t').unwrap_or((&line, ""));
        match word {
            "seed" => (seed, is_open) = (rest.parse().expect("seeds are numbers"), true),
            "equal" => (tally.equal, is_open) = (tally.equal + 1, false),
            "refused" => {
                tally.refused.push(format!("seed {seed}: {rest}"));
                is_open = false;
            }
            "wrong" => {
                tally.wrong.push(format!("seed {seed}: {rest}"));
                is_open = false;
            }
            _ => {}
        }
    }
    let status = child.wait().expect("it ends");
    if is_open {
        tally.wrong.push(format!("seed {seed}: the process ended: {status}"));
    }
    seed + 1
}

fn hold(width: u32, vectors: u32, missing: usize) {
    let kind = Kind { width, vectors, missing };
    if !kind.is_on_this_cpu() {
        return;
    }
    let count = if is_deep() { 5_000 } else { 20 };
    let mut tally = Tally::default();
    let mut next = 0;
    while next < count {
        next = run_batch(kind, next, count, &mut tally);
    }
    println!(
        "width {width}, {vectors} vectors, {missing} lanes missing: {} equal, {} refused",
        tally.equal,
        tally.refused.len()
    );
    tally.refused.iter().for_each(|line| println!("refused: {line}"));
    assert!(tally.wrong.is_empty(), "{} of {count}:\n{}", tally.wrong.len(), tally.wrong.join("\n"));
    assert!(tally.refused.is_empty(), "{} are refused", tally.refused.len());
}

#[test]
fn eight_lanes() {
    hold(8, 1, 0);
}

#[test]
fn eight_lanes_in_two_vectors() {
    hold(8, 2, 0);
}

#[test]
fn sixteen_lanes() {
    hold(16, 1, 0);
}

#[test]
fn sixteen_lanes_in_two_vectors() {
    hold(16, 2, 0);
}

#[test]
fn packs_that_are_not_full() {
    hold(8, 1, 3);
    hold(16, 1, 5);
    hold(16, 2, 9);
}

#[test]
fn one_lane() {
    hold(1, 1, 0);
}
