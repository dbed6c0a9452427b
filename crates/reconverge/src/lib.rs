//! Reconverge: a compiler from unstructured control flow to structured control flow for GPUs.
//!
//! This crate is the façade: it reads a module in one of the [`Format`]s, runs the [`pipeline`] over it, and writes it. The parts are
//! separate crates; a compiler with its own control-flow graph needs only `reconverge-structurize`.
//!
//! ```
//! use reconverge::{CompileOptions, Format, compile};
//!
//! let text = "
//! %void = type_void
//! %fn = type_function %void
//! func %main: %void () type %fn control 0 stage graph {
//! block ^entry:
//!   return
//! }
//! ";
//! let output = compile(text.as_bytes(), Format::TEXT, Format::TEXT, &CompileOptions::default())?;
//! assert!(String::from_utf8(output.bytes).unwrap().contains("stage structured"));
//! # Ok::<(), reconverge::Error>(())
//! ```

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
pub mod pipeline;
#[cfg(feature = "json")]
mod reflection_json;
#[cfg(feature = "shading")]
pub mod shading;
mod structure;
mod target;

pub use codes::code_groups;
pub use compile::{
    CompileOptions, Output, Run, Step, check, compile, read, read_repaired, read_source, repair, require_no_generics,
    run, write, write_with,
};
pub use error::{Error, ErrorCode, InternalCode, LimitExceeded, OutputCode};
pub use format::{Format, ReadModule, Source};
pub use format_options::{FormatOption, OptionGroup, OptionKind, OptionValues};
pub use lines::strip_lines;
pub use linking::{LinkInput, link_modules};
#[cfg(feature = "codegen")]
pub use lower::{Lowering, lower};
pub use reconverge_analysis as analysis;
#[cfg(feature = "codegen")]
pub use reconverge_codegen as codegen;
pub use reconverge_control_tree as control_tree;
pub use reconverge_diagnose as diagnose;
pub use reconverge_diagnostic as diagnostic;
pub use reconverge_diagnostic::{Diagnostic, Kind, Place};
pub use reconverge_ir as ir;
pub use reconverge_legalize as legalize;
pub use reconverge_link as link;
pub use reconverge_opencl as opencl;
pub use reconverge_optimize as optimize;
pub use reconverge_restructure as restructure;
pub use reconverge_restructure::Structurized;
pub use reconverge_rewrite as rewrite;
pub use reconverge_spirv as spirv;
pub use reconverge_spirv::Merges;
pub use reconverge_structurize as structurize;
pub use reconverge_verify as verify;
#[cfg(feature = "json")]
pub use reflection_json::reflection_json;
pub use structure::{Styled, Unstructured, findings, findings_beyond_structure, require_valid};
pub use target::Target;

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
