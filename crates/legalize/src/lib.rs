//! Legalization: operations that a machine lacks, expressed by those that it has, from IR to IR.
//!
//! ```text
//! kernels for Vulkan, WebGPU ──┐                       ┌── split_integers, widen_integers, expand_carries
//! lanes of this CPU            ├── Machine ──▶ passes ─┤
//! lanes of the VC4 ────────────┘                       └── expand_division, expand_bits
//! ```
//!
//! A client describes its machine ([`Machine`]) and sets it in the session ([`LegalizeFor`]); the passes read it and change what it lacks.
//! What a pass produces is again in the IR: the optimizer folds it, the verifier checks it, the interpreter runs it.

#![warn(missing_docs)]

mod expand_bits;
mod expand_carries;
mod expand_division;
mod machine;
pub mod magic;
mod passes;
mod shift;
mod split_integers;
mod widen_integers;

pub use expand_bits::expand_bits;
pub use expand_carries::expand_carries;
pub use expand_division::expand_division;
pub use machine::{LegalizeFor, Machine, Widths};
pub use passes::{PASSES, is_idle};
pub use split_integers::split_integers;
pub use widen_integers::widen_integers;
