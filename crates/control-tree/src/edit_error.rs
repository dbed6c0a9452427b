//! Why an edit was refused.

use std::fmt;

use crate::{Fragment, TreeError};
use reconverge_ir::{Block, Inst, Op};

/// Why an edit was refused. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EditError {
    /// The instruction or block that stands in the way.
    pub inst: Inst,
    /// Why.
    pub fault: EditFault,
}

/// What is wrong with an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditFault {
    /// The cursor stands among parameters, which belong to the construct that feeds them, or at no place at all.
    Place,
    /// The block is in no list: nothing structurally reaches it, or it was taken out.
    Outside,
    /// The two cursors stand in different lists, or the second before the first.
    Range,
    /// The block stands for an edge and can hold nothing but its jump: it is the way out of a conditional exit, or leads a switch to
    /// a case that others fall into.
    EdgeOnly,
    /// The block in the range is entered from outside it: another case falls through to it.
    EnteredFromOutside,
    /// The jump of the block in the fragment leads where it may not lead from the new place.
    Jump(Block),
    /// There is nothing around the place that such a jump could leave, or a continue construct is in between.
    NothingToLeave,
    /// The block ends the function, and would do so in a continue construct.
    EndsInContinue,
    /// The loop would lose its back edge, or get a second one.
    BackEdge,
    /// Code stands behind the place, and the fragment never comes to its end.
    CodeBehind,
    /// The target has another number of parameters, or of other types; or the function returns another type.
    Arguments,
    /// The block ends in no jump that could be removed.
    NoJump,
    /// The fragment is of another editor, or of one that is gone.
    OtherEditor,
    /// The blocks do not follow each other in one list, or something else goes to the second.
    NotAdjacent,
    /// The block opens no construct of the kind that is needed.
    Kind,
    /// The merge block has other ways in than the end of the list.
    OtherWaysIn,
    /// An instruction of this op does not stand among others in a block, or has a type where it should not, or none where it should.
    Instruction(Op),
}

impl EditFault {
    pub(crate) fn at(self, inst: impl Into<Inst>) -> EditError {
        EditError { inst: inst.into(), fault: self }
    }
}

impl fmt::Display for EditFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            EditFault::Place => "the cursor is at no place where code can stand",
            EditFault::Outside => "the block is in no list",
            EditFault::Range => "the range does not run from one place of a list to a later one",
            EditFault::EdgeOnly => "the block stands for an edge and can hold nothing but its jump",
            EditFault::EnteredFromOutside => "the block is entered from outside the range",
            EditFault::Jump(target) => {
                return write!(formatter, "the jump to block {target:?} may not be made from the new place");
            }
            EditFault::NothingToLeave => "there is nothing that such a jump could leave here",
            EditFault::EndsInContinue => "the function cannot end in a continue construct",
            EditFault::BackEdge => "the loop would not have one back edge",
            EditFault::CodeBehind => "code behind the place would never run",
            EditFault::Arguments => "the values passed are not what the target expects",
            EditFault::NoJump => "the block ends in no jump that can be removed",
            EditFault::OtherEditor => "the fragment is of another editor",
            EditFault::NotAdjacent => "the blocks do not follow each other alone",
            EditFault::Kind => "the block opens no construct of the right kind",
            EditFault::Instruction(op) => {
                return write!(formatter, "`{}` is no instruction that can be put here like this", op.name());
            }
            EditFault::OtherWaysIn => "the merge block has other ways in",
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

/// An insertion that was refused, with what was to be inserted.
#[derive(Debug)]
pub struct Refused {
    /// Why.
    pub error: EditError,
    /// What was to be inserted, unchanged.
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

/// Why a tree could not be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// `push` and `pop` do not match: what was to be closed, and what is open.
    Balance {
        /// What was to be closed or continued.
        expected: &'static str,
        /// What is open instead.
        open: &'static str,
    },
    /// A jump or a set of values that does not fit.
    Edit(EditError),
    /// The function to build in is not structured.
    Tree(TreeError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Balance { expected, open } => write!(formatter, "expected {expected}, but {open} is open"),
            BuildError::Edit(error) => error.fmt(formatter),
            BuildError::Tree(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<EditError> for BuildError {
    fn from(error: EditError) -> BuildError {
        BuildError::Edit(error)
    }
}

impl From<TreeError> for BuildError {
    fn from(error: TreeError) -> BuildError {
        BuildError::Tree(error)
    }
}
