//! Binary SPIR-V in and out: [`read`] and [`write`] (versions 1.0 to 1.6, shaders and kernels), and [`same_program`], which says
//! whether two files are the same but for ids and for order where order means nothing.

mod binary;
mod compare;
mod error;
mod grammar;
mod header;
mod opcode;
mod read;
mod write;

pub use compare::{Difference, same_program};
pub use error::{ReadCode, ReadError, WriteCode, WriteError};
pub use header::Header;
pub use read::{Merges, ReadOptions, read};
pub use write::{WriteOptions, write};
