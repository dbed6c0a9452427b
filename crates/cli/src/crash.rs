//! Internal errors: the process does not abort, and the input is kept.
//!
//! If the work panics, or ends as [`Exit::Internal`], the command ends with exit code 70 and leaves a *reproducer*: a folder with the
//! input and a report (command line, version, passes that had finished, message). It is next to the output, as `OUT.crash`, or,
//! where that cannot be, in the folder for temporary files.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::diagnostics::{Diagnostic, Reporter};
use crate::exit::Exit;
use crate::input::Input;
use crate::output;
use crate::progress::Progress;
use crate::version;
use reconverge::InternalCode;

/// The progress of the work, for the report and for the progress line.
#[derive(Debug)]
pub(crate) struct Trace {
    steps: Mutex<Vec<String>>,
    failure: Mutex<Option<String>>,
    progress: Progress,
}

impl Trace {
    /// Notes that a step has finished.
    pub(crate) fn finished(&self, step: &str) {
        let mut steps = locked(&self.steps);
        steps.push(step.to_owned());
        self.progress.finished(steps.len() as u64, step);
    }

    /// The progress, for the progress line.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Records the message of the bug; only the first call counts.
    pub(crate) fn failed(&self, message: &str) {
        locked(&self.failure).get_or_insert_with(|| message.to_owned());
    }
}

/// The contents of a mutex, also if a thread panicked while it held the lock.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the work on an input. `beside` is the output, if there is one. The work runs in the calling thread: a new thread, with its stack
/// and heap, would cost a small module a twentieth of its time.
pub(crate) fn contained(
    input: &Input,
    beside: Option<&Path>,
    reporter: Reporter,
    work: impl FnOnce(&Trace) -> Result<(), Exit>,
) -> Result<(), Exit> {
    let progress = Progress::start(reporter);
    let trace = Arc::new(Trace { steps: Mutex::default(), failure: Mutex::default(), progress });
    let heard = Arc::clone(&trace);
    panic::set_hook(Box::new(move |panic| heard.failed(&panic.to_string())));
    // After a panic, only the trace is read, whose mutexes contain what they held.
    let ended = panic::catch_unwind(AssertUnwindSafe(|| work(&trace)));
    let _ = panic::take_hook();
    let ended = ended.unwrap_or(Err(Exit::Internal));
    if ended == Err(Exit::Internal) {
        report_bug(&Bug { input, beside, trace: &trace }, reporter);
    }
    ended
}

/// An internal error.
struct Bug<'a> {
    input: &'a Input,
    beside: Option<&'a Path>,
    trace: &'a Trace,
}

fn report_bug(bug: &Bug<'_>, reporter: Reporter) {
    let written = bug.write_beside().or_else(|_| bug.write_temporary());
    let suggestion = match written {
        Ok(folder) => {
            format!("this is a bug in reconverge: please report it and attach the folder {}", folder.display())
        }
        Err(error) => format!(
            "this is a bug in reconverge: please report it and attach the input (no reproducer was written: {error})"
        ),
    };
    let message = format!("internal error: {}", bug.message());
    reporter.report(&[Diagnostic {
        code: InternalCode::Internal.declared(),
        message,
        file: Some(bug.input.name.clone()),
        suggestion: Some(suggestion),
        ..Diagnostic::default()
    }]);
}

impl Bug<'_> {
    fn message(&self) -> String {
        locked(&self.trace.failure).clone().unwrap_or_else(|| "a worker ended without a result".to_owned())
    }

    fn write_beside(&self) -> io::Result<PathBuf> {
        let is_file = |path: &&Path| !output::is_stdout(path) && !path.starts_with("/dev");
        let output = self.beside.filter(is_file).ok_or(io::ErrorKind::Unsupported)?;
        let mut folder = output.as_os_str().to_owned();
        folder.push(".crash");
        let folder = PathBuf::from(folder);
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => self.write_into(&folder)?,
        }
        Ok(folder)
    }

    fn write_temporary(&self) -> io::Result<PathBuf> {
        let folder = tempfile::Builder::new().prefix("reconverge-crash-").tempdir()?;
        self.write_into(folder.path())?;
        Ok(folder.keep())
    }

    fn write_into(&self, folder: &Path) -> io::Result<()> {
        let name = format!("input.{}", self.input.extension);
        output::write(&folder.join(&name), &self.input.bytes)?;
        output::write(&folder.join("report.txt"), self.report(&name).as_bytes())
    }

    fn report(&self, name: &str) -> String {
        let mut text = version::line();
        let words: Vec<String> = std::env::args_os().map(|word| quoted(&word.to_string_lossy())).collect();
        let _ = writeln!(text, "command line: {}", words.join(" "));
        let _ = writeln!(text, "input: {name}, read from {}", self.input.name);
        let _ = writeln!(text, "completed steps: {}", locked(&self.trace.steps).join(", "));
        let _ = writeln!(text, "failure: {}", self.message());
        text
    }
}

/// A word, quoted for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./=,:+@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("--from=text"), "--from=text");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
