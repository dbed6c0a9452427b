//! Converts functions to stage Structured: applies a plan of the structurizer and passes values along its edges.
//!
//! ```text
//! function at stage Graph ─▶ graph ─▶ reconverge-structurize ─▶ Plan ─▶ edges, merges, selectors ─▶ values ─▶ stage Structured
//! ```

mod forget_structure;
mod implied_selectors;
mod passes;
mod phi_elimination;
mod remove_dead_ends;
mod split_shared_headers;
mod structurize;

pub use forget_structure::forget_structure;
pub use passes::{PASSES, Structurized, Structurizing};
pub use remove_dead_ends::remove_dead_ends;
pub use split_shared_headers::split_shared_headers;
pub use structurize::{
    Options, StructurizeCode, StructurizeReport, ValuesReport, apply_plan, structurize, structurize_convergent,
};
