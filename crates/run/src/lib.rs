//! Runs kernels: a [`Launch`] is bound to a kernel and given to an engine.
//!
//! | engine | runs | file |
//! |---|---|---|
//! | interpreter, on the input | the kernel of the input: the reference | `interpreter.rs` |
//! | interpreter, on the output | the compiled kernel, bound as a driver would | `interpreter.rs` |
//! | CPU | the output, in machine code of this CPU | `on_cpu.rs` |
//! | CPU, on memory of the caller | the same, for programs that have kernels of their own | `cpu.rs` |
//! | emulator of the VC4 | the output, in machine code of the VideoCore IV | `on_vc4.rs` |
//! | Vulkan | the output, on a device | `on_vulkan.rs`, with the feature `vulkan`, which is on by default |

mod arguments;
mod binding;
pub mod cpu;
mod cpu_failure;
mod error;
mod image_binding;
mod image_parameter;
mod interpreter;
#[cfg(feature = "vulkan")]
mod iterations;
pub mod launch;
mod on_cpu;
mod on_vc4;
#[cfg(feature = "vulkan")]
mod on_vulkan;
mod printed;
mod sample;
mod size;
mod vc4_image;
#[cfg(feature = "vulkan")]
pub mod vulkan;

pub use crate::launch::{
    AddressMode, Argument, Buffer, Coordinates, Element, FileMisfit, Filter, Image, ImageFile, Launch, Mismatch,
    OutputBuffer, Role, Rule, Sampler, Tolerance, Value, ValueType, compare, is_named_npy, is_named_png, is_npy,
    is_png, no_array, read_npy, write_npy,
};
pub use arguments::{check_arguments, parameter_names};
pub use binding::{Address, Binding, Contents, Descriptor, DescriptorKind, bind};
pub use cpu_failure::{BufferText, CpuAccess, CpuFailure};
pub use error::{RunCode, RunError};
pub use interpreter::{
    Interpretation, InterpreterOptions, interpret, interpret_compiled, interpret_compiled_reporting,
    interpret_observed, interpret_reporting,
};
#[cfg(feature = "vulkan")]
pub use iterations::iterations_past_limit;
pub use on_cpu::{CpuKernel, CpuOptions, CpuRun, Measured, run_on_cpu};
pub use on_vc4::{Vc4Run, run_bound_on_vc4, run_on_vc4};
#[cfg(feature = "vulkan")]
pub use on_vulkan::{VulkanOptions, VulkanRun, options_for, run_on_vulkan};
pub use printed::{Printed, PrintedOutput};
pub use reconverge_codegen::InstructionText;
pub use reconverge_interpret::{
    Cause, End, FailedAccess, InstructionPlace, KernelFailure, LaneId, LaunchCode, MemoryObject, Origin, Race,
    RaceAccess, RaceRule, Races, UndefinedBehaviour, UndefinedWrite,
};
pub use reconverge_lanes_cpu::select::{Extent, Pack};
pub use reconverge_lanes_cpu::{Candidate, Choice, ITEMS_LIMIT, THREADS_LIMIT, Why};
pub use sample::Sample;
pub use size::Size;
pub use vc4_image::Vc4Image;

use size::range;
