//! Reads DXIL, the form in which HLSL compilers deliver shaders for Direct3D 12.
//!
//! ```text
//! container ─▶ bitstream ─▶ module ─┬─▶ text               LLVM 3.7 assembly
//! DXBC, parts  blocks and    types, │
//!              records       values └─▶ translation        the IR of this project
//! ```
//!
//! [`read()`] accepts containers and bitcode without one, and checks all of it: what code may rely on is the list in [`module`].
//! Typed views of the metadata are in [`module::view`]: shader model, entry points, resources, signatures. [`text::print`] prints a module as
//! the compiler's disassembler does, and [`translate()`] makes a Vulkan shader of it, at stage Graph.
//!
//! ```
//! use reconverge_dxil::{read, text};
//!
//! let container = include_bytes!("../../../tests/dxil/points.O3.dxil");
//! let module = read(container)?;
//! assert_eq!(module.entry_points()?[0].name, "main");
//! assert!(text::print(&module).contains("define void @main()"));
//! # Ok::<(), reconverge_diagnostic::Diagnostic>(())
//! ```
//!
//! DXIL is the bitcode of LLVM 3.7 in a fixed dialect; nothing here depends on LLVM. Unknown blocks and records are skipped where LLVM skips
//! them; what DXIL cannot contain is refused by name.

pub mod container;
pub mod module;
pub mod text;
pub mod translate;

mod bitstream;
mod error;
mod read;

pub use container::is_dxil;
pub use error::{AssumptionCode, Code};
pub use module::Module;
pub use read::{MAX_INPUT, read};
pub use translate::{TranslateOptions, Translation, translate};
