//! The JSON form of a [`Reflection`]: format 1, 2 for kernels with bindings, 3 for kernels that print, 4 for kernels with images, as `docs/kernel-abi.md` describes it.

use reconverge_opencl::{
    Arguments, Kernel, LocalSize, Reflection, SpecializationConstant, argument_json, arguments_in_json,
    program_data_json,
};
use serde_json::{Value, json};

/// The version of the form. It increases when readers of the previous version would misread it.
const FORMAT: u32 = 1;
/// The version of the form for kernels with bindings for pointers.
const FORMAT_WITH_BINDINGS: u32 = 2;
/// The version of the form for kernels that print: the program data has zeros behind its bytes.
const FORMAT_WITH_PRINTF: u32 = 3;
/// The version of the form for kernels with images or samplers.
const FORMAT_WITH_IMAGES: u32 = 4;

/// Writes a reflection as JSON, with a final newline.
pub fn reflection_json(reflection: &Reflection) -> String {
    let has_bindings = reflection.kernels.iter().any(|kernel| matches!(kernel.arguments_in, Arguments::Uniform { .. }));
    let has_printf = reflection.program_data.as_ref().is_some_and(|data| data.printf.is_some());
    let has_images = reflection.kernels.iter().any(Kernel::has_images);
    let format = match (has_images, has_printf, has_bindings) {
        (true, ..) => FORMAT_WITH_IMAGES,
        (false, true, _) => FORMAT_WITH_PRINTF,
        (false, false, true) => FORMAT_WITH_BINDINGS,
        (false, false, false) => FORMAT,
    };
    let mut object = json!({
        "format": format,
        "kernels": reflection.kernels.iter().map(kernel).collect::<Vec<_>>(),
        "program_data": reflection.program_data.as_ref().map(program_data_json),
        "features": reflection.features,
        "extensions": reflection.extensions,
        "subgroup_operations": reflection.subgroup_operations,
    });
    if !reflection.specialization_constants.is_empty() {
        let constants = reflection.specialization_constants.iter().map(specialization_constant);
        object["specialization_constants"] = constants.collect();
    }
    format!("{object:#}\n")
}

fn specialization_constant(constant: &SpecializationConstant) -> Value {
    let SpecializationConstant { id, name, kind } = constant;
    json!({ "id": id, "name": name, "kind": kind.name(), "size": kind.width() / 8 })
}

/// Adds the interface of a text, [`WrittenModule::interface`](crate::WrittenModule::interface), to a reflection: as its object `text`. Without a reflection
/// the result has that object alone.
///
/// Neither is changed if it is not JSON, which those of this crate always are.
pub fn with_text(reflection: Option<&str>, text: &str) -> String {
    let known = reflection.map_or_else(|| Some(json!({ "format": FORMAT })), |known| serde_json::from_str(known).ok());
    match (known, serde_json::from_str::<Value>(text)) {
        (Some(Value::Object(mut object)), Ok(text)) => {
            object.insert("text".to_owned(), text);
            format!("{:#}\n", Value::Object(object))
        }
        _ => reflection.unwrap_or(text).to_owned(),
    }
}

fn kernel(kernel: &Kernel) -> Value {
    let local_size = match kernel.local_size {
        LocalSize::Fixed(size) => json!({ "kind": "fixed", "size": size }),
        LocalSize::Specialized(ids) => json!({ "kind": "specialized", "spec_ids": ids }),
    };
    let mut object = json!({
        "name": kernel.name,
        "local_size": local_size,
        "required_local_size": kernel.required_local_size,
        "push_constant_size": kernel.push_constant_size,
        "arguments_in": arguments_in_json(kernel.arguments_in),
        "arguments": kernel.arguments.iter().map(argument_json).collect::<Vec<_>>(),
        "global_offset": kernel.global_offset,
        "program_data": kernel.program_data,
        "subgroup_size": kernel.subgroup_size,
        "work_dim": kernel.work_dim,
    });
    if matches!(kernel.arguments_in, Arguments::Uniform { .. }) {
        object["program_data_binding"] = json!(kernel.program_data_binding);
    }
    object
}
