//! Reads WGSL: naga parses and validates the text and writes SPIR-V, which the reader of SPIR-V converts to a module.
//!
//! ```text
//! text ─ depth ─▶ parse ─▶ validate ─▶ SPIR-V with lines ─▶ without the source text ─▶ Module
//!        └────────────────── naga, in a thread ─────────┘
//! ```
//!
//! Naga's parsers and its writer recurse on the nesting of the text. So texts nest at most [`MAX_DEPTH`](crate::MAX_DEPTH) deep, which is checked before
//! parsing (`depth.rs`), and naga runs in a thread with the stack for this depth.
//!
//! Code that WGSL requires beyond SPIR-V is added afterwards: divisions by zero have a result, and workgroup memory is initialized with
//! zero.

mod attributes;
mod bounds;
mod constant_indices;
mod depth;
mod directives;
mod endless;
mod error;
mod explicit_layout;
mod formats;
mod handles;
mod inserter;
mod lets;
mod limits;
mod markers;
mod overrides;
mod pointers;
mod refused;
mod restore;
mod sample_mask;
mod shifts;
mod sizes;
mod source;
mod subgroups;
mod texels;

use std::borrow::Cow;
use std::thread;

use naga::back::spv;
use naga::front;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Module;
use reconverge_spirv::ReadOptions;
use spirv::Capability;

pub(crate) use self::attributes::{LocalFilter, local_filters};
pub(crate) use self::error::located;
use self::overrides::Overrides;
use crate::source::{Indices, SourceOptions};

/// The maximum stack space of a level of nesting, in a build without optimizations.
const STACK_OF_A_LEVEL: usize = 256 << 10;

/// Reads a text as a module at stage Structured, with source locations.
///
/// # Errors
/// [`Diagnostic`] with line and column if the text is not valid, uses something that naga's reader does not know, or exceeds the nesting
/// limit.
///
/// # Complexity
/// The cost of naga: about linear in the text; locations take the length of the text for each statement.
pub fn read(text: &str, options: SourceOptions<'_>) -> Result<Module, Diagnostic> {
    let text = &*without_mark(text);
    let (words, overrides) = with_stack(text, || translate(text, options))??;
    let bytes: Vec<u8> = source::without_text(&words).flat_map(u32::to_le_bytes).collect();
    let mut module =
        reconverge_spirv::read(&bytes, &ReadOptions::default()).map_err(|error| error::of_spirv(&error))?;
    restore::restore(&mut module, &overrides);
    explicit_layout::remove(&mut module);
    if options.indices == Indices::Clamped {
        bounds::clamp_indices(&mut module);
        texels::clamp_coordinates(&mut module);
    }
    sample_mask::make_arrays(&mut module);
    shifts::mask_distances(&mut module);
    sizes::query_whole_images(&mut module);
    formats::declare_accesses(&mut module);
    Ok(module)
}

/// Calls a function on the naga module of a text of WGSL.
///
/// # Errors
/// Those of [`read`].
pub(crate) fn with_wgsl<T: Send>(text: &str, find: impl FnOnce(&naga::Module) -> T + Send) -> Result<T, Diagnostic> {
    let text = &*without_mark(text);
    with_stack(text, || parse(text).map(|(module, _)| find(&module)))?
}

/// The text with spaces in place of the byte order mark of UTF-8 that some editors write.
fn without_mark(text: &str) -> Cow<'_, str> {
    text.strip_prefix('\u{feff}').map_or(Cow::Borrowed(text), |rest| Cow::Owned(format!("   {rest}")))
}

/// Runs a parser in a thread with the stack that the text needs. A panic of naga counts as an unsupported text.
fn with_stack<T: Send>(text: &str, parse: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    let depth = depth::measure(text)?;
    let stack = (depth + 64) * STACK_OF_A_LEVEL;
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("shading".to_owned()).stack_size(stack);
        let thread = builder.spawn_scoped(scope, parse);
        let thread = thread.map_err(|error| error::limit(format!("there is no thread to parse in: {error}")))?;
        thread.join().map_err(|panic| error::of_panic(&*panic))
    })
}

/// The text as a valid module of naga.
fn parse(text: &str) -> Result<(naga::Module, ModuleInfo), Diagnostic> {
    let known = directives::without_known(text);
    let mut module = front::wgsl::parse_str(&known).map_err(|error| error::of_wgsl(&error, &known))?;
    refused::refuse_types(&module, text)?;
    endless::complete_returns(&mut module);
    pointers::pass_whole_variables(&mut module);
    constant_indices::bring_in_range(&mut module);
    lets::hide_values(&mut module);
    subgroups::make_lanes_unsigned(&mut module, text);
    let info = validate(&module, text)?;
    Ok((module, info))
}

/// Checks a module. The rules of uniformity are checked by `uniformity`.
fn validate(module: &naga::Module, text: &str) -> Result<ModuleInfo, Diagnostic> {
    let flags = ValidationFlags::all().difference(ValidationFlags::CONTROL_FLOW_UNIFORMITY);
    let info = Validator::new(flags, Capabilities::all()).validate(module);
    info.map_err(|error| error::of_validation(&error, text))
}

/// The text as SPIR-V, and the facts about its overrides that `restore` needs.
fn translate(text: &str, options: SourceOptions<'_>) -> Result<(Vec<u32>, Overrides), Diagnostic> {
    let (mut module, mut info) = parse(text)?;
    let overrides = overrides::take(&mut module, &info, text)?;
    if markers::mark(&mut module, &info) {
        info = validate(&module, text).map_err(error::of_the_reader)?;
    }
    // Tools that are older than WGSL reject its number.
    let language = spirv::SourceLanguage::Unknown;
    let writing = spv::Options {
        lang_version: (1, 5),
        flags: spv::WriterFlags::DEBUG,
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::Polyfill,
        force_loop_bounding: false,
        emit_int_div_checks: true,
        capabilities: Some(capabilities().collect()),
        debug_info: Some(spv::DebugInfo { source_code: text, file_name: options.file, language }),
        ..spv::Options::default()
    };
    let words = spv::write_vec(&module, &info, &writing, None).map_err(|error| error::of_writing(&error))?;
    Ok((words, overrides))
}

/// The capabilities that naga may declare: all except integers of 8 bits, which WGSL does not have. Otherwise the packing functions would
/// use them, although a device need not support them.
fn capabilities() -> impl Iterator<Item = Capability> {
    const LAST: u32 = 0x1fff;
    (0..=LAST).filter_map(Capability::from_u32).filter(|&capability| capability != Capability::Int8)
}

#[cfg(test)]
mod tests;
