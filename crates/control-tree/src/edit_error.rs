//! The reason why an edit was rejected.

use std::fmt;

use crate::{Fragment, TreeError, TreeFault};
use reconverge_ir::{Block, Inst, Op};

/// The reason why an edit or a step of a builder was rejected. Nothing was changed. It is an enumeration because editors try what they may not do, and
/// go on by the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EditError {
    /// The instruction or block that prevents the edit.
    pub inst: Inst,
    /// The reason.
    pub fault: EditFault,
}

/// The reason for rejecting an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditFault {
    /// The cursor is among parameters, which belong to the construct that passes their arguments, or is not a position.
    Place,
    /// The block is in no list: it is not structurally reachable, or it was removed.
    Outside,
    /// The two cursors are in different lists, or the second is before the first.
    Range,
    /// The block is an edge block and can contain only its jump: it is the leaving arm of a conditional exit, or leads a switch to a case
    /// that others fall through to.
    EdgeOnly,
    /// The block in the range is entered from outside it: another case falls through to it.
    EnteredFromOutside,
    /// The jump of the block in the fragment is not allowed from the new place.
    Jump(Block),
    /// There is no construct around the place that such a jump could leave, or a continue construct is in between.
    NothingToLeave,
    /// The block exits the function, and would do so in a continue construct.
    EndsInContinue,
    /// The loop would lose its back edge, or get a second one.
    BackEdge,
    /// There is code after the place, and control never reaches the end of the fragment.
    CodeBehind,
    /// The number or the types of the target's parameters differ; or the function returns another type.
    Arguments,
    /// The block does not end in a jump that can be removed.
    NoJump,
    /// The fragment belongs to another editor, or to one that no longer exists.
    OtherEditor,
    /// The blocks are not consecutive in one list, or another edge leads to the second.
    NotAdjacent,
    /// The block does not open a construct of the required kind.
    Kind,
    /// The merge block has other predecessors than the end of the list.
    OtherWaysIn,
    /// An instruction of this op is not allowed among others in a block, or has a type but should not, or the reverse.
    Instruction(Op),
    /// `push` and `pop` of a builder do not match.
    Balance {
        /// The construct that was to be closed or continued.
        expected: &'static str,
        /// The construct that is open.
        open: &'static str,
    },
    /// The function is not structured.
    NoTree(TreeFault),
}

impl EditFault {
    pub(crate) fn at(self, inst: impl Into<Inst>) -> EditError {
        EditError { inst: inst.into(), fault: self }
    }
}

impl fmt::Display for EditFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            EditFault::Place => "the cursor is not at a place that can contain code",
            EditFault::Outside => "the block is in no list",
            EditFault::Range => "the range does not go from one place of a list to a later one",
            EditFault::EdgeOnly => "the block is an edge block and can contain only its jump",
            EditFault::EnteredFromOutside => "the block is entered from outside the range",
            EditFault::Jump(target) => {
                return write!(formatter, "the jump to block {target:?} is not allowed from the new place");
            }
            EditFault::NothingToLeave => "no construct here can be left by such a jump",
            EditFault::EndsInContinue => "the function cannot end in a continue construct",
            EditFault::BackEdge => "the loop would not have exactly one back edge",
            EditFault::CodeBehind => "code after the place would be unreachable",
            EditFault::Arguments => "the arguments do not match the parameters of the target",
            EditFault::NoJump => "the block does not end in a jump that can be removed",
            EditFault::OtherEditor => "the fragment belongs to another editor",
            EditFault::NotAdjacent => "the blocks are not consecutive, with no other edges between them",
            EditFault::Kind => "the block does not open a construct of the right kind",
            EditFault::Instruction(op) => {
                return write!(formatter, "`{}` cannot be inserted here in this form", op.name());
            }
            EditFault::OtherWaysIn => "other edges enter the merge block",
            EditFault::Balance { expected, open } => {
                return write!(formatter, "expected {expected}, but {open} is open");
            }
            EditFault::NoTree(fault) => return fault.fmt(formatter),
        };
        formatter.write_str(text)
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.inst, self.fault)
    }
}

impl std::error::Error for EditError {}

/// A rejected insertion, with what was to be inserted.
#[derive(Debug)]
pub struct Refused {
    /// The reason.
    pub error: EditError,
    /// The fragment that was to be inserted, unchanged.
    pub fragment: Fragment,
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

impl std::error::Error for Refused {}

impl From<Box<Refused>> for EditError {
    fn from(refused: Box<Refused>) -> EditError {
        refused.error
    }
}

impl From<TreeError> for EditError {
    fn from(TreeError { inst, fault }: TreeError) -> EditError {
        EditFault::NoTree(fault).at(inst)
    }
}
