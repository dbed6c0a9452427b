//! Runs a test runner, passes its output on line by line, and collects the names of the tests that failed.
//!
//! ```text
//!      Summary [  12.3s] 900 tests run: 899 passed, 1 failed      of nextest: the tests that did not pass follow
//!         FAIL [   0.1s] (7/900) reconverge-cli::tests run::a
//!
//! failures:                                                       of libtest: names follow, four blanks before each
//!     run::a
//! ```

use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use xtask_setup::workspace::shown;

/// The time to wait for the rest of the output after the runner has ended: a process that a test left may hold the pipe open forever.
const REST: Duration = Duration::from_secs(5);

/// Names of failed tests, from both streams.
type Names = Arc<Mutex<Vec<String>>>;

/// Runs a test runner.
///
/// # Errors
/// It cannot be started, or it failed: with the names of the tests.
pub(super) fn run(command: &mut Command) -> Result<(), String> {
    let text = shown(command);
    eprintln!("$ {text}");
    // A runner that writes to a pipe has no colors by itself.
    if std::io::stderr().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| format!("{text}: {error}"))?;
    let names = Names::default();
    let (ended, is_ended) = channel();
    type Stream = (Option<Box<dyn Read + Send>>, Box<dyn Write + Send>);
    let streams: [Stream; 2] = [
        (child.stdout.take().map(|stream| Box::new(stream) as _), Box::new(std::io::stdout())),
        (child.stderr.take().map(|stream| Box::new(stream) as _), Box::new(std::io::stderr())),
    ];
    for (stream, to) in streams {
        let (stream, names, ended) = (stream.expect("invariant: both are piped"), names.clone(), ended.clone());
        std::thread::spawn(move || {
            pass_on(stream, to, &names);
            ended.send(()).ok();
        });
    }
    let status = child.wait().map_err(|error| format!("{text}: {error}"))?;
    (0..2).for_each(|_| _ = is_ended.recv_timeout(REST));
    let names = names.lock().expect("invariant: no reader panics while it holds the lock");
    match (status.success(), names.len()) {
        (true, _) => Ok(()),
        (false, 0) => Err(format!("{text} ended with {status}, and named no test")),
        (false, count) => Err(format!("{count} failed\n  {}", names.join("\n  "))),
    }
}

/// Writes every line as it comes. A reader that has ended does not stop the tests.
fn pass_on(stream: impl Read, mut to: impl Write, names: &Names) {
    let mut reader = BufReader::new(stream);
    let (mut scan, mut line) = (Scan::default(), Vec::new());
    while reader.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        let _ = to.write_all(&line).and_then(|()| to.flush());
        if let Some(name) = scan.name(&plain(&String::from_utf8_lossy(&line))) {
            names.lock().expect("invariant: no reader panics while it holds the lock").push(name);
        }
        line.clear();
    }
}

/// The part of a runner's output that a line belongs to.
#[derive(Default)]
enum Scan {
    #[default]
    Elsewhere,
    /// Behind the summary of nextest.
    Summary,
    /// In the names of libtest.
    Failures,
}

impl Scan {
    /// The name of a failed test, if the next line has one.
    fn name(&mut self, line: &str) -> Option<String> {
        let text = line.trim();
        if text.starts_with("Summary [") {
            *self = Scan::Summary;
            return None;
        }
        if line.trim_end() == "failures:" {
            *self = Scan::Failures;
            return None;
        }
        match self {
            Scan::Elsewhere => None,
            Scan::Summary => {
                // STATUS [TIME] (NUMBER/COUNT) PROGRAM TEST
                let (_, rest) = text.split_once("] ").filter(|(status, _)| status.contains('['))?;
                let rest = rest.trim_start();
                let name = rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(rest, |(_, name)| name);
                Some(name.trim().to_owned())
            }
            Scan::Failures => {
                let name = line.strip_prefix("    ").map(str::trim).filter(|name| !name.is_empty());
                if name.is_none() {
                    *self = Scan::Elsewhere;
                }
                name.map(str::to_owned)
            }
        }
    }
}

/// A line without its colors: escape sequences begin with `ESC [` and end with a letter.
fn plain(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(|end: char| end.is_ascii_alphabetic()).map_or("", |it| it.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(output: &str) -> Vec<String> {
        let mut scan = Scan::default();
        output.lines().filter_map(|line| scan.name(&plain(line))).collect()
    }

    #[test]
    fn names_come_from_the_end_of_nextest() {
        let output = "        FAIL [   0.005s] (1/3) a::tests one\n  stdout ---\n\n    thread 'one' panicked\n\
             ────────────\n\u{1b}[31m     Summary\u{1b}[0m [   0.010s] 3 tests run: 1 passed, 2 failed, 4 skipped\n\
             \u{1b}[31;1m        FAIL\u{1b}[0m [   0.005s] (1/3) \u{1b}[35ma::tests\u{1b}[0m one\n     SIGABRT [   0.001s] (2/3) a::tests two::three\n\
             error: test run failed\n";
        assert_eq!(names(output), ["a::tests one", "a::tests two::three"]);
    }

    #[test]
    fn names_come_from_the_list_of_libtest() {
        let output = "running 2 tests\n.F\nfailures:\n\n---- one stdout ----\n    at here\n\n\nfailures:\n    one\n    src/lib.rs - f (line 3)\n\n\
             test result: FAILED. 1 passed; 2 failed\n    not a name\n";
        assert_eq!(names(output), ["one", "src/lib.rs - f (line 3)"]);
    }
}
