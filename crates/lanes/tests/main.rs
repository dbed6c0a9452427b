//! The tests of this crate, as one program: it links once.

mod kernels;
mod scalarize;
mod specialize;
