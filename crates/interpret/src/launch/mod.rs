//! Launches: the start state of a run.

mod builtin;
pub(crate) mod kernel;
pub(crate) mod observer;
pub(crate) mod outcome;
mod setup;

use std::fmt;

use reconverge_ir::{Function, Inst};

use crate::{Images, Races, Value};

/// What a run starts from: the lanes, their arguments, the memory that is there already, and the limits.
#[derive(Clone, Debug)]
pub struct Launch {
    /// How many lanes run the function. At least 1, at most 65,535.
    pub lanes: usize,
    /// One a parameter of the function.
    pub arguments: Vec<Argument>,
    /// How many instructions each lane may execute.
    pub fuel: u64,
    /// How many calls may be open at once in a lane.
    pub depth: usize,
    /// What to write down on the way.
    pub trace: Trace,
    /// Memory that all lanes see, for [`Argument::Buffer`].
    pub buffers: Vec<Vec<u8>>,
    /// What variables at module level hold at first; where it says nothing, their initializer, the value of a built-in, or undefined
    /// bytes. Built-ins follow from the number of the lane: the lanes are the first ones of one work-group, and to a fragment shader
    /// each quad of them is two by two pixels, from the left to the right.
    pub contents: Vec<Contents>,
    /// The variables at module level whose final contents the outcome shall have.
    pub observed: Vec<Inst>,
    /// How many neighbours form a subgroup; the last one may be smaller. All lanes are one without it.
    pub subgroup_size: Option<usize>,
    /// The lanes that are helper lanes from the start: what they write to memory that others see is lost.
    pub demoted: Vec<usize>,
    /// Whether to look for data races.
    pub races: Races,
    /// What images hold and samplers do. Without it image operations are unsupported.
    pub images: Option<Images>,
}

/// What to write down while a lane runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trace {
    /// Nothing.
    Off,
    /// Every block that is entered.
    Blocks,
}

/// What a parameter of the launched function gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The same value in all lanes.
    Same(Value),
    /// One value a lane.
    PerLane(Vec<Value>),
    /// A pointer to the first byte of the buffer of that number.
    Buffer(usize),
}

/// What a variable at module level holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The variable.
    pub variable: Inst,
    /// The lane whose variable it is; `None` for a variable that all lanes see, and at launch also for every lane's.
    pub lane: Option<usize>,
    /// What it holds.
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

    /// The same with that many instructions a lane.
    pub fn with_fuel(self, fuel: u64) -> Launch {
        Launch { fuel, ..self }
    }

    /// The same with every block written down.
    pub fn with_trace(self) -> Launch {
        Launch { trace: Trace::Blocks, ..self }
    }

    /// The same with that many lanes.
    pub fn with_lanes(self, lanes: usize) -> Launch {
        Launch { lanes, ..self }
    }

    /// The same in subgroups of that many lanes.
    pub fn with_subgroups(self, size: usize) -> Launch {
        Launch { subgroup_size: Some(size), ..self }
    }
}

impl From<Value> for Argument {
    fn from(value: Value) -> Argument {
        Argument::Same(value)
    }
}

/// Why a run did not start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LaunchError {
    /// The number of lanes is zero or above 65,535.
    Lanes(usize),
    /// The function has no body.
    NoBody(Function),
    /// The function has another number of parameters.
    ArgumentCount {
        /// Parameters of the function.
        expected: usize,
        /// Arguments of the launch.
        found: usize,
    },
    /// The argument of that number is not of the type of its parameter, or names no buffer.
    Argument(usize),
    /// A kernel launch of no size, or of too many lanes: says what is wrong.
    Shape(&'static str),
    /// The kernel requires another work-group size.
    RequiredSize {
        /// The size that it requires.
        required: [u32; 3],
        /// The size that the launch has.
        found: [u32; 3],
    },
    /// The address of that number is of no buffer, or does not fit into what shall hold it.
    Address(usize),
    /// There is not so much memory.
    TooLarge,
    /// Contents were given, or asked for, for what is not a variable at module level, or of another type than it has.
    Variable(Inst),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchError::Lanes(lanes) => write!(formatter, "cannot run {lanes} lanes: expected 1 to 65,535"),
            LaunchError::NoBody(function) => write!(formatter, "function {function:?} has no body"),
            LaunchError::ArgumentCount { expected, found } => {
                write!(formatter, "the function has {expected} parameters, but the launch {found} arguments")
            }
            LaunchError::Argument(index) => write!(formatter, "argument {index} does not fit its parameter"),
            LaunchError::Shape(what) => formatter.write_str(what),
            LaunchError::RequiredSize { required: [x, y, z], found: [a, b, c] } => {
                write!(
                    formatter,
                    "the kernel requires work-groups of {x} × {y} × {z} lanes, the launch has {a} × {b} × {c}"
                )
            }
            LaunchError::Address(index) => {
                write!(formatter, "address {index} does not belong to a buffer, or does not fit its place")
            }
            LaunchError::TooLarge => formatter.write_str("the launch needs more than 1 GiB of memory"),
            LaunchError::Variable(inst) => write!(formatter, "{inst} is not a module-level variable of that type"),
        }
    }
}

impl std::error::Error for LaunchError {}
