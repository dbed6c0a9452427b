//! OpenCL kernels to Vulkan compute shaders: one effect a pass, over the module as a whole.
//!
//! ```text
//! Kernel, Physical64, OpenCL memory model        Shader, PhysicalStorageBuffer64, Vulkan memory model
//! kernel void k(global int *a, int n)        ⇒   entry point k, arguments in push constants
//! ```
//!
//! Every pass takes the module and a [`Context`]: the options, and the [`Reflection`] that grows on the way. Between passes the
//! module is valid IR; pointers stay what OpenCL says they are until the pass `memory` turns them into addresses and offsets.

mod context;
mod error;
mod reflection;

pub use context::{Context, GlobalOffset, KernelOptions};
pub use error::{KernelError, KernelErrorKind};
pub use reflection::{
    AddressSpace, Argument, ArgumentKind, Arguments, Kernel, LocalSize, ProgramData, Reflection, Relocation,
};
