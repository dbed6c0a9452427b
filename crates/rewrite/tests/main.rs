//! The tests of this crate, as one program: it links once.

mod specialize;
mod ssa_repair;
mod trivial_parameters;
