//! What follows for the control flow when lanes take different ways at a branch.

/// A consequence of a divergent branch. Blocks are nodes of the function's flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// Lanes that the branch separated may come to this block together over different edges.
    Join { node: u32, branch: u32, side: Side },
    /// Lanes leave this region at different times.
    Active { region: u32, branch: u32 },
    /// Lanes must be taken to go different ways at the end of this block as well.
    Branches { node: u32, branch: u32 },
}

/// Which of the edges into a block lanes may come over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Those from outside the loop that the block heads, or all if it heads none.
    Forward,
    /// The back edges.
    Back,
}
