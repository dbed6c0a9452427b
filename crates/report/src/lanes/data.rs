//! Runs of lanes as data. Their JSON form is these structs, field by field; `docs/report.md` describes it.
//!
//! A set of lanes is an integer: bit `i` represents lane `i`.

use serde::Serialize;

/// The execution of lanes in the states of a module.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Lanes {
    /// The reason why there are no launches; empty if there are some.
    pub absent: String,
    /// The limits of the recording.
    pub limits: LaneLimits,
    /// The launches, each in the states of the module.
    pub launches: Vec<LaneLaunch>,
}

/// The limits of a recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LaneLimits {
    /// Lanes that are recorded: the first ones of the first work-group.
    pub lanes: u32,
    /// Moves of lanes of a run; then its recording ends.
    pub moves: u32,
    /// Instructions that all lanes of the work-group execute together.
    pub instructions: u64,
    /// Launches.
    pub launches: u32,
    /// Different runs of a launch.
    pub runs: u32,
}

impl LaneLimits {
    /// Lanes that are recorded.
    pub const LANES: usize = 8;
    /// Moves of a run.
    pub const MOVES: u32 = 2_000;
    /// Instructions of all lanes of the work-group.
    pub const INSTRUCTIONS: u64 = 200_000;
    /// Launches.
    pub const LAUNCHES: u32 = 4;
    /// Different runs of a launch.
    pub const RUNS: u32 = 16;
}

impl Default for LaneLimits {
    fn default() -> LaneLimits {
        LaneLimits {
            lanes: LaneLimits::LANES as u32,
            moves: LaneLimits::MOVES,
            instructions: LaneLimits::INSTRUCTIONS,
            launches: LaneLimits::LAUNCHES,
            runs: LaneLimits::RUNS,
        }
    }
}

/// A function that was run with the same inputs in the states of a module.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LaneLaunch {
    /// The function, by its name in the text form.
    pub function: String,
    /// The source of the inputs: a launch file, or flags of `reconverge run`, or a generator.
    pub inputs: String,
    /// One for each pass.
    pub states: Vec<LaneState>,
    /// The different runs.
    pub runs: Vec<LaneRun>,
    /// Each two runs, compared.
    pub comparisons: Vec<Comparison>,
}

/// The recording of the module after a pass.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LaneState {
    /// Index of [`LaneLaunch::runs`], if there is a run.
    pub run: Option<u32>,
    /// The reason why there is none; empty if there is one.
    pub reason: String,
}

/// A run of some lanes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LaneRun {
    /// The number of lanes.
    pub lanes: u32,
    /// The simultaneous moves. Lanes that do not wait for each other move at once, whatever order the interpreter has.
    pub steps: Vec<Vec<LaneMove>>,
    /// The executed operations whose result depends on which lanes execute them together, in the order of their steps.
    pub operations: Vec<Operation>,
    /// The end of each lane.
    pub ends: Vec<LaneEnd>,
    /// True if a limit ended it, of moves or of instructions.
    pub is_cut: bool,
}

/// Lanes that enter a block together, or that execute an operation in it together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LaneMove {
    /// The identity of the block.
    pub block: u32,
    /// The lanes: the execution mask.
    pub lanes: u32,
    /// Index of [`LaneRun::operations`], if they execute one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<u32>,
}

/// An operation that lanes executed together: a ballot, another group operation, a derivative, a barrier.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Operation {
    /// Index of [`LaneRun::steps`].
    pub step: u32,
    /// The identity of the instruction, the same in all passes.
    pub inst: u32,
    /// Its op.
    pub op: String,
    /// The name of its result; empty if it has none.
    pub result: String,
    /// The identity of its block.
    pub block: u32,
    /// The lanes.
    pub lanes: u32,
    /// The results of these lanes, ascending; a single one if all are equal, none if there is no result.
    pub values: Vec<String>,
}

/// The end of a lane.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LaneEnd {
    /// The first step in which it is not any more.
    pub step: u32,
    /// A description of the end.
    pub text: String,
}

/// Two runs of a launch, compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Comparison {
    /// Index of [`LaneLaunch::runs`].
    pub before: u32,
    /// Index of [`LaneLaunch::runs`].
    pub after: u32,
    /// The operations of both, those of `before` first.
    pub pairs: Vec<OperationPair>,
}

/// The same operation in two runs, or one that only one run has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OperationPair {
    /// Index of the operations of the run before.
    pub before: Option<u32>,
    /// Index of the operations of the run after.
    pub after: Option<u32>,
    /// The lanes that it is about.
    pub lanes: u32,
    /// The comparison.
    pub verdict: Verdict,
}

/// The comparison of two executions of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The same lanes execute it, with the same results.
    Agree,
    /// Other lanes execute it together.
    OtherLanes,
    /// The same lanes execute it, with other results.
    OtherValues,
    /// The run after does not have it.
    OnlyBefore,
    /// The run before does not have it.
    OnlyAfter,
}

impl Operation {
    /// The result in a lane, if the lane executed it and it has one.
    pub fn value(&self, lane: usize) -> Option<&str> {
        if self.lanes >> lane & 1 == 0 {
            return None;
        }
        let below = (self.lanes & ((1 << lane) - 1)).count_ones() as usize;
        let place = if self.values.len() == 1 { 0 } else { below };
        self.values.get(place).map(String::as_str)
    }
}
