//! Code: a module in the form that lanes execute, and its decoding.
//!
//! `program.rs` numbers the module and evaluates its constants, `decode.rs` decodes a function to the declarations of `instruction.rs`;
//! families of instructions have a decoder each.

pub(crate) mod addresses;
mod backward_jumps;
mod constant_address;
pub(crate) mod decode;
mod extended;
pub(crate) mod image;
pub(crate) mod instruction;
pub(crate) mod library;
pub(crate) mod program;
pub(crate) mod specialization;
pub(crate) mod structure;
pub(crate) mod variable_address;
