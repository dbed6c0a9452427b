//! The tests of this crate, as one program: it links once.

mod common;
mod cycles;
mod dominance;
mod large;
mod orders;
