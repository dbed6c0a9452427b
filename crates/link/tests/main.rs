//! The tests of this crate, as one program: it links once.

mod common;
mod decorations;
mod definitions;
mod descriptions;
mod structs;
mod symbols;
