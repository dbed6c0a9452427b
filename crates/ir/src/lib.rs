//! The IR of a program, as data.
//!
//! **Everything is an instruction.** A [`Module`] is one arena; an [`Inst`] is a handle into it. Every instruction has an op, a type,
//! operands, decorations and children, and nothing else; only literals have a payload. Types, constants, functions, blocks and the module
//! itself are instructions, so cloning, hashing, printing and comparing are each one traversal that does not depend on the ops.
//!
//! **Block parameters, no phis.** A block has parameters, and a `branch` or `loop` to it passes as many arguments. No other terminator has
//! arguments, so a multi-way branch never goes to a block with parameters; a critical edge is always split by an *edge block*, which does
//! not exist in SPIR-V.
//!
//! **Use lists.** Every value knows its uses; the predecessors of a block are its uses at successor positions.
//!
//! **Equal means identical** for types, constants and everything else that is hoistable; the [`Editor`] maintains this.
//!
//! The design follows Slang's IR; see `docs/ir.md` for the details and the text form.
//!
//! ```
//! use reconverge_ir::{Builder, Module, Op};
//!
//! let mut module = Module::new();
//! let mut build = Builder::new(&mut module);
//! let u32_type = build.int_type(32);
//! let function = build.add_function(u32_type, &[u32_type]);
//! let entry = build.add_block(function);
//! let parameter = build.module().parameters(function).next().unwrap().inst();
//! build.at_end(entry);
//! let sum = build.i_add(u32_type, &[parameter, parameter]);
//! build.return_value(&[sum]);
//! assert_eq!(module.uses(parameter).count(), 2);
//! ```

pub mod binary;
mod builder;
pub mod compare;
mod copy;
pub mod debug_info;
pub mod debug_records;
pub mod decoration;
mod editor;
mod entity;
mod enumerant;
mod fingerprint;
pub mod function;
mod generic_use;
mod hoist;
mod import_code;
pub mod literal;
mod location;
mod module;
mod numbering;
mod op;
mod order;
mod parameters;
mod shader;
mod side_table;
mod signedness;
mod stage;
mod storage;
pub mod terminator;
pub mod text;
mod undefs;
pub mod view;
mod visit;

pub use builder::Builder;
pub use copy::Copies;
pub use editor::{Editor, Position};
pub use entity::{Block, Constant, Function, Handle, Inst, Parameter, Terminator, Type};
pub use enumerant::Enumerant;
pub use fingerprint::fingerprint;
pub use generic_use::{GenericUse, StageCode};
pub use import_code::ImportCode;
pub use location::{Line, Location};
pub use module::{MemoryUse, Module, Slot, Use};
pub use numbering::Numbering;
pub use op::{Class, Effects, Op, OpGroup, OperandKind, Quantity, Shape, Signature};
pub use signedness::Signedness;
pub use stage::Stage;
pub use terminator::Edge;
