//! Machine code for this CPU from masked functions: instruction selection, register allocation, encoding, execution.
//!
//! | where | content |
//! |---|---|
//! | `machine/` | machine functions: virtual registers and x86-64 instructions, allocation, encoding, executable memory |
//! | `select/` | instruction selection: what each operation of the IR becomes, for one lane and for vectors of lanes |
//! | `engine.rs`, `choose.rs`, `clock.rs` | a kernel and its launches over threads; the form that runs, and the clock of the trial |
//! | `arena.rs`, `ranges.rs` | memory for buffers with nothing around it; the memory that checked code may access |
//! | `arena_launch.rs` | launches on an arena |
//! | `error.rs` | codes and errors |
//! | `requirements.rs` | what the engine does not compute, by name |
//! | `call_memory.rs` | what is where in the memory that the code is given |
//! | `convention.rs` | the calling convention, for other callers |
//! | `trap.rs` | how a launch ended early |

mod arena;
mod arena_launch;
mod call_memory;
mod choose;
mod clock;
pub mod convention;
mod engine;
mod error;
pub mod machine;
mod ranges;
mod requirements;
pub mod select;
mod trap;

pub use arena::{Arena, Nearby};
pub use arena_launch::{ArenaLaunch, GROUPS_LIMIT, LaunchError};
pub use choose::{Candidate, Choice, FormRequest, KernelForms, Why};
pub use engine::{Arguments, ITEMS_LIMIT, Kernel, THREADS_LIMIT, check_size};
pub use error::CpuCode;
pub use ranges::{MemoryRange, Ranges};
pub use requirements::{patterns, support};
pub use trap::{Trap, TrapKind};
