//! What random programs may hold.

/// What a program may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneOptions {
    /// How deep statements nest.
    pub depth: usize,
    /// Loops.
    pub loops: bool,
    /// Switches.
    pub switches: bool,
    /// Cases that go on in the next one. Whether lanes join there is open, under maximal reconvergence too (M10).
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
    /// Exchanges through shared memory with barriers, where all lanes come.
    pub barriers: bool,
    /// What the results of operations on the subgroup may decide.
    pub subgroup: SubgroupUse,
    /// Where records stand.
    pub records: Records,
    /// Loops that say how they want to be transformed.
    pub hints: bool,
}

/// What the results of operations on the subgroup may decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubgroupUse {
    /// There are none but the ballots of the records.
    None,
    /// They are recorded and never looked at: where lanes go does not depend on who came together.
    Recorded,
    /// Anything.
    Everywhere,
}

/// Where records stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Records {
    /// Here and there.
    Some,
    /// In every block that has a statement, first.
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
