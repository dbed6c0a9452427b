//! Passes over functions at stage Structured: they read the control tree, edit by cursor, and leave a structured function.
//!
//! None of them runs unless it is asked for: what was structured comes back as it was.

mod error;

pub use error::StructuredError;
