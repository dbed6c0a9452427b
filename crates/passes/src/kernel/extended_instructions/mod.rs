//! Extended instructions of OpenCL, and plain ones that Vulkan does not have, become ones that it has.
//!
//! ```text
//! %n: %u64 = ext_inst %opencl clz %x     ⇒     %high: %u32 = …
//!                                              %zeros: %u32 = ext_inst %glsl FindUMsb %high
//!                                              …
//! ```
//!
//! *Requires* that calls of imported functions are resolved. *Preserves* what the kernels do, up to the precision that
//! `docs/opencl-std.md` states for each function. *Breaks* nothing.
//!
//! What each instruction becomes is a row of a table (`table.rs`): an instruction of GLSL.std.450, a formula written in place, or a
//! formula written as a function, once for each type, and called. Formulas are Rust functions of [`Value`]s, on which operators write
//! instructions (`value.rs`). Vectors of 8 and 16 components are computed in parts of 4.
//!
//! Linear in the instructions.

mod call;
mod conversion;
mod exact;
mod fused;
mod geometric;
mod integer;
mod lower;
mod memory;
mod plain;
mod relational;
mod shape;
mod shuffle;
mod table;
mod value;
mod writer;

pub use lower::extended_instructions;
