//! The tests of this crate, as one program: it links once.

mod common;
mod malformed;
mod mutations;
mod operations;
mod streams;
mod text;
mod translation;
mod views;
