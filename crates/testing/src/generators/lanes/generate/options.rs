//! Options of random programs.

/// The features of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneOptions {
    /// The maximal nesting of statements.
    pub depth: usize,
    /// Loops.
    pub loops: bool,
    /// Switches.
    pub switches: bool,
    /// Cases with fall-through. Whether lanes reconverge there is undefined, under maximal reconvergence too (M10).
    pub falls: bool,
    /// Procedures that are called.
    pub calls: bool,
    /// Variables in memory, private memory and shared memory.
    pub memory: bool,
    /// Conditions that differ from lane to lane.
    pub divergence: bool,
    /// Returns before the end.
    pub returns: bool,
    /// Lanes that end by `kill`, which only fragment shaders have: a module for the interpreter.
    pub kill: bool,
    /// Exchanges through shared memory with barriers, where all lanes are converged.
    pub barriers: bool,
    /// The uses of results of subgroup operations.
    pub subgroup: SubgroupUse,
    /// The places of records.
    pub records: Records,
    /// Loops with loop controls.
    pub hints: bool,
}

/// The uses of results of subgroup operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubgroupUse {
    /// There are none except the ballots of the records.
    None,
    /// They are only recorded: control flow does not depend on convergence.
    Recorded,
    /// Anything.
    Everywhere,
}

/// The places of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Records {
    /// At random places.
    Some,
    /// At the start of every block with a statement.
    EveryBlock,
}

impl Default for LaneOptions {
    fn default() -> LaneOptions {
        LaneOptions {
            depth: 5,
            loops: true,
            switches: true,
            falls: true,
            calls: true,
            memory: true,
            divergence: true,
            returns: true,
            kill: false,
            barriers: false,
            subgroup: SubgroupUse::Everywhere,
            records: Records::Some,
            hints: false,
        }
    }
}
