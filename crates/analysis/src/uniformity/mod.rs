//! Uniformity: which values are the same for all converged lanes, which branches all of them take together, and where all of
//! them are together.

mod cause;
mod function;
mod module;
mod variation;

pub use cause::{Cause, Fact, Reason, Source};
pub use function::Uniformity;
pub use module::ModuleUniformity;
pub use variation::{Scope, Variation};
