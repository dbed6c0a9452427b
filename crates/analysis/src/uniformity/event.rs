//! The consequences of a divergent branch for the control flow.

/// A consequence of a divergent branch. Blocks are nodes of the function's flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// Lanes that diverged at the branch may reconverge at this block over different edges.
    Join { node: u32, branch: u32, side: Side },
    /// Lanes leave this region at different times.
    Active { region: u32, branch: u32 },
    /// Lanes must be assumed to diverge at the end of this block as well.
    Branches { node: u32, branch: u32 },
}

/// The edges into a block by which lanes may arrive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Those from outside the loop whose header the block is, or all if it is no header.
    Forward,
    /// The back edges.
    Back,
}
