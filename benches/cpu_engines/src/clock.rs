//! The CPU time of this process, and the core that it runs on.
//!
//! Wall-clock time on a machine that does other work measures that work as well. The CPU time of the process is that of all its threads, so an
//! engine gains nothing from threads of its own.

use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

/// CPU time of the process since its start.
pub(crate) fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The milliseconds of CPU time that something takes, and its result.
pub(crate) fn timed<T>(what: impl FnOnce() -> T) -> (f64, T) {
    let start = cpu_time();
    let result = what();
    (milliseconds(cpu_time() - start), result)
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Runs this thread, and all threads and processes that it starts, on one core: the given one, or the last that it may use.
pub(crate) fn use_one_core(core: Option<usize>) -> Result<usize, String> {
    let allowed = sched_getaffinity(None).map_err(|error| error.to_string())?;
    let last = (0..CpuSet::MAX_CPU).rev().find(|&core| allowed.is_set(core));
    let core = core.or(last).ok_or("there is no core")?;
    let mut one = CpuSet::new();
    one.set(core);
    sched_setaffinity(None, &one).map_err(|error| format!("core {core}: {error}"))?;
    Ok(core)
}
