//! The tests of this crate, as one program: it links once.

mod graph;
mod kernels;
mod large;
mod library;
mod linked;
mod mutated_binary;
