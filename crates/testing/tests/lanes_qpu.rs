//! Random programs on the emulator of the VC4, against the interpreter: records, ballots and values. The words break no rule of the checker.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use reconverge::pipeline::Level;
use reconverge_testing::lanes::{CpuVerdict, QpuTrial, cpu_program, judge_on_qpu, shrink};
use reconverge_testing::{first_seed, is_deep};

/// With this, programs that fail are made smaller before they are printed.
const SHRINK: &str = "RECONVERGE_LANES_SHRINK";

#[derive(Default)]
struct Tally {
    equal: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

fn trial(seed: u64, lanes: usize) -> QpuTrial {
    QpuTrial { level: [Level::None, Level::Speed, Level::Size][seed as usize % 3], lanes }
}

fn judge(seed: u64, lanes: usize) -> CpuVerdict {
    let judge = |program: &_| {
        let judged = catch_unwind(AssertUnwindSafe(|| judge_on_qpu(program, seed, trial(seed, lanes))));
        match judged {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(message)) => CpuVerdict::Refused(format!("the program itself: {message}")),
            Err(_) => CpuVerdict::Wrong("a panic".to_owned()),
        }
    };
    let program = cpu_program(seed);
    let verdict = judge(&program);
    if matches!(verdict, CpuVerdict::Wrong(_)) && std::env::var_os(SHRINK).is_some() {
        let smaller = shrink(&program, |program| matches!(judge(program), CpuVerdict::Wrong(_)));
        let CpuVerdict::Wrong(what) = judge(&smaller) else { return verdict };
        return CpuVerdict::Wrong(format!("{what}\n{smaller}"));
    }
    verdict
}

/// Runs programs on packs of which some lanes are not launched.
fn hold(missing: usize, default: u64, deep: u64) {
    let (first, count) = (first_seed(), if is_deep() { deep } else { default });
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(first);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return;
            }
            let verdict = judge(seed, 16 - missing);
            let mut tally = tally.lock().expect("no thread panics");
            match verdict {
                CpuVerdict::Equal => tally.equal += 1,
                CpuVerdict::Refused(what) => tally.refused.push(format!("seed {seed}: {what}")),
                CpuVerdict::Wrong(what) => tally.wrong.push(format!("seed {seed}: {what}")),
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = if is_deep() { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 };
        (0..threads).for_each(|_| _ = scope.spawn(work));
    });
    let tally = tally.into_inner().expect("no thread panics");
    println!("{missing} lanes missing: {} equal, {} refused", tally.equal, tally.refused.len());
    tally.refused.iter().for_each(|line| println!("refused: {line}"));
    assert!(tally.wrong.is_empty(), "{} of {count}:\n{}", tally.wrong.len(), tally.wrong.join("\n"));
}

#[test]
fn packs_that_are_full() {
    hold(0, 10, 8_000);
}

#[test]
fn packs_without_some_lanes() {
    hold(5, 6, 5_000);
    hold(9, 4, 4_000);
}

#[test]
fn one_lane() {
    hold(15, 5, 3_000);
}
