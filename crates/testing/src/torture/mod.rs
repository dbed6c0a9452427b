//! The stress tests of the structurizer, T0 to T6, each with its own method.
//!
//! | test | file | subject |
//! |---|---|---|
//! | T0 | `exhaustive` | every graph of few blocks |
//! | T1 | `filling` | random graphs of 10 to 200 blocks, as plans and as programs |
//! | T3 | `unstructurers` | programs whose structure was unstructured without changing what they do |
//! | T4 | `consumers` | the results of other tools on the output |
//! | T5 | `damage` | whether the checkers detect small damage to a plan or a module |
//! | T6 | `scaling` | shapes that grow |
//!
//! A seed determines everything. A test takes an [`Effort`] and returns a [`Tally`]; `cargo xtask torture` runs them for minutes, the tests
//! of this crate for seconds.

pub mod consumers;
pub mod damage;
pub mod exhaustive;
pub mod filling;
mod plan;
mod pool;
pub mod scaling;
mod tally;
pub mod unstructurers;

pub use plan::{Verdict, block_bound, judge_hinted, judge_plan};
pub use pool::{Effort, Worker, in_parallel};
pub use tally::{Culprit, Fault, FaultKind, Tally};
