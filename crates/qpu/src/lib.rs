//! Code for the QPUs of the VideoCore IV.

pub mod allocate;
mod assemble;
mod encode;
pub mod machine;
pub mod physical;
mod schedule;

pub use assemble::{AssembleError, Code, Statistics, assemble};
