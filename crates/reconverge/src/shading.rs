//! The languages that people read: WGSL, GLSL, HLSL and MSL. Modules are written in them; reading is refused by name.

use reconverge_ir::Module;
pub use reconverge_shading::{Language, Stage, TextOptions, WriteCode, WriteError};
use reconverge_spirv::Merges;

use crate::Error;
use crate::error::{ErrorKind, InputError, InputFault, OutputError, Place};
use crate::format::Row;

/// What the rows of the languages have in common.
pub(crate) const ROW: Row = Row {
    name: "",
    title: "",
    extensions: &[""],
    is_text: true,
    declares_stages: false,
    is_shading_language: true,
    recognizes: |_| false,
    read,
    write: |_| Ok(Vec::new()),
};

/// Writes a module in a language, with an entry point, a stage and a version that the options choose.
///
/// # Errors
/// [`Error::Write`] if the language cannot express the module.
pub fn write_text(module: &Module, options: &TextOptions) -> Result<Vec<u8>, Error> {
    write(module, options).map_err(Error::Write)
}

pub(crate) fn write(module: &Module, options: &TextOptions) -> Result<Vec<u8>, OutputError> {
    Ok(reconverge_shading::write(module, options)?.into_bytes())
}

fn read(_: &[u8], _: Merges) -> Result<Module, InputError> {
    Err(InputError {
        kind: ErrorKind::Rejected,
        code: "shading-read".to_owned(),
        place: Place::Line(1, 1),
        message: "WGSL, GLSL, HLSL and MSL are written and not read; compile the source to SPIR-V first".to_owned(),
        fault: InputFault::Format,
    })
}

impl From<WriteError> for OutputError {
    fn from(error: WriteError) -> OutputError {
        let kind = match error.code {
            WriteCode::Nesting => ErrorKind::Limit,
            WriteCode::Entry | WriteCode::Version | WriteCode::Unstructured => ErrorKind::Options,
            _ => ErrorKind::Unsupported,
        };
        OutputError { kind, code: format!("shading-{}", error.code), inst: error.inst, message: error.message }
    }
}
