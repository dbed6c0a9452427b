//! The kernels of this project. Each case runs in a process of its own, so that a crash is a verdict.
//!
//! A few cases run always, all of them with `RECONVERGE_DEEP=1`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::case::{Case, cases, root};
use super::trial::{Verdict, judge, settings};

/// The name of the test that is a worker.
const WORKER: &str = "cpu::folders::worker";
/// The variables that tell a worker its case and how many settings it takes one of.
const LAUNCH: &str = "RECONVERGE_CPU_LAUNCH";
const MODULE: &str = "RECONVERGE_CPU_MODULE";
const STRIDE: &str = "RECONVERGE_CPU_STRIDE";
/// What ends a worker that hangs. It is no measure of speed: a case takes seconds, on a busy machine a minute.
const HANG: Duration = Duration::from_secs(1800);

fn is_deep() -> bool {
    std::env::var_os("RECONVERGE_DEEP").is_some_and(|value| value == "1")
}

#[test]
#[ignore = "started by the tests of this file, with a case"]
fn worker() {
    // A run of all ignored tests has no case for it.
    let Ok(launch) = std::env::var(LAUNCH) else { return };
    let variable = |name: &str| std::env::var(name).expect("a worker is started with a case");
    let case = Case { launch: launch.into(), module: variable(MODULE).into() };
    let stride: usize = variable(STRIDE).parse().expect("a stride is a number");
    let first = case.name().len() % stride;
    let settings: Vec<_> = settings().into_iter().skip(first).step_by(stride).collect();
    println!();
    judge(&case, &settings, |setting, verdict| match verdict {
        Verdict::Equal => println!("equal\t{setting}"),
        Verdict::Refused(what) => println!("refused\t{setting}\t{}", what.replace('\n', " ")),
        Verdict::Wrong(what) => println!("wrong\t{setting}\t{}", what.replace('\n', " ")),
    });
    println!("done");
}

/// What workers found.
#[derive(Debug, Default)]
struct Tally {
    equal: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, case: &Case, output: &str, end: End) {
        let mut is_done = false;
        let mut last = "before the first setting".to_owned();
        for line in output.lines() {
            let mut parts = line.split('\t');
            let (kind, setting, what) = (parts.next(), parts.next().unwrap_or(""), parts.next().unwrap_or(""));
            let text = || format!("{}, {setting}: {what}", case.name());
            match kind {
                Some("equal") => self.equal += 1,
                Some("refused") => self.refused.push(text()),
                Some("wrong") => self.wrong.push(text()),
                Some("done") => is_done = true,
                _ => continue,
            }
            last = format!("behind {setting}");
        }
        if !is_done {
            let what = match end {
                End::Own => "the process ended".to_owned(),
                End::Hang => format!("ended as a hang, because it ran for {} minutes,", HANG.as_secs() / 60),
            };
            self.wrong.push(format!("{}: {what} {last}", case.name()));
        }
    }
}

/// How a worker ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Own,
    Hang,
}

fn run_worker(case: &Case, stride: usize) -> (String, End) {
    let mut command = Command::new(std::env::current_exe().expect("a test has a program"));
    command.args([WORKER, "--exact", "--ignored", "--nocapture"]);
    command.env(LAUNCH, &case.launch).env(MODULE, &case.module).env(STRIDE, stride.to_string());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a worker starts");
    let mut stdout = child.stdout.take().expect("stdout is a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut stdout, &mut text).ok();
        text
    });
    let (start, mut end) = (Instant::now(), End::Own);
    while child.try_wait().expect("a worker can be waited for").is_none() {
        if start.elapsed() > HANG {
            child.kill().ok();
            end = End::Hang;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    (reader.join().expect("the reader does not panic"), end)
}

/// Runs every case of a folder, or one of `stride` cases and settings unless the run is deep.
fn hold_folder(folder: &Path, stride: usize) {
    let stride = if is_deep() { 1 } else { stride };
    let only = std::env::var("RECONVERGE_CPU_ONLY").unwrap_or_default();
    let cases: Vec<Case> =
        cases(folder).into_iter().filter(|case| case.name().contains(&only)).step_by(stride).collect();
    let tally = Mutex::new(Tally::default());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (output, end) = run_worker(case, stride);
            tally.lock().expect("no thread panics").add(case, &output, end);
        }
    };
    std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        (0..count).for_each(|_| _ = scope.spawn(work));
    });
    let mut tally = tally.into_inner().expect("no thread panics");
    tally.refused.sort();
    tally.wrong.sort();
    println!("{}: {} cases, {} runs equal", folder.display(), cases.len(), tally.equal);
    tally.refused.iter().for_each(|line| println!("refused: {line}"));
    tally.wrong.iter().for_each(|line| println!("wrong: {line}"));
    assert!(tally.wrong.is_empty(), "{} of {} runs are wrong", tally.wrong.len(), tally.equal + tally.wrong.len());
}

#[test]
fn kernels_of_the_project_are_as_on_the_interpreter() {
    hold_folder(&root().join("tests/kernels"), 16);
}

#[test]
fn kernels_with_many_exits_are_as_on_the_interpreter() {
    hold_folder(&root().join("tests/kernels/breaks"), 9);
}

#[test]
fn kernels_that_front_ends_get_wrong_are_as_on_the_interpreter() {
    hold_folder(&root().join("tests/kernels/faults"), 8);
}

#[test]
fn kernels_of_hard_control_flow_are_as_on_the_interpreter() {
    hold_folder(&root().join("tests/kernels/flow"), 6);
}
