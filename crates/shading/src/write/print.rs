//! The module of naga as WGSL: its validator, then its writer.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::valid::{Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
use reconverge_diagnostic::Diagnostic;

use super::{TextOptions, WriteCode, of_module, wgsl};
use crate::style::{Dialect, restyle};

/// Checks the version: WGSL has none.
///
/// # Errors
/// There is no such version.
pub(crate) fn check_version(options: &TextOptions) -> Result<(), Diagnostic> {
    let Some(asked) = &options.version else { return Ok(()) };
    let message = format!("{} has no version {asked:?}: it has no versions", options.language);
    Err(of_module(WriteCode::Version, message).with_help("leave out --shader-version"))
}

/// Prints a module.
///
/// # Errors
/// naga's validator or writer does not accept the module.
pub(crate) fn print(module: &mut naga::Module) -> Result<String, Diagnostic> {
    let written = catch_unwind(AssertUnwindSafe(|| {
        naga::compact::compact(module, naga::compact::KeepUnused::No);
        let info = validate(module)?;
        wgsl::text(module, &info)
    }));
    let text = written.unwrap_or_else(|panic| Err(of_panic(&*panic)))?;
    Ok(restyle(&text, Dialect::Wgsl))
}

/// The error for a panic of naga, whose writers panic where something is not implemented. The module was only read, or is dropped.
fn of_panic(panic: &(dyn Any + Send)) -> Diagnostic {
    of_module(
        WriteCode::Language,
        format!("naga, which writes the text, refuses the module: {}", crate::panic_message(panic)),
    )
}

/// Validates a module.
fn validate(module: &naga::Module) -> Result<ModuleInfo, Diagnostic> {
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    validator.subgroup_stages(ShaderStages::all()).subgroup_operations(SubgroupOperationSet::all());
    validator.validate(module).map_err(|error| {
        of_module(
            WriteCode::Invalid,
            format!("naga, which writes the text, finds a fault in the module: {}", chain(error.as_inner())),
        )
    })
}

pub(super) fn refused(error: &dyn std::error::Error) -> Diagnostic {
    of_module(WriteCode::Language, format!("naga, which writes the text, refuses the module: {}", chain(error)))
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
