//! A DXIL module as data: what LLVM 3.7 calls a module, as far as DXIL has it.
//!
//! Everything is in tables and named by its number. A module that [`read`](crate::read()) returned keeps these rules, so that code which
//! uses it may index without checks:
//!
//! - every number exists: of a type, value, block, function, metadata;
//! - equal types have one number, unless they are structs with names; no type contains itself, or is larger than 32 bits can address;
//! - the operands of constants form no cycle and nest at most [`MAX_CONSTANT_DEPTH`] deep;
//! - every block ends in its only terminator, and nothing branches to the first block of a function;
//! - the incoming blocks of a phi are the predecessors of its block, once for each edge;
//! - operands have the types that their instruction requires; instructions whose results are void have no value;
//! - every use is dominated by its definition, in blocks that the function reaches.

mod constant;
mod debug;
mod function;
mod ids;
mod instruction;
mod metadata;
mod operation_names;
mod types;
pub mod view;

pub use constant::{Constant, MAX_CONSTANT_DEPTH};
pub use debug::{DebugField, DebugInfo, DebugKind, FieldKind, SourceLocation};
pub use function::{Block, Function, GlobalVariable, Linkage, MemoryEffect, Value, ValueKind};
pub use ids::{BlockId, FunctionId, GlobalId, InstructionId, MetadataId, TypeId, ValueId};
pub use instruction::{Argument, BinaryFlags, Case, DebugLocation, FloatFlags, Incoming, Instruction, Operation};
pub use metadata::{Metadata, MetadataEntry, NamedMetadata};
pub use operation_names::{AtomicOp, BinaryOp, CastOp, FloatPredicate, IntPredicate, Ordering, Scope};
pub use types::{MAX_TYPE_DEPTH, StructName, Type, Types};

use crate::container::ProgramHeader;

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The header of the program in the container; `None` for bitcode without a container.
    pub header: Option<ProgramHeader>,
    /// The target triple: `dxil-ms-dx`.
    pub triple: String,
    /// Sizes and alignments of types, in LLVM's notation.
    pub data_layout: String,
    /// All types.
    pub types: Types,
    /// The values of the module: variables, functions, constants.
    pub values: Vec<Value>,
    /// Variables of the module: shared memory, tables, resources of libraries.
    pub globals: Vec<GlobalVariable>,
    /// Functions, those without a body too.
    pub functions: Vec<Function>,
    /// Metadata that has numbers.
    pub metadata: Vec<MetadataEntry>,
    /// Lists of metadata with names, such as `dx.entryPoints`, in order.
    pub named_metadata: Vec<NamedMetadata>,
    /// The names of the kinds of metadata on instructions, by number; numbers differ between files.
    pub metadata_kinds: Vec<Option<String>>,
}

impl Module {
    /// The function that a value is.
    pub fn function_of(&self, value: ValueId) -> Option<FunctionId> {
        match self.values.get(value.index())?.kind {
            ValueKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// A value, as seen from a function.
    ///
    /// # Panics
    /// Neither the module nor the function has the value.
    pub fn value<'m>(&'m self, function: &'m Function, value: ValueId) -> &'m Value {
        match self.values.get(value.index()) {
            Some(value) => value,
            None => &function.values[value.index() - self.values.len()],
        }
    }

    /// The constant that a value is, as seen from a function.
    pub fn constant<'m>(&'m self, function: &'m Function, value: ValueId) -> Option<&'m Constant> {
        match &self.value(function, value).kind {
            ValueKind::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// A list of metadata by its name.
    pub fn named_metadata(&self, name: &str) -> Option<&NamedMetadata> {
        self.named_metadata.iter().find(|named| named.name == name)
    }

    /// The number of a kind of metadata on instructions.
    pub fn metadata_kind(&self, name: &str) -> Option<u32> {
        let index = self.metadata_kinds.iter().position(|kind| kind.as_deref() == Some(name))?;
        u32::try_from(index).ok()
    }
}
