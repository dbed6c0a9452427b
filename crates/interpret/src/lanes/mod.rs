//! One lane: its calls and registers, and the execution of an instruction.
//!
//! `machine.rs` executes an instruction of any kind: `scalar.rs` the most frequent ones, `access.rs`, `pointer.rs` and `atomic.rs` those of
//! memory, `image.rs`, `group.rs` and `extended/` those of their families. `trace.rs` finds where an undefined value comes from, and
//! `settle.rs` records it.

pub(crate) mod access;
mod atomic;
mod demotion;
mod extended;
pub(crate) mod frame;
pub(crate) mod group;
mod image;
mod library;
pub(crate) mod machine;
mod pointer;
mod scalar;
mod settle;
pub(crate) mod trace;
