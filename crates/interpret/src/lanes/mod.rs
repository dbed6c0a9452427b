//! One lane: its registers and calls, and how it executes an instruction.
//!
//! `frame.rs` is the state of a lane. `run.rs` executes instructions, `scalar.rs` the most frequent ones directly, `library.rs` calls of
//! OpenCL library functions. `demotion.rs` implements helper lanes.

pub(crate) mod demotion;
pub(crate) mod frame;
pub(crate) mod library;
pub(crate) mod run;
mod scalar;
