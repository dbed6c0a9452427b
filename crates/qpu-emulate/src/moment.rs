//! Moments of a launch.

/// The time at which an instruction is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The QPU that executes it.
    pub(crate) qpu: usize,
    /// Its number among the instructions that the QPU has executed. Distances between instructions are measured with it.
    pub(crate) number: u64,
    /// The cycle. Latencies of units are measured with it.
    pub(crate) cycle: u64,
}
