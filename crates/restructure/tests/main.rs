//! The tests of this crate, as one program: it links once.

mod choose;
mod forget;
mod growth;
mod payload;
