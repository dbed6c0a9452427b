//! The reference interpreter: the semantics of a program.
//!
//! An independent checker: it depends only on the IR and shares no code with the passes that it checks. Correctness has priority over
//! speed: each family of operations is one file, every instruction follows the SPIR-V specification, and what the specification leaves
//! undefined is undefined here:
//!
//! - **Undefined values propagate** and are reported where they affect control flow or memory: as the condition of a branch, as an address,
//!   as a divisor. A pure operation without a defined result returns an undefined value.
//! - **Undefined behaviour is reported** with a code and a place ([`UndefinedBehaviour`]).
//! - **Unsupported instructions are named** ([`End::Unsupported`]).
//!
//! Each lane has a state. Lanes of a structured function execute together as SPIR-V's maximal reconvergence specifies: they form a *tangle*
//! that splits at branches and reconverges at merge blocks, continue targets and after calls. `docs/interpreter.md` has the rules one by
//! one. Fuel limits the instructions; calls have a separate stack. There are two ways to run a program:
//!
//! - [`Interpreter::run`] runs any function, in one or several lanes that start together; it can record every entered block.
//! - [`Interpreter::launch_kernel`] runs a kernel for a grid of work-groups, from OpenCL or as lowered to Vulkan: with its arguments,
//!   built-in variables, barriers, group operations, and optional race detection. Each subgroup starts together.
//!
//! An [`Observer`] gets an event for everything that a tangle executes.
//!
//! The modules are layers: each uses only those before it in this table.
//!
//! | module | content |
//! |---|---|
//! | `value` | values, pointers, descriptors |
//! | `fault` | undefined behaviour, and how a lane ends |
//! | `types` | types, their members and their memory layout |
//! | `compute` | what depends on its operands alone: arithmetic, comparisons, conversions, composites |
//! | `extended` | the instructions of `GLSL.std.450` and `OpenCL.std` |
//! | `code` | the module: numbers for everything, constants, functions as code that a lane executes |
//! | `races` | data races: shadow memory and the order that barriers and atomic operations make |
//! | `origins` | undefined values: where they come from, and where they reach a buffer |
//! | `memory` | objects of bytes: loads, stores, copies |
//! | `groups` | group operations, derivatives, copies by a work-group |
//! | `images` | images and samplers: those of shaders, which the caller answers for, and those of OpenCL kernels, in buffers |
//! | `lanes` | one lane: its calls and registers, and how it executes an instruction |
//! | `scheduling` | many lanes: tangles, where lanes synchronize and reconverge, which tangle runs next; observers |
//! | `launch` | what a run starts from, what is there before it, and what comes of it |
//!
//! ```
//! use reconverge_interpret::{End, Launch, Value, no_externals, run};
//! use reconverge_ir::{Builder, Module};
//!
//! let mut module = Module::new();
//! let mut build = Builder::new(&mut module);
//! let u32_type = build.int_type(32);
//! let function = build.add_function(u32_type, &[u32_type]);
//! let entry = build.add_block(function);
//! let parameter = build.module().parameters(function).next().unwrap().inst();
//! build.at_end(entry);
//! let double = build.i_add(u32_type, &[parameter, parameter]);
//! build.return_value(&[double]);
//!
//! let outcome = run(&module, function, &Launch::new([Value::u32(21)]).with_trace(), &mut no_externals).unwrap();
//! assert_eq!(outcome.only().end, End::Returned(Some(Value::u32(42))));
//! assert_eq!(outcome.only().trace, [(function, entry)]);
//! ```

mod code;
mod compute;
mod extended;
mod fault;
mod groups;
mod images;
mod lanes;
mod launch;
mod memory;
mod origins;
mod races;
mod scheduling;
mod types;
mod value;

pub use code::program::Interpreter;
pub use extended::printf;
pub use fault::{End, InstructionPlace, UndefinedBehaviour};
pub use images::open_cl::{FailedTexel, KernelImage};
pub use images::{ImageCall, Images, Texel};
pub use lanes::frame::Trace;
pub use lanes::machine::{External, no_externals};
pub use launch::kernel::outcome::{
    FailedAccess, KernelFailure, KernelOutcome, LaneId, MemoryObject, Origin, OtherLane, Printed, Race, RaceAccess,
    UndefinedWrite,
};
pub use launch::kernel::start::{
    BoundBuffer, BufferAddress, Holder, KernelArgument, KernelLaunch, Races, UndefinedValues,
};
pub use launch::outcome::{Buffer, LaneOutcome, Outcome};
pub use launch::run::run;
pub use launch::{Argument, Contents, Launch, LaunchCode};
pub use origins::Cause;
pub use races::access::{Access, RaceRule};
pub use scheduling::observer::{Observer, Step};
pub use scheduling::work_group::Missed;
pub use value::descriptor::{Descriptor, Resource};
pub use value::{Pointer, Value};
