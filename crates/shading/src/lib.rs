//! Shading languages: modules as source text for people and for other compilers.
//!
//! WGSL, GLSL, HLSL and MSL are written. The control tree of each function determines its statements: it is lowered to a syntax tree, which
//! rules rewrite into readable forms and a printer writes. `docs/shading.md` describes the conversion and its restrictions. WGSL is read, by
//! naga's parser, with the feature `wgsl-in`.
//!
//! ```
//! use reconverge_ir::text;
//! use reconverge_shading::{Language, TextOptions, write};
//!
//! let module = text::parse(
//!     "capability Shader
//!      memory_model Logical, GLSL450
//!      %void = type_void
//!      entry_point GLCompute, %main, \"main\"
//!      execution_mode %main, LocalSize 64, 1, 1
//!      func %main: %void () stage structured {
//!      block ^entry:
//!        return
//!      }",
//! )?;
//! let written = write(&module, &TextOptions::new(Language::Wgsl))?;
//! assert!(written.text.contains("@compute @workgroup_size(64)"));
//! assert_eq!(written.interface.entry_points[0].name, "main");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod interface;
mod lower;
mod names;
mod print;
#[cfg(feature = "wgsl-in")]
mod read;
mod rules;
mod source;
mod syntax;
mod uniform_flow;
#[cfg(feature = "wgsl-in")]
mod uniformity;
#[cfg(not(feature = "wgsl-in"))]
mod without_reader;
mod write;

pub use interface::{
    Interface, InterfaceEntry, InterfaceVariable, Resource, ResourceCount, ResourceKind, ResourcePlace, Slot,
    SpecializationConstant,
};
#[cfg(feature = "wgsl-in")]
pub use read::read;
pub use source::{Indices, MAX_DEPTH, ReadCode, SourceOptions, UniformityFinding, UniformityRule};
pub use uniform_flow::SharedValue;
#[cfg(feature = "wgsl-in")]
pub use uniformity::uniformity;
#[cfg(not(feature = "wgsl-in"))]
pub use without_reader::{read, uniformity};
pub use write::{
    BindingEntry, BindingNumber, Bindings, BoundResource, Language, ResourceForm, Semantics, SourceLines, Stage,
    TextOptions, WriteCode, Written, shared_values, write,
};
