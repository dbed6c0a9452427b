//! Runs: what lanes were given, what they recorded.

use std::fmt;

use crate::generators::lanes::{PER_LANE, UNIFORMS};
use crate::random::{Random, mix};

/// What the lanes of a run get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// How many lanes there are, 64 at most.
    pub lanes: usize,
    /// What all of them get. The first is the number of lanes.
    pub uniforms: [u32; UNIFORMS],
    /// What decides the inputs of each lane.
    pub seed: u64,
}

impl Inputs {
    /// Inputs for so many lanes. The same seed gives a lane the same inputs, however many there are.
    pub fn new(lanes: usize, seed: u64) -> Inputs {
        let mut random = Random::new(seed);
        let mut uniforms = [0; UNIFORMS];
        uniforms.fill_with(|| random.below(16) as u32);
        uniforms[0] = lanes as u32;
        Inputs { lanes, uniforms, seed }
    }

    /// An input of a lane; small numbers mostly.
    pub fn per_lane(&self, lane: usize, index: usize) -> u32 {
        let word = mix(self.seed ^ mix((lane * PER_LANE + index) as u64 + 1)) as u32;
        if word & 0x300 == 0 { word >> 10 } else { word & 15 }
    }
}

/// What a lane wrote down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Where it was.
    pub point: u32,
    /// Which lanes were there with it.
    pub ballot: u64,
    /// The value.
    pub value: u32,
}

/// How a lane ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The program returned this.
    Returned(u32),
    /// By `kill`.
    Killed,
    /// In any other way, as the engine puts it.
    Otherwise(String),
}

/// What all lanes did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// By lane: its records in order.
    pub records: Vec<Vec<Record>>,
    /// By lane: how it ended.
    pub ends: Vec<Ended>,
}

/// Checks that two runs are the same.
///
/// # Errors
/// The first difference of the first lane that shows one.
pub fn compare_runs(left: &Run, right: &Run) -> Result<(), String> {
    for (lane, (old, new)) in left.records.iter().zip(&right.records).enumerate() {
        for (index, (old, new)) in old.iter().zip(new).enumerate() {
            if old != new {
                return Err(format!("lane {lane}, record {index}: was {old}, is {new}"));
            }
        }
        if old.len() != new.len() {
            return Err(format!("lane {lane}: made {} records, makes {}", old.len(), new.len()));
        }
    }
    match (left.ends.iter().zip(&right.ends)).position(|(old, new)| old != new) {
        Some(lane) => Err(format!("lane {lane}: {:?} at the end, now {:?}", left.ends[lane], right.ends[lane])),
        None => Ok(()),
    }
}

impl fmt::Display for Record {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "point {} with lanes {:#x} and value {:#x}", self.point, self.ballot, self.value)
    }
}
