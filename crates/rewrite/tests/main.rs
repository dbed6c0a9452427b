//! The tests of this crate, as one program: it links once.

mod rematerialize;
mod ssa_repair;
mod trivial_parameters;
mod unreachable;
