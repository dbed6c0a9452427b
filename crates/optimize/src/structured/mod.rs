//! Passes over functions at stage Structured: they read the control tree, edit with a cursor, and preserve the stage.
//!
//! They run only if they are named or part of an optimization level.

mod blocks;
mod definedness;
mod error;
mod fold_constant_branches;
mod if_conversion;
mod inverse;
mod invert_empty_arms;
mod iterations;
mod join_equal_jumps;
mod loop_ends;
mod loop_peel;
mod loop_rotate;
mod loop_unroll;
mod lower_continue_constructs;
mod lower_returns;
mod merge_terminators;
mod order;
mod prune;
mod remove_dead_control_flow;
mod shape;
mod speculation;
mod view;

pub use error::DemandCode;
pub use fold_constant_branches::fold_constant_branches;
pub use if_conversion::{SelectLimits, if_conversion, if_conversion_within};
pub use invert_empty_arms::invert_empty_arms;
pub use join_equal_jumps::join_equal_jumps;
pub use loop_peel::loop_peel;
pub use loop_rotate::{loop_rotate, loop_rotate_all};
pub use loop_unroll::{UnrollLimits, loop_unroll, loop_unroll_within};
pub use lower_continue_constructs::lower_continue_constructs;
pub use lower_returns::lower_returns;
pub use merge_terminators::merge_terminators;
pub use remove_dead_control_flow::remove_dead_control_flow;
