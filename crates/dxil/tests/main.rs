//! The tests of this crate, as one program: it links once.
