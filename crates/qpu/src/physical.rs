//! Instructions whose registers are those of the QPU: what allocation hands to scheduling.

use crate::machine::{Branch, Inst};

/// A register of the QPU.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// File A, 0 to 31.
    A(u8),
    /// File B, 0 to 31.
    B(u8),
    /// An accumulator `r0` to `r3`.
    Accumulator(u8),
}

impl Place {
    /// The number of places.
    pub const COUNT: usize = 68;

    /// The places as numbers: file A, file B, accumulators.
    pub fn index(self) -> usize {
        match self {
            Place::A(number) => usize::from(number),
            Place::B(number) => 32 + usize::from(number),
            Place::Accumulator(number) => 64 + usize::from(number),
        }
    }

    /// The place with a number.
    pub fn of_index(index: usize) -> Place {
        match index {
            0..32 => Place::A(index as u8),
            32..64 => Place::B(index as u8 - 32),
            _ => Place::Accumulator(index as u8 - 64),
        }
    }
}

/// An instruction with registers of the QPU.
pub type PhysicalInst = Inst<Place>;

/// A block of a function with registers of the QPU.
#[derive(Clone, Default, Debug)]
pub struct PhysicalBlock {
    /// The instructions. None of them is [`Undefine`](crate::machine::Operation::Undefine).
    pub insts: Vec<PhysicalInst>,
    /// The branch after them.
    pub branch: Option<Branch>,
}

/// A function with registers of the QPU. Each instruction can be encoded as a word.
#[derive(Clone, Default, Debug)]
pub struct PhysicalFunction {
    /// The blocks in the order of the code.
    pub blocks: Vec<PhysicalBlock>,
}
