//! Reads WGSL: naga parses and validates the text and writes SPIR-V, and the reader of SPIR-V makes a module of it.
//!
//! ```text
//! text ─ depth ─▶ parse ─▶ validate ─▶ SPIR-V with lines ─▶ without the source text ─▶ Module
//!        └────────────────── naga, in a thread ─────────┘
//! ```
//!
//! Naga's parsers and its writer recurse on the nesting of the text. So texts nest at most [`MAX_DEPTH`] deep, which is found before anything
//! is parsed (`depth.rs`), and naga runs in a thread with the stack that this depth needs.
//!
//! What WGSL requires beyond SPIR-V is code afterwards: divisions by zero have a result, and workgroup memory starts as zero.

mod depth;
mod directives;
mod error;
mod source;

use std::borrow::Cow;
use std::thread;

use naga::back::spv;
use naga::front;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use reconverge_ir::Module;
use reconverge_spirv::ReadOptions;

pub(crate) use self::error::located;
pub use self::error::{ReadCode, ReadError};

/// How deep a text may nest: brackets, statements without braces and operators before an operand together.
pub const MAX_DEPTH: usize = 2_000;

/// What a level of nesting takes of the stack at most, in a build without optimizations.
const STACK_OF_A_LEVEL: usize = 256 << 10;

/// How a text is read.
#[derive(Clone, Copy, Debug)]
pub struct SourceOptions<'a> {
    /// The name of the file, which source locations name.
    pub file: &'a str,
}

/// Reads a text as a module at stage Structured, with source locations.
///
/// # Errors
/// [`ReadError`] with line and column where the text is not valid, uses what naga's reader does not know, or nests too deep.
///
/// # Complexity
/// That of naga: about linear in the text; locations take the length of the text for each statement.
pub fn read(text: &str, options: SourceOptions<'_>) -> Result<Module, ReadError> {
    let text = &*without_mark(text);
    let words = with_stack(text, || translate(text, options))??;
    let bytes: Vec<u8> = source::without_text(&words).flat_map(u32::to_le_bytes).collect();
    reconverge_spirv::read(&bytes, &ReadOptions::default()).map_err(|error| ReadError::of_spirv(&error))
}

/// What is found in the module of naga that a text of WGSL is.
///
/// # Errors
/// As [`read`].
pub(crate) fn with_wgsl<T: Send>(text: &str, find: impl FnOnce(&naga::Module) -> T + Send) -> Result<T, ReadError> {
    let text = &*without_mark(text);
    with_stack(text, || parse(text).map(|(module, _)| find(&module)))?
}

/// The text with spaces in place of the mark of UTF-8 that some editors begin it with.
fn without_mark(text: &str) -> Cow<'_, str> {
    text.strip_prefix('\u{feff}').map_or(Cow::Borrowed(text), |rest| Cow::Owned(format!("   {rest}")))
}

/// Runs a parser in a thread with the stack that the text needs.
fn with_stack<T: Send>(text: &str, parse: impl FnOnce() -> T + Send) -> Result<T, ReadError> {
    let depth = depth::measure(text)?;
    let stack = (depth + 64) * STACK_OF_A_LEVEL;
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("shading".to_owned()).stack_size(stack);
        let thread = builder.spawn_scoped(scope, parse);
        let thread = thread.map_err(|error| ReadError::limit(format!("there is no thread to parse in: {error}")))?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// The text as a valid module of naga.
fn parse(text: &str) -> Result<(naga::Module, ModuleInfo), ReadError> {
    let text = &*directives::without_known(text);
    let module = front::wgsl::parse_str(text).map_err(|error| ReadError::of_wgsl(&error, text))?;
    // The rules of uniformity are those of `uniformity`, where the text is checked.
    let flags = ValidationFlags::all().difference(ValidationFlags::CONTROL_FLOW_UNIFORMITY);
    let info = Validator::new(flags, Capabilities::all()).validate(&module);
    let info = info.map_err(|error| ReadError::of_validation(&error, text))?;
    Ok((module, info))
}

/// The text as SPIR-V.
fn translate(text: &str, options: SourceOptions<'_>) -> Result<Vec<u32>, ReadError> {
    let (module, info) = parse(text)?;
    if let Some((handle, _)) = module.overrides.iter().next() {
        return Err(ReadError::of_override(module.overrides.get_span(handle), text));
    }
    // Tools that are older than WGSL refuse its number.
    let language = spirv::SourceLanguage::Unknown;
    let writing = spv::Options {
        lang_version: (1, 5),
        flags: spv::WriterFlags::DEBUG,
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::Polyfill,
        force_loop_bounding: false,
        emit_int_div_checks: true,
        debug_info: Some(spv::DebugInfo { source_code: text, file_name: options.file, language }),
        ..spv::Options::default()
    };
    spv::write_vec(&module, &info, &writing, None).map_err(|error| ReadError::of_writing(&error))
}

#[cfg(test)]
mod tests;
