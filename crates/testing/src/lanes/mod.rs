//! Checks the behaviour of lanes: a program before and after a pass, and on different engines.
//!
//! ```text
//! Program ─┬─▶ simulate ───────────────────────▶ Run      masks over the tree
//!          └─▶ lower ─▶ Module ─▶ interpret ───▶ Run      tangles over the blocks
//!                          │ pass
//!                          └─▶ Module ─▶ interpret ─▶ Run
//! ```
//!
//! A [`Run`] contains the records of each lane, in order, and how it ended. Two runs are equal if every lane recorded the same points with
//! the same converged lanes and the same values, and ended in the same way. The order of different lanes does not matter.
//!
//! [`judge_pass`] checks a pass on many programs, [`judge_sequences`] sequences of passes, [`judge_module`] a module of a compiler,
//! [`Versions`] any function; [`judge_in_processes`] checks programs on Vulkan drivers.

mod contents;
mod corpus;
mod cpu;
mod driver;
mod function;
mod interpret;
mod judge;
mod qpu;
mod refusal;
mod run;
mod sequence;
mod shader;
mod shrink;
mod simulate;
mod subgroup;
mod tangle;

pub use corpus::{Expected, ModuleFigures, check_launch, judge_damaged, judge_module, judge_optimized, launch_outputs};
pub use cpu::{CpuTrial, CpuVerdict, cpu_program, judge_on_cpu};
pub use driver::{Batch, Demand, Driver, Tally, driver_program, judge_in_processes, shrink_on_driver, work};
pub use function::{Compared, Versions};
pub use interpret::{Counted, Machine, interpret};
pub(crate) use judge::check_verified;
pub use judge::{Figures, Idempotence, PassTrial, PassUnderTest, compare, judge_pass};
pub use qpu::{QpuCode, QpuTrial, judge_on_qpu, qpu_code};
pub use refusal::{structured_passes, unless_refused};
pub use run::{Ended, Inputs, Record, Run, compare_runs};
pub use sequence::{SequenceFigures, SequenceTrial, judge_sequences};
pub use shader::Shader;
pub use shrink::shrink;
pub use simulate::{Promise, Simulation, simulate};
pub use tangle::Doubt;
