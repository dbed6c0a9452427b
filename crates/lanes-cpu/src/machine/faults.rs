//! Signals while generated code runs: accesses to memory that is not there, and requests to end.
//!
//! ```text
//! a fault in the body of code that this thread watches    ⇒ its address is noted, the code ends with FAULT
//! SIGURG there, while an end is requested                 ⇒ the code ends with INTERRUPTED
//! any of these signals elsewhere                          ⇒ the handler that was there before
//! ```
//!
//! The body does not move the stack pointer, so that it can end at every instruction: the handler sets the result and the instruction
//! pointer to those of a trap. Code has no tests for any of this and is not slower.
//!
//! The handlers are installed once and for the whole process. `SIGURG` is the signal that requests a thread to read its request, because a
//! process that has no handler for it ignores it.

use std::cell::Cell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering, compiler_fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Code, signals};

/// True if faults and requests to end are noticed on this system. If they are not, a fault ends the process, and a request takes effect at
/// the end of a work-group.
pub const NOTICES_FAULTS: bool = signals::EXIST;

/// The time between two signals that request a thread to end: the signal may reach it where it cannot end.
const AGAIN: Duration = Duration::from_millis(1);

/// An access to memory that is not there.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fault {
    /// The address that was accessed; none if the system does not say it, because no memory can have it.
    pub address: Option<u64>,
    /// The address of the instruction.
    pub instruction: usize,
    /// The address of the frame of the pack.
    pub frame: u64,
}

/// The state that the handler reads and writes on the thread that the signal reaches.
pub(super) struct Record {
    pub(super) body: Range<usize>,
    pub(super) epilogue: usize,
    pub(super) fault: Cell<Fault>,
    /// A flag that is set if an end is requested.
    pub(super) request: *const AtomicBool,
}

thread_local! {
    /// The code that this thread runs, if it is watched: null, or a record of a [`Watch::during`] that has not returned.
    pub(super) static CURRENT: AtomicPtr<Record> = const { AtomicPtr::new(ptr::null_mut()) };
}

/// Notices signals in code on this thread.
pub struct Watch<'a> {
    record: &'a Record,
}

impl Watch<'_> {
    /// Watches code on this thread while `work` runs.
    ///
    /// The record that the handler reads is this call's. It leaves `CURRENT` before it is freed, in whatever way the call ends: a watch cannot
    /// be kept, moved to another thread, or end before one that began after it.
    pub fn during<R>(code: &Code, request: &Request, work: impl FnOnce(&Watch<'_>) -> R) -> R {
        signals::install();
        let record =
            Record { body: code.body(), epilogue: code.epilogue(), fault: Cell::default(), request: &request.is_made };
        // First what the handler reads, then where it is: dropped in the other order.
        let _listed = Listed::new(request);
        let _current = Current::new(&record);
        work(&Watch { record: &record })
    }

    /// The last fault.
    pub fn fault(&self) -> Fault {
        compiler_fence(Ordering::SeqCst);
        self.record.fault.get()
    }
}

/// While it lives, a record is the current one of this thread.
struct Current {
    before: *mut Record,
}

impl Current {
    fn new(record: &Record) -> Current {
        Current { before: exchange(ptr::from_ref(record).cast_mut()) }
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        exchange(self.before);
    }
}

/// Makes a record the current one. A signal interrupts this thread between two of its instructions, so that nothing may be moved across.
fn exchange(record: *mut Record) -> *mut Record {
    compiler_fence(Ordering::SeqCst);
    let before = CURRENT.with(|current| current.swap(record, Ordering::SeqCst));
    compiler_fence(Ordering::SeqCst);
    before
}

/// While it lives, this thread is one that gets requests.
struct Listed<'a> {
    request: &'a Request,
}

impl Listed<'_> {
    fn new(request: &Request) -> Listed<'_> {
        request.add_this_thread();
        Listed { request }
    }
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.request.remove_this_thread();
    }
}

/// A request to end to all threads that run a launch.
#[derive(Debug, Default)]
pub struct Request {
    is_made: AtomicBool,
    threads: Mutex<Vec<signals::Thread>>,
}

impl Request {
    /// Returns whether it was made.
    pub fn is_made(&self) -> bool {
        self.is_made.load(Ordering::Relaxed)
    }

    /// Runs `work`, and requests its end when the time is over. Without a limit, the end is never requested.
    pub fn after<R>(limit: Option<Duration>, work: impl FnOnce(&Request) -> R) -> R {
        let request = Request::default();
        let Some(limit) = limit else { return work(&request) };
        let finished = Finished::default();
        std::thread::scope(|scope| {
            let watch = || {
                finished.wait(limit);
                request.is_made.store(!finished.is_so(), Ordering::Relaxed);
                while !finished.is_so() {
                    request.tell_threads();
                    finished.wait(AGAIN);
                }
            };
            // Where the system gives no thread, there is no limit.
            let _ = std::thread::Builder::new().spawn_scoped(scope, watch);
            let _at_end = Finishing(&finished);
            work(&request)
        })
    }

    fn add_this_thread(&self) {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(signals::this_thread());
    }

    fn remove_this_thread(&self) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = threads.iter().position(|&thread| thread == signals::this_thread()) {
            threads.swap_remove(place);
        }
    }

    /// A thread leaves the list before it ends, so that those in it exist as long as the list is locked.
    fn tell_threads(&self) {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.iter().for_each(|&thread| signals::tell(thread));
    }
}

/// A flag that is set when something is done, for a thread that waits for it.
#[derive(Default)]
struct Finished {
    is_so: Mutex<bool>,
    changed: Condvar,
}

impl Finished {
    fn is_so(&self) -> bool {
        *self.is_so.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is done, at most so long.
    fn wait(&self, limit: Duration) {
        let start = Instant::now();
        let mut is_so = self.is_so.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(left) = limit.checked_sub(start.elapsed()).filter(|left| !left.is_zero() && !*is_so) {
            // The longest wait that a system knows is shorter than the longest duration.
            let left = left.min(Duration::from_secs(1 << 20));
            is_so = self.changed.wait_timeout(is_so, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Reports at its end that something is done, also when a panic ends it.
struct Finishing<'a>(&'a Finished);

impl Drop for Finishing<'_> {
    fn drop(&mut self) {
        *self.0.is_so.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}
