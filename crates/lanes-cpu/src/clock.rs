//! The time that a thread runs: what another process takes of the CPU meanwhile does not count.
#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "the system has the clock"))]

use std::time::Duration;

/// The time for which this thread has run, from an arbitrary beginning; if the system does not say so, the time for which it has existed.
#[cfg(target_os = "linux")]
pub(crate) fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is there to be written, and every thread has this clock.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    debug_assert_eq!(result, 0, "invariant: every thread has this clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time for which this thread has run, from an arbitrary beginning; if the system does not say so, the time for which it has existed.
#[cfg(not(target_os = "linux"))]
pub(crate) fn thread_time() -> Duration {
    use std::time::Instant;
    thread_local! {
        static START: Instant = Instant::now();
    }
    START.with(Instant::elapsed)
}
