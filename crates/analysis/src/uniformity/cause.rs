//! The reason why something is not uniform: a chain of causes, from a claim back to the first difference between lanes.

use reconverge_ir::{Block, Function, Inst};

/// A claim that something is not uniform.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// Lanes may have different values of this instruction where it is executed. For a `variable`: different contents.
    Value(Inst),
    /// Lanes may see different values in this operand, although the value may be uniform at its definition.
    Use {
        /// The instruction that reads the value.
        user: Inst,
        /// The index of its operand.
        operand: usize,
    },
    /// Lanes may diverge at the end of this block.
    Branch(Block),
    /// Lanes that entered the function together may not all be converged in this block.
    Block(Block),
    /// Lanes that call this function together may return at different places.
    Return(Function),
    /// Lanes may enter this function without others that run the same entry point.
    Function(Function),
}

/// The inference of a fact from the next one of the chain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// No other fact: lanes differ by this instruction itself.
    Source(Source),
    /// The operand with that index differs.
    Operand(usize),
    /// The condition or selector differs. The next fact is about it.
    Condition,
    /// Different arguments arrive from paths that this branch separates. The next fact is the branch.
    Paths {
        /// The block that ends in the branch.
        branch: Block,
    },
    /// Because of this branch, the value was defined inside a cycle that lanes leave in different iterations, or in a part of the program
    /// that lanes execute one after another. The next fact is the branch.
    Instances {
        /// The block that ends in the branch.
        branch: Block,
    },
    /// The lanes diverged at this branch and have not reconverged since. The next fact is the branch.
    Separated {
        /// The block that ends in the branch.
        branch: Block,
    },
    /// The memory that is read may hold different values. The next fact is the variable's.
    Contents,
    /// The call passes different values for this parameter. The next fact is in the caller.
    Argument {
        /// The call.
        call: Inst,
        /// The index of its operand.
        operand: usize,
    },
    /// The result of the callee differs. The next fact is in the callee.
    Returned {
        /// The callee.
        callee: Function,
    },
    /// The function is called where lanes have diverged. The next fact is about the block of the call.
    Called {
        /// The call.
        call: Inst,
    },
}

/// The first difference between lanes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// An input that differs between lanes: a built-in such as the lane number, or a stage input.
    Input,
    /// Memory that other lanes may write.
    SharedMemory,
    /// An atomic operation.
    Atomic,
    /// A parameter of a function that unknown code may call.
    Parameter,
    /// A subgroup or group operation that returns different values to the lanes, or to groups smaller than the scope.
    Group,
    /// A function without a body, or one that is part of a recursion.
    UnknownFunction,
    /// Memory of each lane that cannot be tracked, because its address has other uses than loads and stores.
    PrivateMemory,
    /// An unknown instruction.
    Unknown,
    /// Lanes pass here at different times, and the form of the function does not specify which of them are together.
    Unstructured,
}

impl Source {
    /// Returns whether lanes actually differ there. The other sources only allow a difference.
    pub const fn is_shown(self) -> bool {
        matches!(self, Source::Input | Source::Group | Source::Atomic)
    }
}

/// One link of a chain of causes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cause {
    /// The claim.
    pub fact: Fact,
    /// The reason.
    pub reason: Reason,
    /// The instruction to show: the value itself, the reader, the terminator of the branch, the call, the function.
    pub place: Inst,
}
