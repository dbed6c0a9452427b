//! Values, variables and functions.

use std::ops::Range;

use super::{Constant, FunctionId, GlobalId, Instruction, InstructionId, MetadataEntry, MetadataId, TypeId, ValueId};

/// A value: its type, its name, and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// For a variable or function, a pointer to it.
    pub ty: TypeId,
    /// Without `%` or `@`. Bytes that are not UTF-8 are replaced.
    pub name: Option<Box<str>>,
    /// The origin of the value.
    pub kind: ValueKind,
}

/// The origin of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// The address of a variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A constant.
    Constant(Constant),
    /// The parameter of a function with this index.
    Parameter(u32),
    /// The result of an instruction.
    Instruction(InstructionId),
}

/// The visibility of a variable or function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Everyone.
    External,
    /// Nothing outside of the module.
    Internal,
    /// The same, without a symbol.
    Private,
    /// Another one, by its name in LLVM's assembly.
    Other(&'static str),
}

/// A variable of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalVariable {
    /// Its address.
    pub value: ValueId,
    /// The type of its contents.
    pub ty: TypeId,
    /// 3 is groupshared.
    pub address_space: u32,
    /// True if it is never written.
    pub is_constant: bool,
    /// Its first contents, a constant; none if it is defined elsewhere.
    pub initializer: Option<ValueId>,
    /// The visibility.
    pub linkage: Linkage,
    /// In bytes; 0 for the usual alignment of its type.
    pub alignment: u32,
    /// True if its address is never compared.
    pub is_unnamed_address: bool,
    /// The bit of the input where its record begins.
    pub offset: u64,
}

/// The memory effect of calls of a function, according to its attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MemoryEffect {
    /// Anything.
    #[default]
    Any,
    /// They only read.
    ReadOnly,
    /// Nothing.
    ReadNone,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The function as a value; its name is that of the function.
    pub value: ValueId,
    /// Its type, which is a function type.
    pub ty: TypeId,
    /// The type of its result.
    pub result: TypeId,
    /// The number of LLVM's calling convention; 8 is `fastcc`.
    pub calling_convention: u32,
    /// The visibility.
    pub linkage: Linkage,
    /// The memory effect of calls.
    pub memory: MemoryEffect,
    /// True if its address is never compared.
    pub is_unnamed_address: bool,
    /// Values of the function: parameters, constants, results of instructions. Their numbers continue those of the module.
    pub values: Vec<Value>,
    /// The number of values that are parameters.
    pub parameter_count: u32,
    /// Blocks; the first one is the entry. None if the function is only declared.
    pub blocks: Vec<Block>,
    /// The instructions of all blocks, in order.
    pub instructions: Vec<Instruction>,
    /// Metadata of the function. Its numbers continue those of the module.
    pub metadata: Vec<MetadataEntry>,
    /// Metadata on the function: the number of the kind, and the metadata.
    pub attachments: Vec<(u32, MetadataId)>,
    /// The bit of the input where its record begins.
    pub offset: u64,
}

impl Function {
    /// Returns whether it has a body.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The instructions of a block; the last one is its terminator.
    pub fn instructions_of(&self, block: &Block) -> &[Instruction] {
        &self.instructions[block.instructions.start as usize..block.instructions.end as usize]
    }
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Without `%`. Bytes that are not UTF-8 are replaced.
    pub name: Option<Box<str>>,
    /// Its instructions, as indices into those of the function; not empty.
    pub instructions: Range<u32>,
}
