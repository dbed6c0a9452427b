//! The tests of this crate, as one program: it links once.

mod arithmetic;
mod assemble;
mod control;
mod faults;
mod memory;
mod packs;
mod parallel;
mod random;
mod units;
mod vpm;
