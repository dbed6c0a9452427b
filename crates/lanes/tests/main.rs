//! The tests of this crate, as one program: it links once.

mod kernels;
mod random;
mod scalarize;
mod specialize;
