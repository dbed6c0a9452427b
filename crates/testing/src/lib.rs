//! Building blocks of the tests of every crate: graphs, programs made from them, comparisons, validators.
//!
//! ```text
//! generators ──▶ PlainGraph ──▶ program_from_graph ──▶ Module ──▶ the pass under test ──▶ Module
//!                    │                       │                                  │
//!                    └──▶ walks ─────────────┴──▶ equivalence ◀─────────────────┤
//!                                                   verify, spirv-val ◀─────────┘
//! ```
//!
//! A seed determines everything, and every failure reports it.

pub mod agreement;
pub mod behaviour;
pub mod block_order;
pub mod bodies;
pub mod builtins;
mod call_observer;
pub mod damage;
pub mod debug_values;
pub mod device;
pub mod early_joins;
pub mod equivalence;
pub mod filetest;
pub mod fuzz;
pub mod generators;
pub mod images;
pub mod judge;
pub mod lanes;
pub mod llvm;
pub mod motion;
pub mod msl;
pub mod mutate;
pub mod nesting;
mod opcode;
pub mod optimum;
pub mod plain_graph;
pub mod printf;
pub mod program_from_graph;
pub mod programs;
pub mod random;
pub mod rebuild;
pub mod shading;
pub mod shrink;
pub mod shrink_program;
pub mod text_judges;
pub mod text_reading;
pub mod torture;
pub mod trial;
pub mod uniformity_judge;
pub mod unstructure;
pub mod walk;

/// Returns whether long runs are requested: `RECONVERGE_DEEP=1`.
pub fn is_deep() -> bool {
    std::env::var_os("RECONVERGE_DEEP").is_some_and(|value| value == "1")
}

/// The first seed of random lane programs: 0, or the value of `RECONVERGE_LANES_FIRST`.
///
/// # Panics
/// The value is not a number.
pub fn first_seed() -> u64 {
    std::env::var("RECONVERGE_LANES_FIRST")
        .map_or(0, |first| first.parse().expect("RECONVERGE_LANES_FIRST is a number"))
}
