//! Writing: a syntax tree in steps.
//!
//! | step | file |
//! |---|---|
//! | the numbers that a host program chooses | `bindings.rs` |
//! | the entry points that are written | `entry_points.rs` |
//! | every function gets its padded control tree | `prepare.rs` |
//! | the tree, readable forms, names, text | `lower/`, `rules/`, `names/`, `print/` |
//! | what the text declares for its host program | `interface.rs` |
//! | WGSL: whether control flow is uniform where it has to be | `uniform.rs` |

mod bindings;
mod entry_points;
mod error;
mod interface;
mod options;
mod prepare;
mod uniform;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, view};
use rustc_hash::FxHashMap;

pub(crate) use bindings::in_entry;
pub use bindings::{BindingEntry, BindingNumber, Bindings, BoundResource};
pub use error::WriteCode;
pub(crate) use error::{at_inst, of_module};
pub(crate) use prepare::Prepared;

use crate::interface::Interface;
use crate::lower::{self, Target};
use crate::names;
use crate::print::{Halves, Lines, Place, Spelling};
use crate::rules::{self, Dialect};
use crate::syntax::Text;
use crate::uniform_flow::SharedValue;
pub use options::{Language, ResourceForm, Semantics, SourceLines, Stage, TextOptions};

/// A text, and what it declares for its host program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Its interface.
    pub interface: Interface,
}

/// Writes a module as text. Every function has to be at stage Structured.
///
/// A combined image and sampler becomes two bindings in WGSL: the sampler gets the next free binding of its set.
///
/// # Errors
/// [`Diagnostic`], with what cannot be expressed and its place. O(instructions × depth of nesting).
pub fn write(module: &Module, options: &TextOptions) -> Result<Written, Diagnostic> {
    let target = Target::of(options)?;
    let entries = entry_points::select(module, options)?;
    let prepared = prepare::prepare(module, &entries, options.language)?;
    let (mut text, _) = tree(&prepared, &entries, (target, options))?;
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
    let spelling = Spelling { lines, places: &places, halves: Halves::Float16 };
    let interface = interface::of_text(&text, &entries, target);
    Ok(Written { text: crate::print::print(&text, options.language, &spelling), interface })
}

/// The values that go through workgroup memory in the text of a module, because WGSL does not find the control flow of a barrier uniform.
/// Costs as much as [`write()`].
///
/// # Errors
/// Those of [`write()`].
pub fn shared_values(module: &Module, options: &TextOptions) -> Result<Vec<SharedValue>, Diagnostic> {
    let target = Target::of(options)?;
    let entries = entry_points::select(module, options)?;
    let prepared = prepare::prepare(module, &entries, options.language)?;
    Ok(tree(&prepared, &entries, (target, options))?.1)
}

/// The tree of a text without its final names, and the values that go through workgroup memory in it.
fn tree(
    prepared: &Prepared,
    entries: &[entry_points::Entry],
    (target, options): (Target, &TextOptions),
) -> Result<(Text, Vec<SharedValue>), Diagnostic> {
    options::check(options, target)?;
    let mut text = lower::lower(prepared, entries, target, options)?;
    rules::rearrange(&mut text, &Dialect::of(target));
    let mut shared = Vec::new();
    match target.language() {
        Language::Msl => lower::place(&mut text),
        Language::Wgsl => {
            lower::hide(&mut text);
            shared = uniform::settle(&mut text)?;
        }
        Language::Hlsl => {
            lower::keep_narrow(&mut text);
            lower::give_types(&mut text);
        }
        Language::Glsl => {}
    }
    Ok((text, shared))
}

/// The names of the files of a module.
fn source_files(source: &Module) -> FxHashMap<Inst, String> {
    let strings = source.globals().filter_map(|inst| Some((inst, view::String::of(source, inst)?.text.to_string())));
    strings.collect()
}
