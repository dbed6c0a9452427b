//! The tests of this crate, as one program: it links once.

mod common;
mod constant_folding;
mod layout;
mod liveness;
mod loops;
mod memory_random;
mod memory_states;
mod motion;
mod pack_values;
mod trip_count;
mod trip_count_shapes;
mod trip_count_state;
mod uniformity_precision;
