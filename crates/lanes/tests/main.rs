//! The tests of this crate, as one program: it links once.

mod bound_buffers;
mod kernels;
mod masked;
mod random;
mod scalarize;
