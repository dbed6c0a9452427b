//! The reference interpreter: what a program means.
//!
//! A witness: it sees the IR alone and shares no code with the passes that it judges. It is made to be believed, then to be fast: each
//! family of operations is one file, every instruction does what the SPIR-V specification says, and where the specification says
//! nothing, so does the interpreter:
//!
//! - **Undefined values travel freely** and are reported where they decide something: as the condition of a branch, as an address, as
//!   a divisor. A pure operation that has no defined result gives an undefined one.
//! - **Undefined behaviour is reported** with a code and a place ([`UndefinedBehaviour`]), never guessed.
//! - **What it does not know is named** ([`End::Unsupported`]).
//!
//! Lanes have a state each. Those of a structured function execute together what SPIR-V's maximal reconvergence says: they are a *tangle*
//! that splits at branches and comes together at merge blocks, continue targets and behind calls. `docs/interpreter.md` has the rules
//! one by one. Fuel bounds the instructions, calls have a stack of their own. There are two ways to run them:
//!
//! - [`Interpreter::run`] runs any function, in one or several lanes that begin together; every block entered can be written down.
//! - [`Interpreter::launch_kernel`] runs a kernel for a grid of work-groups, from OpenCL or as lowered to Vulkan: with its arguments,
//!   built-in variables, barriers, group operations, and data races if asked. Each subgroup begins together.
//!
//! An [`Observer`] is told what each tangle executes.
//!
//! ```
//! use reconverge_interpret::{End, Launch, Value, no_externals, run};
//! use reconverge_ir::{Builder, Module};
//!
//! let mut module = Module::new();
//! let mut build = Builder::new(&mut module);
//! let u32_type = build.int_type(32, false);
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

mod access;
mod arbitrary_image;
mod arithmetic;
mod async_copy;
mod atomic;
mod backward_jumps;
mod bitmask;
mod bits;
mod builtin;
mod code;
mod compare;
mod composite;
mod compute;
mod constant_address;
mod conversion;
mod decode;
mod decode_memory;
mod demotion;
mod derivative;
mod extended;
mod frame;
mod group;
mod group_ballot;
mod group_reduce;
mod half;
mod happens_before;
mod image;
mod images;
mod integer_dot;
mod kernel;
mod kernel_launch;
mod kernel_outcome;
mod kernel_setup;
mod launch;
mod library;
mod lift;
mod matrix;
mod memory;
mod memory_access;
mod observer;
mod outcome;
mod pointer;
mod program;
mod race_report;
mod races;
mod rejoin;
mod rendezvous;
mod run;
mod sampling;
mod scalar;
mod schedule;
mod setup;
mod shadow;
mod specialization;
mod structure;
mod tangle;
mod texels;
mod types;
mod value;
mod work_group;

pub use images::{Descriptor, ImageCall, Images, Resource, Texel};
pub use kernel_launch::{BufferAddress, Holder, KernelArgument, KernelLaunch, Races};
pub use kernel_outcome::{Access, KernelFailure, KernelOutcome, LaneId, MemoryObject, OtherLane, Race, RaceAccess};
pub use launch::{Argument, Contents, Launch, LaunchError, Trace};
pub use observer::{Observer, Step};
pub use outcome::{Buffer, End, LaneOutcome, Missed, Outcome, Place, UndefinedBehaviour};
pub use program::Interpreter;
pub use run::{External, no_externals, run};
pub use value::{Pointer, Value};
