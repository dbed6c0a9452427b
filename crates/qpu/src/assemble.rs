//! From machine functions to words.

use std::fmt;

use crate::allocate::{Allocation, allocate};
use crate::machine::MachineFunction;
use crate::schedule::schedule;

/// The largest number of words of code. Branches reach farther; this is what a kernel of this chip may be expected to need.
const WORDS: usize = 1 << 24;

/// The code of a function.
#[derive(Clone, Debug)]
pub struct Code {
    /// The words.
    pub words: Vec<u64>,
    /// The number of rows of the vertex pipe memory that a QPU needs after those of the function, for spilled registers.
    pub spill_rows: u32,
    /// The word at which the code of each block of the function begins.
    pub starts: Vec<usize>,
    /// The statistics of the instructions.
    pub statistics: Statistics,
}

/// Counts of a function's code.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Instructions with registers of the QPU, without branches.
    pub instructions: usize,
    /// Moves among them that operands of the same file need.
    pub moves: usize,
    /// Registers in rows of the vertex pipe memory.
    pub spilled: usize,
    /// Registers whose values are computed again where they are read.
    pub computed_again: usize,
    /// Words that do nothing.
    pub idle: usize,
    /// Words with operations of both ALUs.
    pub paired: usize,
}

/// The reason why a function has no code. It is an enumeration because a kernel that needs more rows than there are is compiled again with fewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssembleError {
    /// Registers must be spilled, and [`MachineFunction::spill_base`] is missing.
    NeedsSpillBase,
    /// The vertex pipe memory has not enough rows for the function and its spilled registers.
    TooManyRows {
        /// The number of rows that are needed.
        needed: u32,
        /// The number of rows that there are.
        limit: u32,
    },
    /// More registers are needed at once, where the mutex is held, than there are.
    TooManyRegisters,
    /// The code is too long.
    TooManyWords {
        /// The number of words of the code.
        needed: usize,
        /// The largest number of words.
        limit: usize,
    },
}

impl fmt::Display for AssembleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AssembleError::NeedsSpillBase => {
                formatter.write_str("registers must be spilled, and there is no row for them")
            }
            AssembleError::TooManyRows { needed, limit } => {
                write!(formatter, "{needed} rows of the vertex pipe memory are needed, and there are {limit}")
            }
            AssembleError::TooManyRegisters => {
                formatter.write_str("more registers are needed at once than the 64 of the QPU")
            }
            AssembleError::TooManyWords { needed, limit } => {
                write!(formatter, "the code has {needed} words, and {limit} are the limit")
            }
        }
    }
}

impl std::error::Error for AssembleError {}

/// The code of a machine function.
///
/// # Errors
///
/// The function needs more than the QPU has.
pub fn assemble(function: MachineFunction) -> Result<Code, AssembleError> {
    let allocation = allocate(function)?;
    let schedule = schedule(&allocation.function);
    if schedule.words.len() > WORDS {
        return Err(AssembleError::TooManyWords { needed: schedule.words.len(), limit: WORDS });
    }
    let Allocation { function, spill_rows, spilled, computed_again, moves } = allocation;
    let statistics = Statistics {
        instructions: function.blocks.iter().map(|block| block.insts.len()).sum(),
        moves,
        spilled,
        computed_again,
        idle: schedule.idle,
        paired: schedule.paired,
    };
    Ok(Code { words: schedule.words, spill_rows, starts: schedule.starts, statistics })
}
