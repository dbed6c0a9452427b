//! Instruction selection: from masked functions to machine functions.
//!
//! | folder | content |
//! |---|---|
//! | `value.rs` | scalar types, and the registers that hold one scalar of every lane |
//! | `arithmetic/` | operations that depend on their operands alone |

pub mod arithmetic;
pub mod value;

pub use value::{Isa, Pack, ScalarType, Value};
