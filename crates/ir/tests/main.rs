//! The tests of this crate, as one program: it links once.

mod acceptance;
mod binary;
mod binary_mutations;
mod docs;
mod generic_use;
mod ops;
mod text;
mod text_mutations;
