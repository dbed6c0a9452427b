//! The record of a move: the places before and after, the bounds and the reason. The record of an instruction that stays in a loop.

use std::fmt;

use reconverge_ir::{Block, Inst};

/// One instruction that moved to another block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The instruction. Its handle is unchanged.
    pub inst: Inst,
    /// The block before the move.
    pub from: Block,
    /// The block after the move.
    pub to: Block,
    /// The first legal block.
    pub early: Block,
    /// The last legal block, after its users were placed.
    pub late: Block,
    /// The reason for the move.
    pub reason: Reason,
    /// The bound that prevented a longer move in this direction.
    pub bound: Bound,
    /// The cost of running it in a subgroup before the move: the logarithm to the base 2, in sixteenths, of the block frequency.
    pub cost_before: i32,
    /// The same after the move.
    pub cost_after: i32,
}

/// One instruction that stays in a loop, although its operands are the same in every iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The instruction.
    pub inst: Inst,
    /// Its block.
    pub block: Block,
    /// The header of the innermost loop around the block.
    pub header: Block,
    /// The bound that prevents the move.
    pub bound: Bound,
}

/// The reason why an instruction moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It is loop-invariant, and runs less often before the loop.
    Invariant,
    /// No instruction in the loop uses it.
    LeavesLoop,
    /// Not all paths use it.
    PartlyDead,
    /// A user moved up to before its old place.
    NeededEarlier,
    /// The new block runs less often.
    Cheaper,
    /// A random place was chosen.
    Drawn,
}

/// The bound of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The function begins there.
    Start,
    /// An operand is defined there.
    Operand(Inst),
    /// A use is there or below on several paths.
    Uses,
    /// This instruction writes the memory there.
    Clobber(Inst),
    /// Memory states merge at the top of this block.
    MemoryJoin(Block),
    /// It may trap, and further up it would be speculated.
    MayTrap,
    /// Further down fewer lanes would run it together.
    FewerLanes,
    /// Lanes leave the loop in different iterations, and its value is uniform only inside the loop.
    DivergentExit,
    /// It could go further, but not to a cheaper block.
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
