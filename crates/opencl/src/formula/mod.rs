//! Formulas: values with operators that emit instructions, for passes that write arithmetic.
//!
//! [`Value`] is an instruction with its [`Shape`]; a [`FormulaWriter`] emits what its operators say, and control flow between them
//! (`control.rs`).

mod control;
mod shape;
mod value;
mod writer;

pub(crate) use shape::{Format, Scalar, Shape};
pub(crate) use value::{Beside, Value, polynomial};
pub(crate) use writer::{FormulaWriter, Shared};
