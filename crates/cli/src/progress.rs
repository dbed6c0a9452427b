//! Progress on a terminal, for work that takes longer than a second.
//!
//! ```text
//! 23 of 68 steps, gcm, 3 s, about 5 s left
//! ```
//!
//! A thread writes the line twice a second and erases it at the end. It starts only if stderr is an interactive terminal: a pipe, a log and
//! a program get nothing. The estimate assumes that all steps take equally long; there is none in the first tenth of the work.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::diagnostics::Reporter;

/// The time before progress is shown, and between two updates.
const DELAY: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(500);

/// Erases the line and goes to its beginning.
const ERASE: &str = "\r\x1b[K";

/// True while a progress line is on the terminal. Other output erases it first.
static IS_SHOWN: Mutex<bool> = Mutex::new(false);

/// Erases the line of progress, if there is one.
pub(crate) fn erase() {
    let mut is_shown = IS_SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::take(&mut *is_shown) {
        let _ = write!(io::stderr(), "{ERASE}");
    }
}

/// Shows the progress until it is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<ProgressState>,
    ended: Condvar,
}

#[derive(Debug)]
struct ProgressState {
    is_ended: bool,
    unit: &'static str,
    done: u64,
    /// 0 if unknown.
    all: u64,
    at: String,
}

impl Progress {
    /// Starts to watch the work.
    pub(crate) fn start(reporter: Reporter) -> Progress {
        let mut progress = Progress::unseen();
        if reporter.shows_progress() {
            progress.watch([DELAY, PERIOD], |line| {
                let mut is_shown = IS_SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = write!(io::stderr(), "{ERASE}{line}");
                *is_shown = true;
            });
        }
        progress
    }

    fn unseen() -> Progress {
        let state = ProgressState { is_ended: false, unit: "steps", done: 0, all: 0, at: String::new() };
        Progress { shared: Arc::new(Shared { state: Mutex::new(state), ended: Condvar::new() }), thread: None }
    }

    /// Starts a thread that shows lines: the first one after the first of the times, then others each after the second.
    fn watch(&mut self, times: [Duration; 2], mut show: impl FnMut(&str) + Send + 'static) {
        let shared = Arc::clone(&self.shared);
        self.thread = Some(std::thread::spawn(move || shared.show(times, &mut show)));
    }

    /// Sets the approximate number of steps.
    pub(crate) fn expect(&self, all: usize) {
        self.shared.state().all = all as u64;
    }

    /// Counts finished steps; the last one is `at`.
    pub(crate) fn finished(&self, done: u64, at: &str) {
        if self.thread.is_some() {
            let mut state = self.shared.state();
            state.done = done;
            at.clone_into(&mut state.at);
        }
    }

    /// Names the current work, if it has no steps.
    pub(crate) fn at(&self, what: &str) {
        what.clone_into(&mut self.shared.state().at);
    }

    /// Sets the number of finished parts and of all parts, which are shown from now on instead of steps.
    pub(crate) fn parts(&self, unit: &'static str, done: u32, all: u32) {
        if self.thread.is_some() {
            let mut state = self.shared.state();
            (state.unit, state.done, state.all) = (unit, done.into(), all.into());
            state.at.clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.state().is_ended = true;
        self.shared.ended.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
            erase();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, ProgressState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, [delay, period]: [Duration; 2], show: &mut impl FnMut(&str)) {
        let start = Instant::now();
        let mut wait = delay;
        loop {
            let waited = self.ended.wait_timeout_while(self.state(), wait, |state| !state.is_ended);
            let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if state.is_ended {
                break;
            }
            show(&state.line(start.elapsed()));
            drop(state);
            wait = period;
        }
    }
}

impl ProgressState {
    fn line(&self, elapsed: Duration) -> String {
        let count = if self.all > 0 { format!("{} of {} {}, ", self.done, self.all, self.unit) } else { String::new() };
        let at = if self.at.is_empty() { String::new() } else { format!("{}, ", self.at) };
        let left = self.left(elapsed).map_or_else(String::new, |left| format!(", about {} s left", left.as_secs() + 1));
        format!("{count}{at}{} s{left}", elapsed.as_secs())
    }

    /// The remaining time at the current rate.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let is_early = self.done.saturating_mul(10) < self.all;
        let rest = self.all.checked_sub(self.done).filter(|_| self.done > 0 && !is_early)?;
        Duration::try_from_secs_f64(elapsed.as_secs_f64() * rest as f64 / self.done as f64).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn state(done: u64, all: u64, at: &str) -> ProgressState {
        ProgressState { is_ended: false, unit: "steps", done, all, at: at.to_owned() }
    }

    #[test]
    fn the_line_says_how_far_and_how_long() {
        let line = |state: ProgressState| state.line(Duration::from_secs(4));
        assert_eq!(line(state(20, 60, "dce")), "20 of 60 steps, dce, 4 s, about 9 s left");
        assert_eq!(line(state(1, 60, "read")), "1 of 60 steps, read, 4 s");
        assert_eq!(line(state(0, 0, "")), "4 s");
    }

    /// A step is named until the next one is finished, and no line comes after the end.
    #[test]
    fn lines_name_the_finished_step() {
        let (lines, shown) = mpsc::channel();
        let mut progress = Progress::unseen();
        progress.watch([Duration::ZERO, Duration::from_millis(1)], move |line| {
            let _ = lines.send(line.to_owned());
        });
        for (done, step) in [(1, "picture of the graph"), (2, "picture of the plan")] {
            progress.finished(done, step);
            let named = format!("{step}, ");
            let next = || shown.recv_timeout(Duration::from_secs(60)).expect("a line names the step");
            while !next().starts_with(&named) {}
        }
        drop(progress);
        // The thread ended, and so do its lines.
        while let Ok(line) = shown.try_recv() {
            assert!(line.starts_with("picture of the plan, "), "{line}");
        }
        assert_eq!(shown.try_recv(), Err(mpsc::TryRecvError::Disconnected));
    }
}
