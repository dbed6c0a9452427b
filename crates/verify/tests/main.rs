//! The tests of this crate, as one program: it links once.

mod broken;
mod common;
mod contraction;
mod generics;
mod large;
mod micro;
mod motion;
mod mutations;
mod rules;
