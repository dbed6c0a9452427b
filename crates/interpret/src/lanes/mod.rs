//! One lane: its registers and calls, and how it executes an instruction.
//!
//! `frame.rs` is the state of a lane. `run.rs` executes instructions, `scalar.rs` the most frequent ones directly, `library.rs` calls of
//! functions of the OpenCL library. `demotion.rs` is about helper lanes.

pub(crate) mod demotion;
pub(crate) mod frame;
pub(crate) mod library;
pub(crate) mod run;
mod scalar;
