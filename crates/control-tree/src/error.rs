//! The reasons why a function has no control tree.

use std::fmt;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst};

/// The reason why a function has no control tree, and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeError {
    /// The block where the tree is invalid; the function, if it has no body.
    pub inst: Inst,
    /// The error.
    pub fault: TreeFault,
}

/// The reason why a function has no control tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeFault {
    /// The function has no blocks.
    NoBody,
    /// The block has no terminator.
    NoTerminator,
    /// The terminator names something as a block that is not a block of the function, or has too few operands.
    Operand,
    /// The block ends in a `switch` without merge block.
    Switch,
    /// The block opens a construct, but the merge, break or continue block or the loop header that it names already has a role: it occurs
    /// earlier, or another construct names it too. `pad` helps if it is the header of a loop.
    Taken(Block),
    /// The block jumps to one that a construct names, which is not allowed there. `pad` helps if it is a back edge through a bare
    /// preheader.
    Jump(Block),
    /// Neither edge of the block's `branch_if` leaves a construct. `pad` helps if the construct ends or continues at a loop header.
    NoExit,
    /// Several paths join at the block, which is not a merge block. `pad` helps if it is a bare edge block.
    Join,
}

reconverge_diagnostic::codes! {
    /// Codes of functions without a control tree.
    pub enum TreeCode in "Compiling" {
        NotStructured = "not-structured" Rejected
            "An optional pass needs a structured function."
            "--strip-merges structurizes the function first";
    }
}

impl From<TreeError> for Diagnostic {
    fn from(error: TreeError) -> Diagnostic {
        Diagnostic::new(TreeCode::NotStructured, error.inst, format!("the function is not structured: {}", error.fault))
    }
}

impl fmt::Display for TreeFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeFault::NoBody => formatter.write_str("the function has no blocks"),
            TreeFault::NoTerminator => formatter.write_str("the block has no terminator"),
            TreeFault::Operand => formatter.write_str("the terminator lacks a block of the function as operand"),
            TreeFault::Switch => formatter.write_str("the switch has no merge block"),
            TreeFault::Taken(block) => {
                write!(formatter, "the construct names block {block:?}, which already has a part in another")
            }
            TreeFault::Jump(target) => {
                write!(formatter, "the jump to block {target:?} leaves constructs that it may not leave")
            }
            TreeFault::NoExit => formatter.write_str("neither edge of the conditional branch leaves a construct"),
            TreeFault::Join => formatter.write_str("several paths join at the block, which is not a merge block"),
        }
    }
}

impl fmt::Display for TreeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.inst, self.fault)
    }
}

impl std::error::Error for TreeError {}
