//! Random structured programs whose lanes diverge.
//!
//! ```text
//! seed ─▶ generate ─▶ Program ─▶ lower ─▶ Module ── as functions, for the interpreter
//!                        │                    └──── as a compute shader, for drivers
//!                        ├─▶ crate::lanes::simulate: what every lane records
//!                        └─▶ crate::lanes::shrink: a smaller program that still fails
//! ```
//!
//! A [`Program`] is plain data, so that it can be shrunk and printed; [`lower()`] converts it to a module at stage Structured. For its
//! records a program calls `record(point, ballot of lanes 0..32, ballot of lanes 32..64, value)`, which is declared in [`Outside::Calls`]
//! and writes to a buffer in [`Outside::Shader`]; otherwise both modules are the same.
//!
//! The same seed and options give the same program and the same module.

mod display;
mod generate;
mod lower;
mod outside;
mod program;
mod repair;
mod value;

pub use generate::{LaneOptions, Records, SubgroupUse, lanes_program};
pub use lower::{LaneModule, Outside, lower};
pub use outside::{
    INPUT, LANE, PushConstants, RECORD, RETURNED, SHARED_LANES, UNIFORM_INPUTS, push_constants, words_per_lane,
};
pub use program::{
    Assignable, Binary, COMPLETE, Carry, Case, Comparison, Condition, ELEMENTS, Expression, Form, Guard, Hint, If,
    Latch, Leave, List, Loop, PER_LANE, Procedure, Program, Reduction, Rest, Statement, Storage, Subgroup, Switch,
    TRIPS, UNIFORMS, Variable, size_of,
};
pub use repair::repair;
