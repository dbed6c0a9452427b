//! Shading languages: modules as source text for people and for other compilers.
//!
//! WGSL, GLSL, HLSL and MSL are written. The control tree of each function determines its statements: for GLSL, HLSL and MSL it is lowered to
//! a syntax tree, which rules rewrite into readable forms and a printer writes; WGSL is written by naga. `docs/shading.md` describes the
//! conversion and its restrictions. WGSL is read, by naga's parser.
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
//! let text = write(&module, &TextOptions::new(Language::Wgsl))?;
//! assert!(text.contains("@compute @workgroup_size(64, 1, 1)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod lower;
mod names;
mod print;
mod read;
mod rules;
mod style;
mod syntax;
mod uniform_flow;
mod uniformity;
mod write;

pub use read::{Indices, MAX_DEPTH, ReadCode, SourceOptions, read};
pub use uniformity::{UniformityFinding, UniformityRule, uniformity};
pub use write::{Language, SourceLines, Stage, TextOptions, WriteCode, write};

/// The message of a panic of naga, in a line. Its parsers and writers panic where something is not implemented.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    message.and_then(|message| message.lines().next()).unwrap_or("it panics")
}
