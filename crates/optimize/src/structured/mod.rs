//! Passes over functions at stage Structured: they read the control tree, edit by cursor, and leave a structured function.
//!
//! None of them runs unless it is asked for or part of an optimization level: what was structured comes back as it was otherwise.

mod blocks;
mod definedness;
mod error;
mod fold_constant_branches;
mod if_to_select;
mod inverse;
mod invert_empty_arms;
mod invert_loops;
mod iterations;
mod join_equal_jumps;
mod loop_ends;
mod lower_continue_constructs;
mod lower_returns;
mod merge_terminators;
mod order;
mod peel_loops;
mod prune;
mod remove_dead_control_flow;
mod shape;
mod speculation;
mod unroll_loops;
mod view;

pub use error::StructuredError;
pub use fold_constant_branches::fold_constant_branches;
pub use if_to_select::{SelectLimits, if_to_select, if_to_select_within};
pub use invert_empty_arms::invert_empty_arms;
pub use invert_loops::{invert_loops, invert_worthwhile_loops};
pub use join_equal_jumps::join_equal_jumps;
pub use lower_continue_constructs::lower_continue_constructs;
pub use lower_returns::lower_returns;
pub use merge_terminators::merge_terminators;
pub use peel_loops::peel_loops;
pub use remove_dead_control_flow::remove_dead_control_flow;
pub use unroll_loops::{UnrollLimits, unroll_loops, unroll_loops_within};
