//! The JSON form of a [`Reflection`]: format 1, or 2 for kernels with bindings, as `docs/kernel-abi.md` describes it.

use std::fmt::Write as _;

use reconverge_opencl::{
    Access, AddressSpace, Argument, ArgumentKind, Arguments, Kernel, LocalSize, ProgramData, Reflection,
};
use serde_json::{Value, json};

/// The version of the form. It increases when readers of the previous version would misread it.
const FORMAT: u32 = 1;
/// The version of the form for kernels with bindings for pointers.
const FORMAT_WITH_BINDINGS: u32 = 2;

/// The descriptor set of all bindings.
const DESCRIPTOR_SET: u32 = 0;

/// Writes a reflection as JSON, with a final newline.
pub fn reflection_json(reflection: &Reflection) -> String {
    let has_bindings = reflection.kernels.iter().any(|kernel| matches!(kernel.arguments_in, Arguments::Uniform { .. }));
    let object = json!({
        "format": if has_bindings { FORMAT_WITH_BINDINGS } else { FORMAT },
        "kernels": reflection.kernels.iter().map(kernel).collect::<Vec<_>>(),
        "program_data": reflection.program_data.as_ref().map(program_data),
        "features": reflection.features,
        "extensions": reflection.extensions,
        "subgroup_operations": reflection.subgroup_operations,
    });
    format!("{object:#}\n")
}

fn kernel(kernel: &Kernel) -> Value {
    let local_size = match kernel.local_size {
        LocalSize::Fixed(size) => json!({ "kind": "fixed", "size": size }),
        LocalSize::Specialized(ids) => json!({ "kind": "specialized", "spec_ids": ids }),
    };
    let arguments_in = match kernel.arguments_in {
        Arguments::PushConstants => json!({ "kind": "push_constants" }),
        Arguments::Uniform { binding, size } => {
            json!({ "kind": "uniform", "set": DESCRIPTOR_SET, "binding": binding, "size": size })
        }
        Arguments::Buffer { address_offset, size } => {
            json!({ "kind": "buffer", "address_offset": address_offset, "size": size })
        }
    };
    let mut object = json!({
        "name": kernel.name,
        "local_size": local_size,
        "required_local_size": kernel.required_local_size,
        "push_constant_size": kernel.push_constant_size,
        "arguments_in": arguments_in,
        "arguments": kernel.arguments.iter().map(argument).collect::<Vec<_>>(),
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

fn address_space_name(address_space: AddressSpace) -> &'static str {
    match address_space {
        AddressSpace::Global => "global",
        AddressSpace::Constant => "constant",
    }
}

fn argument(argument: &Argument) -> Value {
    let name = &argument.name;
    match argument.kind {
        ArgumentKind::Pointer { address_space, offset } => {
            let address_space = address_space_name(address_space);
            json!({ "name": name, "kind": "pointer", "address_space": address_space, "offset": offset })
        }
        ArgumentKind::Binding { address_space, binding, offset, access } => {
            let access = match access {
                Access::Unused => "unused",
                Access::Read => "read",
                Access::ReadWrite => "read_write",
            };
            json!({
                "name": name,
                "kind": "binding",
                "address_space": address_space_name(address_space),
                "set": DESCRIPTOR_SET,
                "binding": binding,
                "offset": offset,
                "access": access,
            })
        }
        ArgumentKind::Value { offset, size, alignment } => {
            json!({ "name": name, "kind": "value", "offset": offset, "size": size, "alignment": alignment })
        }
        ArgumentKind::Local { spec_id, alignment } => {
            json!({ "name": name, "kind": "local", "spec_id": spec_id, "alignment": alignment })
        }
    }
}

fn program_data(data: &ProgramData) -> Value {
    let mut bytes = String::with_capacity(2 * data.bytes.len());
    data.bytes.iter().for_each(|byte| {
        let _ = write!(bytes, "{byte:02x}");
    });
    let relocations: Vec<Value> =
        data.relocations.iter().map(|relocation| json!({ "at": relocation.at, "target": relocation.target })).collect();
    json!({ "bytes": bytes, "alignment": data.alignment, "relocations": relocations })
}
