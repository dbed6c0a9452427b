//! The tests of this crate, as one program: it links once.

mod archives;
mod associativity;
mod common;
mod decorations;
mod definitions;
mod descriptions;
mod generics;
mod large;
mod mutated_pairs;
mod structs;
mod symbols;
