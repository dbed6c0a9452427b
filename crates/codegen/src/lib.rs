//! Machine code: from a compute shader at stage Structured to code of this CPU or of the VideoCore IV.
//!
//! ```text
//!                     passes of `lanes` and `optimize`, by name
//! entry point, Structured ── LAUNCH, OPTIMIZATIONS, SCALARS ──▶ scalars ── LOOPS ──▶ closed loops ── MASKS ──▶ Masked
//!                                                   │                      │                      │
//!                                               CPU, one lane             VC4               CPU, vectors      select, assemble
//! ```
//!
//! A [`BackEnd`] is a row: the passes that lead to the form that its instruction selection takes, what it knows of a launch, and the function
//! that selects and assembles. A [`Request`] says what launches the code is for. The façade runs the rows pass by pass, as those of every
//! other target; [`cpu::compile`] and [`vc4::compile`] do all at once.
//!
//! | file | content |
//! |---|---|
//! | `pipeline.rs` | the names of the passes, in their order, with the reasons |
//! | `back_end.rs` | the table of back ends |
//! | `request.rs` | the launches that code is compiled for |
//! | `cpu.rs` | the forms of a kernel for this CPU |
//! | `vc4.rs` | the program of a kernel for the VC4 |
//! | `interface.rs` | interfaces for a host, as JSON |
//! | `error.rs` | errors |

mod back_end;
pub mod cpu;
mod error;
#[cfg(feature = "json")]
mod interface;
pub mod pipeline;
mod request;
pub mod vc4;

pub use back_end::{BackEnd, BackEndPass, CodeBlock, MachineCode};
pub use cpu::MACHINE as CPU_MACHINE;
pub use error::{CodegenCode, CodegenError, InstructionText};
pub use reconverge_lanes::CodeRole;
pub use reconverge_lanes_cpu::CpuCode;
pub use reconverge_qpu::Vc4Code;
pub use request::{Request, entry_points, find_entry_point, required_size};
pub use vc4::MACHINE as VC4_MACHINE;

/// The example of the page runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/machine-code.md")]
struct Page;
