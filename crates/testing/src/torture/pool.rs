//! Work on all cores; panics are counted and hangs reported.
//!
//! Workers take units of work by number, and each has a tally; the tallies are summed in the order of the workers. A watchdog checks the
//! current input of every worker, and ends the process with the input that takes longer than [`HANG`], since a single thread cannot be
//! ended.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::plan::Verdict;
use super::tally::{Fault, FaultKind, Tally};

/// The time after which a process is ended because it hangs. It is no measure of speed: an input takes milliseconds, on a busy machine
/// seconds.
const HANG: Duration = Duration::from_secs(1200);

/// The extent of a test.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The seed of all random choices.
    pub seed: u64,
    /// The maximal number of graphs or programs. Tests that are not random ignore it.
    pub tries: u64,
    /// The deadline.
    pub deadline: Option<Instant>,
    /// The number of threads.
    pub threads: usize,
}

impl Effort {
    /// This number of tests from this seed, on two threads, without a deadline.
    pub fn tries(seed: u64, tries: u64) -> Effort {
        Effort { seed, tries, deadline: None, threads: 2 }
    }

    /// Returns whether the deadline has passed.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The current input and the results of a worker.
pub struct Worker<'w> {
    /// Its results.
    pub tally: Tally,
    hand: &'w Mutex<Option<(Instant, String)>>,
}

impl Worker<'_> {
    /// Runs one test, with a description for the watchdog: counts its result, or a panic.
    pub fn attempt(&mut self, describe: impl Fn() -> String, work: impl FnOnce() -> Verdict) {
        self.tally.tried += 1;
        self.hold(Some((Instant::now(), describe())));
        let outcome = catch_unwind(AssertUnwindSafe(work));
        self.hold(None);
        match outcome {
            Ok(Verdict::Fine { before, after, is_complete }) => {
                self.tally.partly_walked += u64::from(!is_complete);
                self.tally.grow(before, after);
            }
            Ok(Verdict::Fault(fault)) => self.tally.push(fault),
            Err(payload) => {
                let message = format!("{}\n  {}", describe(), panic_message(payload.as_ref()));
                self.tally.push(Fault::new(FaultKind::Crash, message));
            }
        }
    }

    fn hold(&self, thing: Option<(Instant, String)>) {
        *self.hand.lock().expect("invariant: nothing panics while it holds this lock") = thing;
    }
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("with something that is no text"))
}

/// Runs the units `0..pieces` of some work on the threads of the effort, until all are done or the deadline has passed.
pub fn in_parallel(pieces: usize, effort: &Effort, work: impl Fn(usize, &mut Worker<'_>) + Sync) -> Tally {
    let next = AtomicUsize::new(0);
    let hands: Vec<Mutex<Option<(Instant, String)>>> = (0..effort.threads).map(|_| Mutex::new(None)).collect();
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        let workers: Vec<_> = hands
            .iter()
            .map(|hand| {
                let (next, work) = (&next, &work);
                scope.spawn(move || {
                    let mut worker = Worker { tally: Tally::default(), hand };
                    loop {
                        let piece = next.fetch_add(1, Ordering::Relaxed);
                        if piece >= pieces {
                            break;
                        }
                        if effort.is_over() {
                            worker.tally.is_cut_off = true;
                            break;
                        }
                        work(piece, &mut worker);
                    }
                    worker.tally
                })
            })
            .collect();
        let hands = &hands;
        scope.spawn(move || watch(hands, &is_done));
        let tallies = workers.into_iter().map(|worker| worker.join().expect("a worker counts panics"));
        let sum = tallies.fold(Tally::default(), Tally::and);
        drop(done);
        sum
    })
}

/// Ends the process if a worker has had the same input for too long.
fn watch(hands: &[Mutex<Option<(Instant, String)>>], is_done: &std::sync::mpsc::Receiver<()>) {
    while is_done.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
        for hand in hands {
            let held = hand.lock().expect("invariant: nothing panics while it holds this lock");
            if let Some((since, thing)) = &*held
                && since.elapsed() > HANG
            {
                eprintln!("ended as a hang: {} minutes on one input\n{thing}", since.elapsed().as_secs() / 60);
                std::process::exit(3);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_and_panics_are_counted() {
        let tally = in_parallel(100, &Effort::tries(0, 0), |piece, worker| {
            worker.attempt(
                || piece.to_string(),
                || {
                    assert!(piece % 10 != 3, "three");
                    Verdict::Fine { before: 1, after: piece, is_complete: true }
                },
            );
        });
        assert_eq!((tally.tried, tally.of(FaultKind::Crash), tally.worst), (100, 10, (99, 1)));
    }
}
