//! Lowers extended instructions of OpenCL, and operations that Vulkan lacks.
//!
//! ```text
//! %n: %u64 = ext_inst %opencl clz %x     ⇒     %high: %u32 = …
//!                                              %zeros: %u32 = ext_inst %glsl FindUMsb %high
//!                                              …
//! ```
//!
//! *Requires* that calls of imported functions are resolved. *Preserves* the behaviour of kernels, up to the precision that
//! `docs/opencl-std.md` states for each function.
//!
//! A table (`table.rs`) specifies the lowering of each instruction: an instruction of GLSL.std.450, a formula written in place, or a
//! formula written as a function of scalars, once for each type, and called for each component. Formulas are Rust functions of values whose
//! operators emit instructions (`crates/opencl/src/formula/`). Vectors of 8 and 16 components are computed in parts of 4.
//!
//! Linear in the instructions.

mod arctangent;
mod bit_field;
mod call;
mod catalogue;
mod conversion;
mod error_function;
mod exact;
mod exponential;
mod fused;
mod gamma;
mod geometric;
mod hyperbolic;
mod integer;
mod integer_dot;
mod logarithm;
mod long;
mod lower;
mod media;
mod memory;
mod native;
mod numbers;
mod pair;
mod plain;
mod power;
mod reduction;
mod relational;
mod remainder;
mod shuffle;
mod signature;
mod table;
mod trigonometric;

pub use catalogue::{OpenClInstruction, open_cl_instructions};
pub(crate) use conversion::narrow;
pub(crate) use exact::round_even;
pub use lower::extended_instructions;
pub(crate) use media::{is_media_function, media_value};
