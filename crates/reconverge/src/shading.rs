//! Shading languages as formats of modules: WGSL, GLSL, HLSL and MSL are written, WGSL is read.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::Module;
use reconverge_shading::{Indices, SourceOptions};
pub use reconverge_shading::{
    Language, ReadCode, Stage, TextOptions, UniformityFinding, UniformityRule, WriteCode, uniformity,
};

use crate::Error;
use crate::format::{Row, Source, with_merges};
use crate::structure::{Unstructured, check_rules};

/// The common fields of the rows of the languages.
pub(crate) const ROW: Row = Row {
    name: "",
    title: "",
    extensions: &[""],
    is_text: true,
    declares_stages: false,
    is_shading_language: true,
    recognizes: |_| false,
    read: |_| Err(invalid_language()),
    write: |_| Ok(Vec::new()),
};

/// Writes a module in a language, with an entry point, a stage and a version that the options choose.
///
/// # Errors
/// [`Error::Write`] if the language cannot express the module.
pub fn write_text(module: &Module, options: &TextOptions) -> Result<Vec<u8>, Error> {
    write(module, options).map_err(Error::Write)
}

pub(crate) fn write(module: &Module, options: &TextOptions) -> Result<Vec<u8>, Diagnostic> {
    Ok(reconverge_shading::write(module, options)?.into_bytes())
}

/// GLSL of one stage.
pub(crate) fn glsl_of(stage: Stage) -> TextOptions {
    TextOptions { stage: Some(stage), ..TextOptions::new(Language::Glsl) }
}

/// Reads WGSL.
pub(crate) fn read(source: Source<'_>) -> Result<Module, Diagnostic> {
    read_text(source, Indices::Clamped)
}

/// Reads WGSL that becomes WGSL again.
pub(crate) fn read_for_wgsl(source: Source<'_>) -> Result<Module, Diagnostic> {
    read_text(source, Indices::AsWritten)
}

fn read_text(source: Source<'_>, indices: Indices) -> Result<Module, Diagnostic> {
    let text = std::str::from_utf8(source.bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&source.bytes[..error.valid_up_to()]);
        Diagnostic::new(ReadCode::Syntax, Place::in_text(&before, before.len()), "the text is not UTF-8")
    })?;
    let options = SourceOptions { file: source.file, indices };
    let mut module = reconverge_shading::read(text, options)?;
    check(&mut module)?;
    Ok(with_merges(module, source.merges))
}

/// Checks the module of a reader of text. A front end produces structured functions, so a module that is not structured is a bug of the
/// reader, and nothing is repaired.
fn check(module: &mut Module) -> Result<(), Diagnostic> {
    match check_rules(module, Unstructured::Refused) {
        Err(Error::Invalid(findings)) => {
            let first = findings.first().map_or_else(String::new, |finding| format!(": {finding}"));
            let message = format!("the reader makes no valid module of this text{first}");
            Err(Diagnostic::new(ReadCode::Unsupported, Place::Line(1, 1), message))
        }
        _ => Ok(()),
    }
}

/// The error for a language that cannot be read.
fn invalid_language() -> Diagnostic {
    let message = "GLSL, HLSL and MSL are written and not read; a front end compiles the source to SPIR-V";
    Diagnostic::new(ReadCode::Language, Place::Line(1, 1), message)
}

/// Returns whether a text looks like WGSL: an attribute of an entry point or of a resource begins a line.
pub(crate) fn is_wgsl(text: &str) -> bool {
    let begins = ["@compute", "@vertex", "@fragment", "@group("];
    text.lines().any(|line| begins.iter().any(|word| line.trim_start().starts_with(word)))
}
