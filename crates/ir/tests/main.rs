//! The tests of this crate, as one program: it links once.

mod acceptance;
mod docs;
mod generic_use;
mod ops;
mod text;
mod text_mutations;
