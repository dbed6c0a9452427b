//! Reading WGSL in a build without the feature `wgsl-in`: refused by its name.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::Module;

use crate::source::{ReadCode, SourceOptions, UniformityFinding};

/// Refuses a text.
///
/// # Errors
/// Always: the reader is not a part of this build.
pub fn read(_text: &str, _options: SourceOptions<'_>) -> Result<Module, Diagnostic> {
    Err(refused())
}

/// Refuses a text.
///
/// # Errors
/// Always: the reader is not a part of this build.
pub fn uniformity(_text: &str) -> Result<Vec<UniformityFinding>, Diagnostic> {
    Err(refused())
}

fn refused() -> Diagnostic {
    let message = "this build does not read WGSL: it is without the feature `wgsl-in`";
    Diagnostic::new(ReadCode::Unsupported, Place::Line(1, 1), message)
}
