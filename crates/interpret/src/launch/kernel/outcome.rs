//! The outcome of a kernel launch.

use std::fmt;

use reconverge_ir::Inst;

use crate::{Access, Buffer, Cause, End, FailedTexel, InstructionPlace, RaceRule, Texel};

/// The outcome of a kernel launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelOutcome {
    /// The buffers of the launch, as the lanes left them.
    pub buffers: Vec<Buffer>,
    /// The texels that the lanes wrote, by image, coordinates and sample.
    pub images: Vec<Texel>,
    /// The reason why the launch stopped before its end, if it did.
    pub failure: Option<KernelFailure>,
    /// The data races that were detected, if requested: at most 16, each pair of instructions once.
    pub races: Vec<Race>,
    /// The stores that wrote undefined values to buffers, if requested: at most 16, each instruction once.
    pub undefined: Vec<UndefinedWrite>,
    /// The output of the lanes, in the order of their calls.
    pub printed: Vec<Printed>,
    /// The calls of `printf` whose text did not fit.
    pub lost: u32,
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
    /// The end of the run.
    pub end: End,
    /// The lane.
    pub lane: LaneId,
    /// The lane that it waited for without success, if that is the reason.
    pub other: Option<OtherLane>,
    /// The origin of the undefined value that it used, if that is the reason and it is known.
    pub origin: Option<Origin>,
    /// The memory that it accessed, if the reason is an access out of bounds or at a wrong alignment.
    pub access: Option<FailedAccess>,
    /// The texel that it accessed, if the reason is that its image does not have it.
    pub texel: Option<FailedTexel>,
}

/// An access that a program must not make, to an object that exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailedAccess {
    /// The object.
    pub object: MemoryObject,
    /// The size of the object in bytes.
    pub size: u64,
    /// The offset of the first accessed byte; `None` if the pointer left an array inside of the object.
    pub offset: Option<i64>,
}

/// A store that made bytes of a buffer undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UndefinedWrite {
    /// The lane.
    pub lane: LaneId,
    /// The store.
    pub place: InstructionPlace,
    /// The object.
    pub object: MemoryObject,
    /// The offset of the first undefined byte.
    pub offset: u64,
    /// The origin of the value, if it is known.
    pub origin: Option<Origin>,
}

/// The origin of an undefined value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The instruction.
    pub place: InstructionPlace,
    /// The reason why it has no result.
    pub cause: Cause,
    /// The memory that it read.
    pub object: Option<MemoryObject>,
}

/// The output of a call of `printf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The lane.
    pub lane: LaneId,
    /// The characters.
    pub bytes: Vec<u8>,
}

/// A lane that another waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherLane {
    /// The lane.
    pub lane: LaneId,
    /// The place at which it waits itself; `None` if it has returned.
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
    /// The rule that makes it a race.
    pub rule: RaceRule,
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
    /// True if the work-group makes it in an asynchronous copy; then the lane is its first one.
    pub is_copy: bool,
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
        if let Some(Origin { place, cause, .. }) = self.origin {
            write!(formatter, ", where the value {} at {place}", cause.text())?;
        }
        if let Some(texel) = self.texel {
            write!(formatter, ", {texel}")?;
        }
        match self.other {
            Some(OtherLane { lane, place: Some(place) }) => write!(formatter, ", while {lane} waits at {place}"),
            Some(OtherLane { lane, place: None }) => write!(formatter, ", while {lane} has returned"),
            None => Ok(()),
        }
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
        match self.is_copy {
            true => write!(formatter, "{} by the copy at {}", self.access, self.place),
            false => write!(formatter, "{} by {} at {}", self.access, self.lane, self.place),
        }
    }
}

impl fmt::Display for Race {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Race { first, second, object, offset, rule } = self;
        write!(formatter, "data race on byte {offset} of {object}: {first}, and {second}: {}", rule.text())
    }
}
