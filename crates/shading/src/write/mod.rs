//! Writing. GLSL, HLSL and MSL are written by a syntax tree: `lower/`, `rules/`, `names/`, `print/`. For WGSL the module becomes a module of
//! naga, its validator checks that, and its writer prints it.
//!
//! | step | file |
//! |---|---|
//! | the entry points that are written | `entry_points.rs` |
//! | every function gets its padded control tree | `prepare.rs` |
//! | WGSL: what the functions do with images, samplers and atomics | `module/uses.rs` |
//! | WGSL: types, constants, variables | `module/` |
//! | WGSL: functions: values, instructions, control flow | `function/` |
//! | WGSL: text | `print.rs`, `wgsl.rs` |
//! | WGSL: whether control flow is uniform where it has to be | `uniform.rs` |

mod entry_points;
mod error;
mod function;
mod module;
mod options;
mod prepare;
mod print;
mod uniform;
mod wgsl;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, view};
use rustc_hash::FxHashMap;

pub use error::WriteCode;
pub(crate) use error::{at_inst, of_module};
pub(crate) use prepare::Prepared;

use crate::lower::{self, Target};
use crate::names;
use crate::print::{Halves, Lines, Place, Spelling};
use crate::rules::{self, Dialect};
pub use options::{Language, SourceLines, Stage, TextOptions};

/// Writes a module as text. Every function has to be at stage Structured.
///
/// A combined image and sampler becomes two bindings in WGSL: the sampler gets the next free binding of its set.
///
/// # Errors
/// [`Diagnostic`], with what cannot be expressed and its place. O(instructions × depth of nesting).
pub fn write(module: &Module, options: &TextOptions) -> Result<String, Diagnostic> {
    if let Some(target) = Target::of(options)? {
        return write_tree(module, options, target);
    }
    print::check_version(options)?;
    let entries = entry_points::select(module, options)?;
    let prepared = prepare::prepare(module, &entries, options.language)?;
    let mut converted = module::convert(&prepared, options.language, &entries)?;
    let text = print::print(&mut converted.module)?;
    uniform::judged(text, &converted)
}

/// Writes a module by its syntax tree.
fn write_tree(module: &Module, options: &TextOptions, target: Target) -> Result<String, Diagnostic> {
    let entries = entry_points::select(module, options)?;
    let prepared = prepare::prepare(module, &entries, options.language)?;
    let mut text = lower::lower(&prepared, &entries, target)?;
    rules::rearrange(&mut text, &Dialect { has_continuing: false, steps: 2, nests_continues: false });
    if options.language == Language::Msl {
        lower::place(&mut text);
    }
    names::assign(&mut text, options.language);
    let lines = match (options.lines, options.language) {
        (SourceLines::Omitted, _) => Lines::None,
        (SourceLines::Named, Language::Glsl) => Lines::Numbers,
        (SourceLines::Named, Language::Hlsl) => Lines::Directives,
        (SourceLines::Named, _) => Lines::Comments,
    };
    let source = &prepared.module;
    let files = source_files(source);
    let places = |inst: Inst| {
        let line = source.location(inst)?.line?;
        Some(Place { file: files.get(&line.file)?, line: line.line })
    };
    Ok(crate::print::print(&text, options.language, &Spelling { lines, places: &places, halves: Halves::Float16 }))
}

/// The names of the files of a module.
fn source_files(source: &Module) -> FxHashMap<Inst, String> {
    let strings = source.globals().filter_map(|inst| Some((inst, view::String::of(source, inst)?.text.to_string())));
    strings.collect()
}
