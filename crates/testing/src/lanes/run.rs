//! Runs: the inputs of lanes, and their records.

use std::fmt;

use crate::generators::lanes::{PER_LANE, UNIFORMS};
use crate::random::{Random, mix};

/// The inputs of the lanes of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// The number of lanes, at most 64.
    pub lanes: usize,
    /// The uniform inputs. The first is the number of lanes.
    pub uniforms: [u32; UNIFORMS],
    /// The seed of the inputs of each lane.
    pub seed: u64,
}

impl Inputs {
    /// Inputs for this number of lanes. The seed determines the inputs of a lane, whatever the number of lanes.
    pub fn new(lanes: usize, seed: u64) -> Inputs {
        let mut random = Random::new(seed);
        let mut uniforms = [0; UNIFORMS];
        uniforms.fill_with(|| random.below(16) as u32);
        uniforms[0] = lanes as u32;
        Inputs { lanes, uniforms, seed }
    }

    /// An input of a lane; mostly small numbers.
    pub fn per_lane(&self, lane: usize, index: usize) -> u32 {
        let word = mix(self.seed ^ mix((lane * PER_LANE + index) as u64 + 1)) as u32;
        if word & 0x300 == 0 { word >> 10 } else { word & 15 }
    }
}

/// A record of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The point.
    pub point: u32,
    /// The converged lanes.
    pub ballot: u64,
    /// The value.
    pub value: u32,
}

/// The end of a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The program returned this.
    Returned(u32),
    /// By `kill`.
    Killed,
    /// In any other way, in the engine's words.
    Otherwise(String),
}

/// The behaviour of all lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// By lane: its records in order.
    pub records: Vec<Vec<Record>>,
    /// By lane: how it ended.
    pub ends: Vec<Ended>,
}

/// Checks that two runs are equal.
///
/// # Errors
/// The first difference of the first lane with one.
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
