//! Reconverge: a compiler from unstructured control flow to structured control flow for GPUs.
//!
//! This crate is the façade: it reads a module in one of the [`Format`]s, runs the [`pipeline`] over it, and writes it. It has the defaults of
//! the command `reconverge compile`. The parts are separate crates; a compiler with its own control-flow graph needs only
//! `reconverge-structurize`, which is the module [`structurize`] here.
//!
//! # SPIR-V to SPIR-V
//!
//! [`compile()`] structurizes and optimizes a module. The output is valid for Vulkan 1.2.
//!
//! ```
//! use std::error::Error;
//!
//! use reconverge::{CompileOptions, Format, Level, compile};
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//!     let shader = include_bytes!("../../../examples/gotos.spv");
//!     let options = CompileOptions::new().level(Level::Size);
//!     let output = compile(shader, Format::SPIRV, Format::SPIRV, &options)?;
//!     assert_eq!(output.bytes[..4], 0x0723_0203_u32.to_le_bytes());
//!     for function in &output.run.structurized {
//!         println!("{} blocks were added", function.report.added_blocks());
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # An OpenCL kernel for Vulkan
//!
//! A module with kernels, such as `clang --target=spirv64` writes it, becomes one with compute shaders. The reflection is what a host needs for a
//! launch: where each argument is.
//!
//! ```
//! use std::error::Error;
//!
//! use reconverge::{CompileOptions, Format, compile};
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//!     let kernels = include_bytes!("../../../examples/search.spv");
//!     let output = compile(kernels, Format::SPIRV, Format::SPIRV, &CompileOptions::new())?;
//!     let reflection = output.run.reflection.ok_or("the module has no kernels")?;
//!     for kernel in &reflection.kernels {
//!         println!("{}: {} bytes of push constants", kernel.name, kernel.push_constant_size);
//!     }
//!     assert_eq!(reflection.kernels[0].name, "search");
//!     Ok(())
//! }
//! ```
//!
//! # A graph without instructions
//!
//! [`graph`] and [`structurize`] work on control flow alone: a graph as text here, or what implements
//! [`ControlFlow`](structurize::ControlFlow).
//!
//! ```
//! use std::error::Error;
//!
//! use reconverge::structurize::{Options, structurize, text};
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//!     // A cycle with two entries: b and c.
//!     let graph = text::parse("a condbr b c | b condbr c d | c condbr b d | d ret")?;
//!     let plan = structurize(&graph, &Options::new().nesting_limit(16))?;
//!     assert_eq!(plan.explain().len(), 1);
//!     Ok(())
//! }
//! ```
//!
//! # Errors
//!
//! An [`Error`] displays its place, its message, its code and what helps. [`Error::code`], [`Error::place`] and [`Error::help`] return them apart, and
//! [`Error::kind`] says who can do something about it.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `json` | yes | reflections of kernels, graphs and plans as JSON |
//! | `shading` | no | WGSL, GLSL, HLSL and MSL as output formats, WGSL as an input format |
//! | `dxil` | no | DXIL as an input format |
//! | `codegen` | no | machine code: the targets `cpu` and `vc4`, and the function `lower` |
//!
//! Without features the crate builds for `wasm32-unknown-unknown`. A format without its feature is recognized and refused, with the code `not-in-build`.
//!
//! # What is stable
//!
//! The items of this crate and of the modules [`ir`], [`opencl`] and [`structurize`] follow semantic versioning. Options and errors grow: they are
//! `#[non_exhaustive]`, and options have a method for each field. Passes and analyses are crates of their own, without this promise.

mod codes;
mod compile;
#[cfg(feature = "dxil")]
pub mod dxil;
mod error;
mod format;
mod format_options;
mod generics;
pub mod graph;
mod kind;
mod levels;
mod lines;
mod linking;
#[cfg(feature = "codegen")]
mod lower;
mod nesting;
mod options;
pub mod pipeline;
#[cfg(feature = "json")]
mod reflection_json;
#[cfg(feature = "shading")]
pub mod shading;
mod specialization;
mod structure;
mod target;
#[cfg(all(feature = "shading", feature = "json"))]
mod text_bindings;
#[cfg(all(feature = "shading", feature = "json"))]
mod text_json;
#[cfg(any(test, not(all(feature = "dxil", feature = "shading"))))]
mod without;

pub use codes::code_groups;
pub use compile::{
    Output, Run, Step, additions, check, compile, read, read_repaired, read_source, repair, require_no_generics, run,
    write, write_described, write_with,
};
pub use error::{Error, ErrorCode, InternalCode, LimitExceeded, OutputCode};
pub use format::{Addition, Format, ReadModule, Source, WrittenModule};
pub use format_options::{FormatOption, OptionGroup, OptionKind, OptionValues};
pub use lines::strip_lines;
pub use linking::{LinkInput, link_modules};
#[cfg(feature = "codegen")]
pub use lower::{Lowering, lower};
pub use options::{CompileOptions, Exits};
pub use pipeline::Level;
pub use reconverge_analysis::MisalignedBarrier;
#[cfg(feature = "codegen")]
pub use reconverge_codegen as codegen;
pub use reconverge_diagnostic::{Code, Diagnostic, Group, Kind, Note, Place, Severity};
pub use reconverge_ir as ir;
pub use reconverge_link::{LinkOptions, Roots, Undefined};
pub use reconverge_opencl as opencl;
pub use reconverge_optimize::Move;
pub use reconverge_restructure::Structurized;
pub use reconverge_rewrite::specialize::Others;
pub use reconverge_spirv::Merges;
pub use reconverge_structurize as structurize;
pub use reconverge_verify::Finding;
#[cfg(feature = "json")]
pub use reflection_json::{reflection_json, with_text};
pub use specialization::{SpecializationConstant, SpecializationType, fix_specialization, specialization_constants};
pub use structure::{Styled, Unstructured, findings, findings_beyond_structure, require_valid};
pub use target::Target;

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
