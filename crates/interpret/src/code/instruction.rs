//! Decoded functions: declarations only.
//!
//! A function is decoded once, when it is first called. Values have dense register numbers, module-level constants and variables are
//! numbered too, blocks are indices, and offsets of access chains are summed: executing an instruction needs no hash lookup.

use reconverge_ir::{Block, Function, Inst, Op};

use crate::code::library::{LibraryFunction, Space};
use crate::code::structure::Structure;
use crate::extended::Extended;
use crate::fault::Fault;
use crate::types::TypeId;

/// A decoded function.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) function: Function,
    /// The entry first.
    pub(crate) blocks: Vec<BlockCode>,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) literals: Vec<u32>,
    /// The number of registers of a call; the first ones are the parameters.
    pub(crate) registers: u32,
    /// The parameters that point to an object of the call itself: their registers, and the types of the objects (`FuncParamAttr ByVal`).
    pub(crate) by_value: Vec<(u32, TypeId, Inst)>,
    /// The reconvergence points, if the function is structured.
    pub(crate) structure: Option<Structure>,
}

impl Code {
    /// The block that an instruction is in.
    pub(crate) fn block_of(&self, instruction: usize) -> Block {
        self.blocks[self.blocks.partition_point(|block| block.first as usize <= instruction) - 1].block
    }
}

/// A block.
#[derive(Debug)]
pub(crate) struct BlockCode {
    pub(crate) block: Block,
    /// Its first instruction after the parameters.
    pub(crate) first: u32,
    /// The registers of its parameters.
    pub(crate) parameters: Span,
}

/// A range of indices.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn len(self) -> usize {
        self.range().len()
    }
}

/// The source of a value: a register, a constant or a module-level variable; one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operand(u32);

/// The decoded form of an [`Operand`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Register(usize),
    Constant(usize),
    Global(usize),
}

impl Operand {
    const CONSTANT: u32 = 1 << 31;
    const GLOBAL: u32 = 1 << 30;

    pub(crate) fn register(number: u32) -> Operand {
        Operand(number)
    }

    pub(crate) fn constant(number: u32) -> Operand {
        Operand(number | Self::CONSTANT)
    }

    pub(crate) fn global(number: u32) -> Operand {
        Operand(number | Self::GLOBAL)
    }

    pub(crate) fn source(self) -> Source {
        let number = (self.0 & !(Self::CONSTANT | Self::GLOBAL)) as usize;
        if self.0 & Self::CONSTANT != 0 {
            Source::Constant(number)
        } else if self.0 & Self::GLOBAL != 0 {
            Source::Global(number)
        } else {
            Source::Register(number)
        }
    }
}

/// The target of a jump: the index of a block, and whether the edge is a back edge (`backward_jumps.rs`); one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target(u32);

impl Target {
    const BACKWARD: u32 = 1 << 31;

    pub(super) fn forward(block: u32) -> Target {
        Target(block)
    }

    pub(crate) fn block(self) -> u32 {
        self.0 & !Self::BACKWARD
    }

    /// One for a back edge, zero otherwise.
    pub(crate) fn backward_jumps(self) -> u32 {
        self.0 >> 31
    }

    pub(super) fn mark_backward(&mut self) {
        self.0 |= Self::BACKWARD;
    }
}

/// No register: the instruction has no result.
pub(crate) const NO_REGISTER: u32 = u32::MAX;

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    pub(crate) inst: Inst,
    /// The register of its result.
    pub(crate) result: u32,
    /// The type of its result; for a store or copy, of the written value.
    pub(crate) ty: TypeId,
    /// Its operands that are values.
    pub(crate) operands: Span,
    /// The words of its operands that are literals.
    pub(crate) literals: Span,
    pub(crate) action: Action,
}

/// The action of an instruction.
#[derive(Debug)]
pub(crate) enum Action {
    /// Returns a value that depends only on the operands.
    Compute(Op),
    /// Returns an undefined value.
    Undefined,
    /// Returns a fixed value.
    Fixed(crate::Value),
    /// Creates an object in the frame of the call; the operand, if any, is the initializer.
    Variable,
    /// The number is the stated alignment.
    Load(u32),
    /// The same number as of a load.
    Store(u32),
    /// The alignments of target and source.
    CopyMemory([u32; 2]),
    /// The same numbers as of a copy.
    CopyMemorySized([u32; 2]),
    /// Makes the bytes of an object undefined: its lifetime starts or ends.
    Forget,
    Chain(Box<Chain>),
    /// The operand is a pointer to a struct: returns the length of the runtime array at `offset` in it.
    ArrayLength {
        offset: u64,
        stride: u64,
    },
    /// Equality, inequality or difference of two pointers; for the difference, the size of the pointee.
    ComparePointers(Op, u64),
    PointerToInt,
    /// The pointer itself if it points to that address space, null otherwise.
    CastTo(Space),
    /// The memory semantics for the address space of a pointer.
    SemanticsOf,
    IntToPointer,
    Atomic(Op),
    Extended(Extended),
    /// An operation of a group, of a quad, or with an implicit level of detail.
    Group(Op),
    /// The operand points to a descriptor.
    LoadDescriptor,
    /// An image operation that a lane executes alone.
    Image(Op),
    /// The lane becomes a helper lane.
    Demote,
    /// True if the lane is a helper lane.
    IsHelper,
    /// A barrier at which lanes wait.
    Barrier(Op),
    /// A barrier that orders accesses, without waiting.
    Fence,
    /// No operation.
    Nothing,
    Assume,
    /// A call of the function with this number.
    Call(u32),
    /// A call of a function without a body, possibly of the OpenCL library.
    CallExternal(Function, Option<LibraryFunction>),
    /// The operands are the arguments.
    Branch(Target),
    BranchIf {
        when_true: Target,
        when_false: Target,
    },
    Switch(Box<Switch>),
    Return,
    ReturnValue,
    Terminate(Op),
    Unreachable,
    /// Not executable, with the reason.
    Fail(Fault),
}

/// An access chain: `base + offset + Σ index · stride`. The base is the first operand, the indices are the others.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) offset: i64,
    /// One for each index that is not constant.
    pub(crate) steps: Vec<Step>,
}

/// An index of an access chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) stride: i64,
    /// The least index that is out of bounds; none if a pointer is advanced by whole objects, in either direction.
    pub(crate) limit: Option<u64>,
}

/// A switch: its targets, sorted by selector value.
#[derive(Debug)]
pub(crate) struct Switch {
    pub(crate) default: Target,
    pub(crate) rows: Vec<(u64, Target)>,
}
