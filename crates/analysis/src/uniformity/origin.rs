//! The origin of a level, in four words. [`Cause`](super::Cause) is computed from it.

use reconverge_ir::Function;

use super::cause::Source;

/// The reason why a value, a branch or contents of a variable are not uniform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// They are uniform.
    Nothing,
    /// By the instruction itself.
    Source(Source),
    /// An operand differs.
    Operand(u32),
    /// The argument that a jump passes differs: the jump and its operand.
    Argument(u32, u32),
    /// Lanes arrive by several edges because of the branch at the end of this node.
    Paths(u32),
    /// Lanes have values of several instances because of the branch at the end of this node.
    Instances(u32),
    /// Not all lanes are in the block of this node together.
    Separated(u32),
    /// The variable of this number holds different contents.
    Contents(u32),
    /// The callee returns different values.
    Returned(Function),
}
