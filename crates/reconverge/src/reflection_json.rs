//! The JSON form of a [`Reflection`]: format 1, as `docs/kernel-abi.md` describes it.

use std::fmt::Write as _;

use reconverge_opencl::{AddressSpace, Argument, ArgumentKind, Arguments, Kernel, LocalSize, ProgramData, Reflection};
use serde_json::{Value, json};

/// The version of the form. It increases when readers of the previous version would misread it.
const FORMAT: u32 = 1;

/// Writes a reflection as JSON, with a final newline.
pub fn reflection_json(reflection: &Reflection) -> String {
    let object = json!({
        "format": FORMAT,
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
        Arguments::Buffer { address_offset, size } => {
            json!({ "kind": "buffer", "address_offset": address_offset, "size": size })
        }
    };
    json!({
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
    })
}

fn argument(argument: &Argument) -> Value {
    let name = &argument.name;
    match argument.kind {
        ArgumentKind::Pointer { address_space, offset } => {
            let address_space = match address_space {
                AddressSpace::Global => "global",
                AddressSpace::Constant => "constant",
            };
            json!({ "name": name, "kind": "pointer", "address_space": address_space, "offset": offset })
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
