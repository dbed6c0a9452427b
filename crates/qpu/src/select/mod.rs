//! Instruction selection: from structured functions to machine functions.
//!
//! | file | content |
//! |---|---|
//! | `selector.rs` | a function as a whole: the three parts of its state |
//! | `value.rs`, `values.rs` | scalar types; the values of a function |
//! | `emit.rs` | the machine function: blocks, constants, flags |
//! | `memory.rs` | the memory of a function |
//! | `integer.rs`, `wide.rs`, `float.rs` | arithmetic that the ALUs do not have |
//! | `compare.rs` | comparisons as flags |
//! | `computations.rs`, `rules/` | instructions that depend on operands alone: tables of rules |
//! | `frame.rs`, `rows.rs` | where variables are; private variables |
//! | `roots.rs` | what addresses point into |
//! | `load_store.rs`, `dma.rs`, `atomic.rs` | accesses to memory |
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
mod load_store;
pub(crate) mod memory;
pub(crate) mod roots;
mod rows;
pub(crate) mod rules;
pub(crate) mod selector;
pub(crate) mod units;
pub(crate) mod value;
pub(crate) mod values;
mod wide;
