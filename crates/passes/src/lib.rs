//! Passes: each one file, a free function over private state.

mod capabilities;
mod forget_structure;
mod jumps;
pub mod kernel;
mod original_dominance;
mod rematerialize;
mod remove_unreachable;
mod sites;
mod ssa_repair;
mod structurize;
mod trivial_parameters;
mod undef;

pub use forget_structure::forget_structure;
pub use jumps::GrowthLimit;
pub use original_dominance::OriginalDominance;
pub use remove_unreachable::remove_unreachable;
pub use ssa_repair::{RepairError, RepairReport, repair_ssa};
pub use structurize::{Limit, Options, StructurizeError, StructurizeReport, structurize};
pub use trivial_parameters::remove_trivial_parameters;
