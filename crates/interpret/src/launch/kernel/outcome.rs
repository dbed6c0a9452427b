//! The outcome of a kernel launch.

use std::fmt;

use reconverge_ir::Inst;

use crate::{Buffer, End, InstructionPlace, Texel};

/// The outcome of a kernel launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelOutcome {
    /// The buffers of the launch, as the lanes left them.
    pub buffers: Vec<Buffer>,
    /// The texels that the lanes wrote, by image, coordinates and sample.
    pub images: Vec<Texel>,
    /// Why the launch stopped before its end, if it did.
    pub failure: Option<KernelFailure>,
    /// The data races that were detected, if requested: at most 16, each pair of instructions once.
    pub races: Vec<Race>,
    /// The number of instructions that all lanes executed together.
    pub executed: u64,
    /// The greatest number of loop iterations of a lane, over all its loops and calls. Counted are the back edges: the jumps to a block
    /// that is an ancestor in the depth-first search of the function from its entry, which visits the targets of a terminator in order.
    /// Without irreducible cycles these are the jumps to loop headers from inside. Some drivers end loops without an error after a number
    /// of iterations.
    pub loop_iterations: u64,
}

/// The first lane that did not return.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelFailure {
    /// How it ended.
    pub end: End,
    /// The lane.
    pub lane: LaneId,
    /// The lane that it waited for without success, if that is the reason.
    pub other: Option<OtherLane>,
}

/// A lane that another waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherLane {
    /// The lane.
    pub lane: LaneId,
    /// Where it waits itself; `None` if it has returned.
    pub place: Option<InstructionPlace>,
}

/// A lane of a grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LaneId {
    /// Its work-group.
    pub group: [u32; 3],
    /// Its position in its work-group.
    pub local: [u32; 3],
    /// Its position in the grid, including the offset of the launch.
    pub global: [u64; 3],
}

/// Two unordered accesses to the same byte, at least one of them not atomic and at least one a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// The access that came first in this run.
    pub first: RaceAccess,
    /// The access that came second in this run.
    pub second: RaceAccess,
    /// The object of the byte.
    pub object: MemoryObject,
    /// The offset of the byte.
    pub offset: u64,
}

/// One of the two accesses of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceAccess {
    /// The lane.
    pub lane: LaneId,
    /// The place in the program.
    pub place: InstructionPlace,
    /// The kind of access.
    pub access: Access,
}

/// The kind of a memory access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation that only reads.
    AtomicRead,
    /// Any other atomic operation.
    AtomicWrite,
}

/// An object in memory, as named by the caller of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryObject {
    /// The buffer with this index.
    Buffer(usize),
    /// A variable at module level.
    Variable(Inst),
    /// The memory of the work-group that the argument with this index points to.
    LocalArgument(usize),
    /// Another object.
    Other,
}

impl fmt::Display for LaneId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, y, z], [a, b, c]) = (self.global, self.group);
        write!(formatter, "lane ({x}, {y}, {z}) of group ({a}, {b}, {c})")
    }
}

impl fmt::Display for KernelFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.lane, self.end)?;
        match self.other {
            Some(OtherLane { lane, place: Some(place) }) => write!(formatter, ", while {lane} waits at {place}"),
            Some(OtherLane { lane, place: None }) => write!(formatter, ", while {lane} has returned"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::AtomicRead => "atomic read",
            Access::AtomicWrite => "atomic write",
        })
    }
}

impl fmt::Display for MemoryObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryObject::Buffer(index) => write!(formatter, "buffer {index}"),
            MemoryObject::Variable(variable) => write!(formatter, "variable {variable}"),
            MemoryObject::LocalArgument(index) => write!(formatter, "the local memory of argument {index}"),
            MemoryObject::Other => formatter.write_str("an object"),
        }
    }
}

impl fmt::Display for RaceAccess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} by {} at {}", self.access, self.lane, self.place)
    }
}

impl fmt::Display for Race {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Race { first, second, object, offset } = self;
        write!(formatter, "data race on byte {offset} of {object}: {first}, and {second}")
    }
}
