//! The tests of this crate, as one program: it links once.

mod common;
mod disassemble;
mod paths;
mod rules;
