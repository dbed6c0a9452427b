//! The tests of this crate, as one program: it links once.

mod assembly;
mod common;
mod compare;
mod debug_info;
mod lines;
mod malformed;
mod mutation;
mod round_trip;
mod writer;
