//! Instruction selection: from structured functions to machine functions.
//!
//! | file | content |
//! |---|---|
//! | `value.rs`, `selector.rs` | scalar types; the values of a function |
//! | `emit.rs` | blocks, constants, flags |
//! | `integer.rs`, `wide.rs`, `float.rs` | arithmetic that the ALUs do not have |
//! | `compare.rs` | comparisons as flags |
//! | `computations.rs`, `rules/` | instructions that depend on operands alone: tables of rules |
//! | `frame.rs`, `rows.rs` | where variables are; private variables |
//! | `roots.rs` | what addresses point into |
//! | `memory.rs`, `dma.rs`, `atomic.rs` | accesses to memory |
//! | `groups.rs` | barriers and subgroup operations |
//! | `units.rs` | uniforms, built-in inputs, the loop over the work of a QPU |

mod atomic;
mod compare;
mod computations;
mod dma;
pub(crate) mod emit;
mod float;
pub(crate) mod frame;
mod groups;
mod integer;
mod memory;
mod roots;
mod rows;
pub(crate) mod rules;
pub(crate) mod selector;
pub(crate) mod units;
pub(crate) mod value;
mod wide;
