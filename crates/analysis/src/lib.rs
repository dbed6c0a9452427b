//! Analyses of functions: immutable facts, each built by one call.
//!
//! The algorithms on plain graphs are those of `reconverge-graph`; this crate applies them to functions.

pub mod constant_folding;
mod dead_ends;
mod declarations;
pub mod effects;
mod extents;
mod flow_graph;
pub mod launch;
mod layout;
pub mod liveness;
mod loop_control;
pub mod loops;
pub mod memory;
mod misaligned_barriers;
mod ranges;
pub mod trip_count;
pub mod uniformity;

pub use dead_ends::{compute_dead_blocks, compute_dead_ends};
pub use declarations::{is_debug_set, is_exported};
pub use extents::Extents;
pub use flow_graph::FlowGraph;
pub use layout::{Layout, LayoutError, Layouts, array_length};
pub use loop_control::LoopControl;
pub use misaligned_barriers::{MisalignedBarrier, find_misaligned_barriers};
pub use ranges::{Range, Ranges};
