//! Front ends: source text becomes a module by the compiler that its users trust.
//!
//! Reconverge has no parser for OpenCL C, GLSL, HLSL or Slang. It starts the compiler of the language, as a process, and reads what that
//! writes. This crate knows which compilers there are, how they are called, and which of their versions are wrong how. It is the only
//! crate besides `run` and the command that starts anything; the library `reconverge` starts no process.
//!
//! ```text
//! source ─ language ─▶ front end: the first of its programs that is installed ─ asked for its version ─▶ known faults
//!                                                                                                            │
//! module ◀─ SPIR-V or DXIL by its first bytes ◀─ steps: command lines, in a private folder ◀─ arguments ◀────┘
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `language.rs`, `stage.rs` | the table of languages: extensions, standards, front ends; stages of shaders |
//! | `front_end.rs` | the table of front ends: programs, versions, settings that they take, installation |
//! | `faults.rs` | known faults of versions, with the arguments and the header that avoid each |
//! | `settings.rs` | the settings of every front end |
//! | `arguments/` | from settings to command lines, one file for each front end |
//! | `find.rs`, `version.rs` | which program is started; versions in what programs print |
//! | `compile.rs`, `process.rs` | the compilation; one process, with its messages and its end |
//! | `debug_text.rs` | SPIR-V without the debug information that the reader ignores, and with the source text that messages show |
//! | `depfile.rs`, `messages.rs` | what front ends write: the files that a source includes; messages with their places |
//! | `error.rs` | why there is no module |
//!
//! # Environment
//! `CLANG`, `GLSLANG`, `GLSLC`, `DXC`, `SLANGC` and `LLVM_SPIRV` name the programs; without them, `PATH` is searched.

mod arguments;
mod compile;
mod debug_text;
mod depfile;
mod error;
mod faults;
mod find;
mod front_end;
mod language;
mod messages;
mod odd_widths;
mod process;
mod settings;
mod stage;
mod version;

pub use compile::{CommandLine, Compiled, Source, compile};
pub use depfile::{Rule, write_rule};
pub use error::FrontEndError;
pub use faults::Fault;
pub use front_end::FrontEnd;
pub use language::{Language, SourceKind};
pub use messages::{Message, Severity, messages_of};
pub use settings::{Lines, Setting, Settings};
pub use stage::Stage;
pub use version::Version;
