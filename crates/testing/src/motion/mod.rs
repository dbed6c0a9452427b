//! Tests of value numbering and code motion: random programs with memory, traps and lanes, and the checks that passes must satisfy.
//!
//! ```text
//! seed ─▶ Subject ─▶ Built ──────────────────────────────▶ run ─┐ equal calls, ends, memory
//!          │ base: program for lanes, graph   └─▶ passes ─▶ run ─┘
//!          │ pieces: what it is dressed with      └─▶ verify, verify_motion
//! ```
//!
//! A program has no undefined behaviour on its inputs: if the interpreter finds some, the divisor or the index becomes a constant. So the
//! remaining instructions trap only after an illegal move.

mod dress;
mod judge;
mod mutants;
mod run;
mod stock;
mod subject;
mod tally;
mod view;

pub use judge::{MovingPass, Seen, Witness, judge_motion, shrink};
pub use mutants::{Mutant, Mutated};
pub use subject::{Base, Built, Form, Subject};
pub use tally::{Caught, judge_mutants};
