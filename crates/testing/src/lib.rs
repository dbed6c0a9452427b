//! What the tests of every crate are made of: graphs, programs made from them, comparisons, judges.
//!
//! ```text
//! generators ──▶ PlainGraph ──▶ flesh ──▶ Module ──▶ the pass under test ──▶ Module
//!                    │                       │                                  │
//!                    └──▶ walks ─────────────┴──▶ equivalence ◀─────────────────┤
//!                                                   verify, spirv-val ◀─────────┘
//! ```
//!
//! Everything is decided by a seed, and every failure says it.

pub mod behaviour;
pub mod equivalence;
pub mod filetest;
pub mod flesh;
pub mod generators;
pub mod judge;
pub mod nesting;
pub mod plain_graph;
pub mod random;
pub mod trial;
pub mod walk;
