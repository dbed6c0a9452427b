//! The parts of machine code: which block of a function each part was made of, and what it does for it.
//!
//! Back ends select block by block, and keep the order of what they made of a block. So the map from code to blocks is a list of places
//! where parts begin, in the order of the code.

use reconverge_ir::Block;

/// The purpose of a part of machine code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum CodeRole {
    /// The instructions of the block.
    #[default]
    Body,
    /// The beginning of the code: what it is given.
    Prologue,
    /// The end of the code: the return. The VC4 takes the next unit of work there, the CPU its next pack in the body of the block that returns.
    Epilogue,
    /// The moves and the jump of a critical edge of the CPU, which begins at the block. Moves of other edges are in the body.
    Edge,
    /// The search of the CPU for the range of memory that has an address. Other tests are in the body.
    Check,
    /// The report of a check that failed.
    Failure,
    /// A loop over lanes, for what has no vector form.
    LaneLoop,
    /// Tests whether lanes wait at the block.
    Entrance,
    /// The place where the lanes of a loop meet that go back.
    Latch,
}

impl CodeRole {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            CodeRole::Body => "body",
            CodeRole::Prologue => "prologue",
            CodeRole::Epilogue => "epilogue",
            CodeRole::Edge => "edge",
            CodeRole::Check => "check",
            CodeRole::Failure => "failed check",
            CodeRole::LaneLoop => "lane loop",
            CodeRole::Entrance => "entrance",
            CodeRole::Latch => "latch",
        }
    }
}

/// A part of machine code: from here to the beginning of the next part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePart {
    /// Where it begins: a byte or a word of the code, as its machine counts.
    pub start: usize,
    /// The block that it belongs to; none for what belongs to the function as a whole.
    pub block: Option<Block>,
    /// The purpose.
    pub role: CodeRole,
}
