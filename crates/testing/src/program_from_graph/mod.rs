//! Converts a plain graph to a function that records its path and requests each branch decision.
//!
//! Each block defines a value from values of its dominators and from its parameters, and records it together with the block's number; each
//! branch requests the number of the successor to take. So the records of two functions differ as soon as one of them takes a wrong edge,
//! executes a block twice, or passes a wrong value. Blocks that a pass adds record nothing.
//!
//! ```text
//!            ┌────────────────────────────────┐
//!            │ block ^5(%p: u32, %q: bool):   │   parameters at joins, another value on each edge
//! graph      │   %v = %p, %q, values of the   │
//!   5 ─▶ 6   │        dominators, a constant  │
//!   ▼        │   record 5 %v                  │
//!   7        │   %a = ask 5                   │   0, 1, …: the successor
//!            │   branch_if (%a == 0) ^6 ^7    │
//!            └────────────────────────────────┘
//! ```
//!
//! - [`with_calls`]: records and requests by calls of functions that are only declared. For the interpreter, whose caller answers.
//! - [`as_shader`]: records into a storage buffer and reads decisions from another one. For Vulkan's validator and for drivers.
//!
//! Both obey the rules of stage Graph: critical edges are split by edge blocks, dominators are before what they dominate.
//! (The technique: Donaldson and others, "Taking back control", POPL 2023, section 5, filling.)

mod body;
mod calls;
mod replay;
mod shader;
mod skeleton;

pub use calls::{ORACLE, RECORD, with_calls, with_calls_and};
pub use replay::{replay, replay_words, trace};
pub use shader::{ANSWERS, TRACE, as_shader, as_shader_and};

use reconverge_ir::{Function, Module};

/// The values that the blocks of a filled function pass to one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Parameters at joins, and values of the two nearest dominators, sometimes of a farther one.
    Mixed,
    /// No parameters; values of the nearest, the second nearest and random dominators. They are signed, so that their type distinguishes
    /// them from all others.
    Distant,
    /// Parameters at joins only.
    Passed,
    /// One parameter at each join, a constant on each edge: the predecessor.
    Origin,
}

/// A module of filled functions.
#[derive(Clone, Debug)]
pub struct Filled {
    /// The module.
    pub module: Module,
    /// The function of each graph, in the order of the graphs.
    pub functions: Vec<Function>,
}
