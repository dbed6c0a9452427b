//! Kernels on this CPU and on the interpreter: memory is the same.
//!
//! ```text
//! SPIR-V ─ compile at a level ─▶ module ─┬─ widths × vectors × threads ─▶ buffers
//!                                        └─ interpreter, subgroups of a pack ─▶ buffers
//! ```

pub(crate) mod bounds;
pub(crate) mod case;
mod counts;
mod folders;
mod slices;
mod structured;
mod trial;
