//! Optimizations: one file per pass, which is a function over private state.
//!
//! Passes in [`structured`] work on functions at stage Structured, all others on functions at any stage.

mod analyses;
mod body;
mod correlated_value_propagation;
mod dce;
mod dse;
mod flow;
mod forwarding;
mod gcm;
mod gvn;
mod hoist_bounds;
mod inline;
mod iv_strength_reduction;
mod load_pre;
mod locations;
mod mem2reg;
mod merge_blocks;
mod names;
mod partial_dce;
mod passes;
mod remove_unused_functions;
mod remove_unused_globals;
mod sccp;
mod simplify;
mod slp_vectorize;
mod sroa;
mod strength_reduction;
mod strip_debug;
pub mod structured;

pub use analyses::Analyses;
pub use correlated_value_propagation::correlated_value_propagation;
pub use dce::dce;
pub use dse::dse;
pub use gcm::{Bound, Kept, MotionOptions, Move, Moves, Placement, PressureReport, Reason, gcm};
pub use gvn::{ValueNumbering, gvn};
pub use inline::{InlineError, InlineLimits, inline_calls, inline_exits, inline_worthwhile};
pub use iv_strength_reduction::iv_strength_reduction;
pub use load_pre::load_pre;
pub use mem2reg::{Promotion, mem2reg, promote_variables};
pub use merge_blocks::merge_blocks;
pub use partial_dce::{Splits, partial_dce};
pub use passes::{MoveLog, PASSES};
pub use remove_unused_functions::{remove_functions, remove_unused_functions};
pub use remove_unused_globals::{Interface, remove_unused_globals};
pub use sccp::{ConstantPropagation, sccp};
pub use simplify::simplify;
pub use slp_vectorize::slp_vectorize;
pub use sroa::sroa;
pub use strength_reduction::strength_reduction;
pub use strip_debug::strip_debug;
