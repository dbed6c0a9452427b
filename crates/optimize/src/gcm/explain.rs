//! What was moved, from where to where, within which bounds, and why.

use std::fmt;

use reconverge_ir::{Block, Inst};

/// One instruction that is in another block now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The instruction; its handle is what it was.
    pub inst: Inst,
    /// The block where it stood.
    pub from: Block,
    /// The block where it stands.
    pub to: Block,
    /// The first block in which it could have stood.
    pub early: Block,
    /// The last block in which it could have stood, after its users were placed.
    pub late: Block,
    /// Why it moved.
    pub reason: Reason,
    /// What kept it from going further in the direction in which it went.
    pub bound: Bound,
    /// What running it costs a wave where it stood: the logarithm to the base 2, in sixteenths, of how often the block runs.
    pub cost_before: i32,
    /// The same where it stands.
    pub cost_after: i32,
}

/// Why an instruction moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It gives the same in every iteration, and runs less often before the loop.
    Invariant,
    /// Nothing in the loop needs it.
    LeavesLoop,
    /// Not all paths need it.
    PartlyDead,
    /// A user moved up to before where it stood.
    NeededEarlier,
    /// It runs less often there.
    Cheaper,
    /// A place was drawn.
    Drawn,
}

/// What kept an instruction from going further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The function begins there.
    Start,
    /// An operand is defined there.
    Operand(Inst),
    /// A use is there or below on several ways.
    Uses,
    /// Memory is written there, by this instruction.
    Clobber(Inst),
    /// Memory states come together at the top of this block.
    MemoryJoin(Block),
    /// It may trap, and further up it would run where it did not run.
    MayTrap,
    /// Further down fewer lanes would run it together.
    FewerLanes,
    /// Lanes leave the loop at different times, and its value is the same for all of them only inside.
    DivergentExit,
    /// It could go further, and nothing would be won.
    Cost,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Reason::Invariant => "the same in every iteration",
            Reason::LeavesLoop => "not needed in the loop",
            Reason::PartlyDead => "not needed on all paths",
            Reason::NeededEarlier => "needed by an instruction that moved up",
            Reason::Cheaper => "runs less often there",
            Reason::Drawn => "the place was chosen at random",
        })
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Bound::Start => "the start of the function",
            Bound::Operand(_) => "an operand",
            Bound::Uses => "its uses",
            Bound::Clobber(_) => "a write to the memory that it reads",
            Bound::MemoryJoin(_) => "a join of memory states",
            Bound::MayTrap => "it may trap",
            Bound::FewerLanes => "fewer lanes execute the blocks below",
            Bound::DivergentExit => "lanes leave the loop in different iterations",
            Bound::Cost => "the cost: no further move reduces it",
        })
    }
}
