//! Launches: the start state of a run.

mod builtin;
mod error;
pub(crate) mod kernel;
mod names;
pub(crate) mod outcome;
pub(crate) mod run;
mod setup;

use reconverge_ir::Inst;

pub use error::LaunchCode;

use crate::{Images, Races, Trace, Value};

/// The start of a run: the lanes, their arguments, the initial memory, and the limits.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The number of lanes. At least 1, at most 65,535.
    pub lanes: usize,
    /// One for each parameter of the function.
    pub arguments: Vec<Argument>,
    /// The maximal number of instructions of each lane.
    pub fuel: u64,
    /// The maximal call depth of a lane.
    pub depth: usize,
    /// The events to record.
    pub trace: Trace,
    /// Memory that all lanes see, for [`Argument::Buffer`].
    pub buffers: Vec<Vec<u8>>,
    /// The initial contents of variables at module level; the default is their initializer, the value of a built-in, or undefined bytes.
    /// Built-ins follow from the number of the lane: the lanes are the first ones of one work-group, and for a fragment shader each quad of
    /// them is two by two pixels, from left to right.
    pub contents: Vec<Contents>,
    /// The variables at module level whose final contents the outcome includes.
    pub observed: Vec<Inst>,
    /// The size of a subgroup; the last one may be smaller. By default all lanes are one subgroup.
    pub subgroup_size: Option<usize>,
    /// The lanes that are helper lanes from the start: their writes to visible memory are discarded.
    pub demoted: Vec<usize>,
    /// The detection of data races.
    pub races: Races,
    /// The contents of images and the behaviour of samplers. Without it image operations are unsupported.
    pub images: Option<Images>,
}

/// The argument for a parameter of the launched function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The same value in all lanes.
    Same(Value),
    /// One value for each lane.
    PerLane(Vec<Value>),
    /// A pointer to the first byte of the buffer with this index.
    Buffer(usize),
}

/// The contents of a variable at module level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The variable.
    pub variable: Inst,
    /// The lane whose variable it is; `None` for a variable that all lanes see, and at launch also for every lane's.
    pub lane: Option<usize>,
    /// The contents.
    pub value: Value,
}

impl Default for Launch {
    fn default() -> Launch {
        Launch {
            lanes: 1,
            arguments: Vec::new(),
            fuel: 1_000_000,
            depth: 10_000,
            trace: Trace::Off,
            buffers: Vec::new(),
            contents: Vec::new(),
            observed: Vec::new(),
            subgroup_size: None,
            demoted: Vec::new(),
            races: Races::Ignore,
            images: None,
        }
    }
}

impl Launch {
    /// One lane with these arguments, a million instructions of fuel, no trace.
    pub fn new(arguments: impl IntoIterator<Item = Value>) -> Launch {
        Launch { arguments: arguments.into_iter().map(Argument::Same).collect(), ..Launch::default() }
    }

    /// The same with this many instructions per lane.
    pub fn with_fuel(self, fuel: u64) -> Launch {
        Launch { fuel, ..self }
    }

    /// The same with a trace of every block.
    pub fn with_trace(self) -> Launch {
        Launch { trace: Trace::Blocks, ..self }
    }

    /// The same with this many lanes.
    pub fn with_lanes(self, lanes: usize) -> Launch {
        Launch { lanes, ..self }
    }

    /// The same with subgroups of this size.
    pub fn with_subgroups(self, size: usize) -> Launch {
        Launch { subgroup_size: Some(size), ..self }
    }
}

impl From<Value> for Argument {
    fn from(value: Value) -> Argument {
        Argument::Same(value)
    }
}
