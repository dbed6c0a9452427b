//! DXIL as a format of modules: it is read, but not written.

pub use reconverge_dxil::translate::{Assumption, Bindings, DescriptorSlot, Placement, Register};
pub use reconverge_dxil::{Code, Error as DxilError, Place as DxilPlace, TranslateOptions, Translation};
pub use reconverge_dxil::{module, text};

use crate::Error;
use crate::error::{ErrorKind, InputError, InputFault, OutputError, Place};

/// Translates a container or bitcode of DXIL to a Vulkan shader with its interface.
///
/// # Errors
/// [`Error::Read`], with the place.
pub fn translate(bytes: &[u8], options: &TranslateOptions) -> Result<Translation, Error> {
    translate_input(bytes, options).map_err(Error::Read)
}

/// Prints a container or bitcode of DXIL as LLVM assembly.
///
/// # Errors
/// [`Error::Read`], with the place.
pub fn print(bytes: &[u8]) -> Result<String, Error> {
    let module = reconverge_dxil::read(bytes).map_err(|error| Error::Read(error.into()))?;
    Ok(text::print(&module))
}

pub(crate) fn translate_input(bytes: &[u8], options: &TranslateOptions) -> Result<Translation, InputError> {
    Ok(reconverge_dxil::translate(&reconverge_dxil::read(bytes)?, options)?)
}

/// The error for DXIL as an output.
pub(crate) fn not_written() -> OutputError {
    OutputError {
        kind: ErrorKind::Unsupported,
        code: "write-dxil".to_owned(),
        inst: None,
        message: "DXIL is read and not written; write SPIR-V, or HLSL for a compiler to DXIL".to_owned(),
    }
}

impl From<DxilError> for InputError {
    fn from(error: DxilError) -> InputError {
        let kind = match error.code {
            Code::Unsupported | Code::Dxbc => ErrorKind::Unsupported,
            Code::Limit => ErrorKind::Limit,
            Code::Binding => ErrorKind::Options,
            _ => ErrorKind::Rejected,
        };
        let fault = if error.code == Code::Container { InputFault::Format } else { InputFault::Content };
        let place = Place::Byte(error.place.byte());
        InputError { kind, code: error.code.to_string(), place, message: error.message, fault }
    }
}

/// The JSON form of the interface of a translated shader, as `docs/dxil.md` describes it, with a final newline.
#[cfg(feature = "json")]
pub fn interface_json(translation: &Translation) -> String {
    use serde_json::{Value, json};

    let slot = |slot: DescriptorSlot| json!({ "set": slot.set, "binding": slot.binding });
    let resources: Vec<Value> = translation
        .placements
        .iter()
        .map(|placement| {
            json!({
                "name": placement.name,
                "register": Register { space: 0, ..placement.register }.to_string(),
                "space": placement.register.space,
                "count": placement.count,
                "kind": placement.kind.name(),
                "descriptor": placement.descriptor,
                "set": placement.slot.set,
                "binding": placement.slot.binding,
                "counter": placement.counter.map(slot),
            })
        })
        .collect();
    let elements = |elements: &[module::view::SignatureElement]| -> Vec<Value> {
        let element = |element: &module::view::SignatureElement| {
            json!({
                "name": element.name,
                "index": element.indices.first(),
                "semantic": element.semantic.name(),
                "type": element.component.name(),
                "location": element.first_row,
                "component": element.first_column,
                "rows": element.rows,
                "columns": element.columns,
            })
        };
        elements.iter().map(element).collect()
    };
    let assumptions: Vec<Value> = translation
        .assumptions
        .iter()
        .map(|assumption| json!({ "code": assumption.code, "message": assumption.message }))
        .collect();
    let object = json!({
        "format": 1,
        "entry": translation.entry,
        "stage": translation.kind.name(),
        "thread_group": translation.thread_group,
        "resources": resources,
        "inputs": elements(&translation.signatures.inputs),
        "outputs": elements(&translation.signatures.outputs),
        "assumptions": assumptions,
    });
    format!("{object:#}\n")
}
