//! The tests of this crate, as one program: it links once.

mod kernels;
mod large_functions;
mod levels;
mod pages;
mod uniformity_rules;
