//! Tests of the replacement of generics.

#[path = "common/many.rs"]
mod many;
mod mutated;
mod specialize;
