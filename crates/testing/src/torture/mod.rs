//! The torture ladder: the structurizer tried by ever other means, counted rung by rung.
//!
//! | rung | file | what is tried |
//! |---|---|---|
//! | T0 | `exhaustive` | every graph of few blocks |
//! | T1 | `filling` | random graphs of 10 to 200 blocks, as plans and as programs |
//! | T3 | `unstructurers` | programs whose structure was unstructured without changing what they do |
//! | T4 | `consumers` | what others say to the output |
//! | T5 | `damage` | whether the checkers see a plan or a module that is a little wrong |
//! | T6 | `scaling` | shapes that grow |
//!
//! Everything is decided by a seed. A rung takes an [`Effort`] and gives a [`Tally`]; `cargo xtask torture` runs them for minutes, the
//! tests of this crate for seconds.

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
