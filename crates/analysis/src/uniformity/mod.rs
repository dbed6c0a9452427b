//! Uniformity: the values that are the same for all converged lanes, the branches that all of them take in the same direction, and the
//! blocks where all of them are converged.

mod bare;
mod body;
mod cause;
mod context;
mod copies;
mod event;
mod function;
mod level;
mod module;
mod origin;
mod pack;
mod propagation;
mod regions;
mod rules;
mod structured;
mod summary;
mod tables;
mod transfer;
mod variables;
mod variation;
mod why;

pub use cause::{Cause, Fact, Reason, Source};
pub use function::Uniformity;
pub use module::ModuleUniformity;
pub use pack::{PackSearch, PackValues};
pub use variation::{Evidence, Scope, Variation};
