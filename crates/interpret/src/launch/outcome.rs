//! Outcomes: how a run ended, and its results.

use reconverge_ir::{Block, Function, Inst};

use crate::{Contents, End, Missed, Race, Texel, Value};

/// The outcome of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// One entry for each lane.
    pub lanes: Vec<LaneOutcome>,
    /// The buffers of the launch, as the lanes left them.
    pub buffers: Vec<Buffer>,
    /// The final contents of the observed variables; those of each lane occur once per lane.
    pub variables: Vec<Contents>,
    /// The texels that the lanes wrote, by image, coordinates and sample.
    pub images: Vec<Texel>,
    /// The data races that were detected, if requested: at most 16, each pair of instructions once. Lanes are numbered along x.
    pub races: Vec<Race>,
}

impl Outcome {
    /// The outcome of the first lane; of the only one, if there is one.
    pub fn only(&self) -> &LaneOutcome {
        &self.lanes[0]
    }

    /// The contents of an observed variable: for a variable of each lane, that of this lane.
    pub fn variable(&self, variable: Inst, lane: usize) -> Option<&Value> {
        let found = self
            .variables
            .iter()
            .find(|contents| contents.variable == variable && contents.lane.is_none_or(|owner| owner == lane));
        found.map(|contents| &contents.value)
    }
}

/// The outcome of one lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneOutcome {
    /// The end of the run.
    pub end: End,
    /// Every block that was entered, in order, those of called functions and edge blocks among them. Empty if not requested.
    pub trace: Vec<(Function, Block)>,
    /// The number of executed instructions, including terminators.
    pub executed: u64,
    /// The lane that it waited for without success at a barrier or group operation, if it ended that way.
    pub missed: Option<Missed>,
}

/// Bytes that lanes wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// The bytes; zero where undefined.
    pub bytes: Vec<u8>,
    /// For each byte, whether it is defined.
    pub defined: Vec<bool>,
}
