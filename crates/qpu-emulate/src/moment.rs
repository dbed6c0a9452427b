//! When something happens.

/// When an instruction is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The QPU that executes it.
    pub(crate) qpu: usize,
    /// Its number among the instructions that the QPU has executed. Distances between instructions are counted with it.
    pub(crate) number: u64,
    /// Latencies of units are counted with it.
    pub(crate) cycle: u64,
}
