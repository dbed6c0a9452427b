//! Editing tools shared by all passes: substitution, jumps, dominance after edits, SSA repair.
//!
//! Nothing here decides what to change; passes do. A tool is here if at least two crates of passes use it.

pub mod block_parameters;
pub mod capabilities;
pub mod commutative;
pub mod constants;
pub mod debug_info;
pub mod debug_values;
pub mod demote_to_memory;
pub mod disjoint_sets;
pub mod jumps;
pub mod marks;
pub mod module_facts;
pub mod original_dominance;
pub mod pass;
pub mod phi_sites;
pub mod places;
pub mod promises;
pub mod redundant_parameters;
pub mod rematerialize;
pub mod removal;
pub mod remove_unreachable;
pub mod scalars;
pub mod session;
pub mod specialize;
pub mod ssa_repair;
pub mod structs;
pub mod substitution;
pub mod trivial_parameters;
pub mod undef;

pub use capabilities::declare_integers;
pub use jumps::{GrowthCode, GrowthLimit};
pub use module_facts::ModuleFacts;
pub use original_dominance::OriginalDominance;
pub use remove_unreachable::remove_unreachable;
pub use specialize::specialize;
pub use ssa_repair::{RepairError, RepairReport, repair_ssa};
pub use trivial_parameters::remove_trivial_parameters;
