//! Passes: each one file, a free function over private state.

mod capabilities;
mod dead_code;
mod decided_parameters;
mod forget_structure;
mod inline;
mod jumps;
pub mod kernel;
mod mem2reg;
mod original_dominance;
mod redundant_parameters;
mod rematerialize;
mod removal;
mod remove_unreachable;
mod scalar_replacement;
mod shelf;
mod sites;
mod ssa_repair;
pub mod structured;
mod structurize;
mod told_selectors;
mod trivial_parameters;
mod undef;
mod unused_globals;

pub use dead_code::remove_dead_code;
pub use forget_structure::forget_structure;
pub use inline::{InlineError, inline_calls};
pub use jumps::GrowthLimit;
pub use mem2reg::mem2reg;
pub use original_dominance::OriginalDominance;
pub use remove_unreachable::remove_unreachable;
pub use scalar_replacement::scalar_replacement;
pub use ssa_repair::{RepairError, RepairReport, repair_ssa};
pub use structurize::{Limit, Options, StructurizeError, StructurizeReport, ValuesReport, apply_plan, structurize};
pub use trivial_parameters::remove_trivial_parameters;
pub use unused_globals::remove_unused_globals;
