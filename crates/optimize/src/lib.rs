//! Optimizations: each pass one file, a function over private state.
//!
//! Passes in [`structured`] work on functions at stage Structured, all others on functions at any stage.

mod analyses;
mod body;
mod chains;
mod code_motion;
mod condition_propagation;
mod constant_propagation;
mod dead_code;
mod dead_stores;
mod flow;
mod forwarding;
mod induction_variables;
mod inline;
mod join;
mod join_loads;
mod locations;
mod mem2reg;
mod partially_dead;
mod scalar_replacement;
mod simplify;
mod strength_reduction;
pub mod structured;
mod unused_functions;
mod unused_globals;
mod value_numbering;

pub use analyses::Analyses;
pub use code_motion::{
    Bound, MotionOptions, Move, Moves, Placement, PressureReport, Reason, code_motion, code_motion_with,
};
pub use condition_propagation::{condition_propagation, condition_propagation_with};
pub use constant_propagation::{ConstantPropagation, constant_propagation};
pub use dead_code::remove_dead_code;
pub use dead_stores::{remove_dead_stores, remove_dead_stores_with};
pub use induction_variables::{reduce_induction_variables, reduce_induction_variables_with};
pub use inline::{InlineError, InlineLimits, inline_calls, inline_worthwhile};
pub use join::join_blocks;
pub use join_loads::{join_loads, join_loads_with};
pub use mem2reg::{Promotion, mem2reg, mem2reg_with};
pub use partially_dead::{Splits, split_partially_dead, split_partially_dead_with};
pub use scalar_replacement::{scalar_replacement, scalar_replacement_with};
pub use simplify::{simplify, simplify_with};
pub use strength_reduction::{strength_reduction, strength_reduction_with};
pub use unused_functions::{remove_functions, remove_unused_functions};
pub use unused_globals::{Interface, remove_unused_globals};
pub use value_numbering::{ValueNumbering, value_numbering, value_numbering_with};
