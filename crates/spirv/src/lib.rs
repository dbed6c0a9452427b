//! Reads and writes binary SPIR-V.
//!
//! [`read()`] accepts versions 1.0 to 1.6, shaders and kernels, in either byte order; [`write()`] produces little-endian words. A module
//! that is read and written unchanged has the same instructions in the same blocks. All of it is kept: names, decorations, lines,
//! non-semantic instructions, instructions newer than the op table, the header. [`same_program`] compares two files up to ids and
//! irrelevant order. [`disassemble`] and [`assemble`] are for SPIR-V as text.
//!
//! ```
//! use reconverge_spirv::{ReadOptions, WriteOptions, read, same_program, write};
//!
//! // A header, `OpCapability Kernel` and `OpMemoryModel Physical32 OpenCL`.
//! let words: [u32; 10] = [0x0723_0203, 0x0001_0000, 0, 1, 0, 0x0002_0011, 6, 0x0003_000e, 1, 2];
//! let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
//! let module = read(&bytes, &ReadOptions::default())?;
//! let written = write(&module, &WriteOptions::default()).expect("what was read can be written");
//! assert!(same_program(&bytes, &written).is_ok());
//! # Ok::<(), reconverge_diagnostic::Diagnostic>(())
//! ```

mod assembly;
mod binary;
mod compare;
mod error;
mod grammar;
mod groups;
mod header;
mod opcode;
mod read;
mod sections;
mod write;

pub use assembly::{Assembled, assemble, disassemble, is_assembly};
pub use binary::is_binary;
pub use compare::{Difference, same_program};
pub use error::{AssemblyCode, ReadCode, WriteCode};
pub use header::Header;
pub use read::{Merges, ReadOptions, ignored_surplus, read};
pub use write::{WriteOptions, write};
