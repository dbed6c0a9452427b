//! The binary form: small, fast to read, and read by every later build.
//!
//! ```
//! use reconverge_ir::{binary, text};
//!
//! let module = text::parse("%u32 = type_int 32, 0\n%seven: %u32 = constant 7\n")?;
//! let bytes = binary::write(&module);
//! assert_eq!(text::print(&binary::read(&bytes)?), text::print(&module));
//! assert_eq!(binary::write(&binary::read(&bytes)?), bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The layout is in `docs/ir.md`. An instruction is a *record*: the number of its shape (`binary/shape.rs`), then its operands as small numbers. An
//! [`Archive`] reads the tables of a file alone, and then the parts that are wanted.

mod archive;
mod bytes;
mod decode;
mod error;
mod linkage;
mod loader;
mod named;
mod numbers;
mod op_ids;
mod reach;
mod reader;
mod sections;
mod shape;
mod writer;

pub use archive::Archive;
pub use error::ErrorCode;
pub use linkage::Symbol;
pub use loader::Loader;
pub use op_ids::{OP_TABLE_VERSION, op_ids};
pub use reach::{Part, Reach};
pub use reader::read;
pub use sections::{Header, MAGIC, UnknownSection, VERSIONS};
pub use writer::write;

/// The number of globals that are in a group, which is read as a whole to find one of them. The number is part of the format.
const GROUP: u32 = 32;

/// Returns whether bytes begin as a file in the binary form does.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
