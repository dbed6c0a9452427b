//! Code for the QPUs of the VideoCore IV, the graphics processor of the first Raspberry Pis.
//!
//! ```text
//! entry point, Structured ─ inline, scalarize ─ flow of lanes ─ lower, select ─▶ MachineFunction ─ allocate, schedule, encode ─▶ words
//! ```
//!
//! A QPU executes one instruction for 16 lanes. It has no masks: each lane has flags, a write may depend on them, and a branch on those of
//! all lanes together. `docs/qpu.md` describes the scheme.
//!
//! | module | content |
//! |---|---|
//! | `requirements` | what the chip does not compute, by name |
//! | `lower` | control flow: a register says where a lane wakes |
//! | `select` | instructions of the IR as instructions of the QPU |
//! | `machine` | machine functions with virtual registers |
//! | `allocate` | registers of the QPU |
//! | `schedule` | the order of instructions, and both ALUs in one word |
//! | `encode` | words |
//! | `program` | what a host gives to a QPU |

pub mod allocate;
mod assemble;
mod compile;
mod encode;
mod error;
mod lower;
pub mod machine;
pub mod physical;
mod program;
mod requirements;
mod schedule;
mod select;
mod unread;

pub use assemble::{AssembleError, Code, Statistics, assemble};
pub use compile::{Selection, check_size, compile, select};
pub use error::Vc4Code;
pub use program::{Dispatch, LANES, Program, QPUS, ROWS, Specialization, Uniform};
pub use requirements::{patterns, support};
