//! DXIL as a format of modules: it is read, but not written.

#[cfg(feature = "json")]
mod bindings_file;
mod options;

use reconverge_diagnostic::{Diagnostic, Place};
pub use reconverge_dxil::translate::{Bindings, DescriptorSlot, Placement, Register};
pub use reconverge_dxil::{AssumptionCode, Code, TranslateOptions, Translation};
pub use reconverge_dxil::{module, text};

use self::options::OPTIONS;
use crate::Error;
use crate::format::{ReadModule, Row, Source};

/// The reader of the format.
pub(crate) const ROW: Row = Row {
    declares_stages: true,
    recognizes: reconverge_dxil::is_dxil,
    read,
    reads_with: OPTIONS,
    is_written: false,
    write: |_, _| Err(not_written()),
    ..Row::MODULE
};

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
    let module = reconverge_dxil::read(bytes).map_err(Error::Read)?;
    Ok(text::print(&module))
}

fn translate_input(bytes: &[u8], options: &TranslateOptions) -> Result<Translation, Diagnostic> {
    reconverge_dxil::translate(&reconverge_dxil::read(bytes)?, options)
}

fn read(source: Source<'_>) -> Result<ReadModule, Diagnostic> {
    let options = options::translate_options(source.options)
        .map_err(|message| Diagnostic::new(DxilCode::Bindings, Place::Whole, message))?;
    let translation = translate_input(source.bytes, &options)?;
    #[cfg(feature = "json")]
    let interface = Some(interface_json(&translation));
    #[cfg(not(feature = "json"))]
    let interface = None;
    Ok(ReadModule { module: translation.module, assumptions: translation.assumptions, interface })
}

reconverge_diagnostic::codes! {
    /// Codes of the format.
    pub enum DxilCode in "DXIL" {
        Write = "write-dxil" Unsupported
            "DXIL is read and not written (exit code 3)."
            "write SPIR-V, or HLSL for a compiler to DXIL";
        Bindings = "dxil-bindings-file" Rejected
            "The file of --bindings is not an object of registers and places."
            "see the example in docs/dxil.md";
    }
}

/// The error for DXIL as an output.
fn not_written() -> Diagnostic {
    let message = "DXIL is read and not written; write SPIR-V, or HLSL for a compiler to DXIL";
    Diagnostic::new(DxilCode::Write, Place::Whole, message)
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
        .map(|assumption| json!({ "code": assumption.code.name, "message": assumption.message }))
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
