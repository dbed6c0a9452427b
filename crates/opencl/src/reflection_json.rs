//! The JSON of what a host gives to a kernel, in every document that describes kernels: places of arguments, arguments, program data.

use serde_json::{Value, json};

use crate::{Access, AddressSpace, Argument, ArgumentKind, Arguments, ProgramData};

/// The descriptor set of all bindings.
const DESCRIPTOR_SET: u32 = 0;

/// Where the arguments of a kernel are. Constant time.
pub fn arguments_in_json(place: Arguments) -> Value {
    match place {
        Arguments::PushConstants => json!({ "kind": "push_constants" }),
        Arguments::Uniform { binding, size } => {
            json!({ "kind": "uniform", "set": DESCRIPTOR_SET, "binding": binding, "size": size })
        }
        Arguments::Buffer { address_offset, size } => {
            json!({ "kind": "buffer", "address_offset": address_offset, "size": size })
        }
    }
}

/// An argument. Constant time.
pub fn argument_json(argument: &Argument) -> Value {
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

fn address_space_name(address_space: AddressSpace) -> &'static str {
    match address_space {
        AddressSpace::Global => "global",
        AddressSpace::Constant => "constant",
    }
}

/// Program data. Linear in its bytes and relocations.
pub fn program_data_json(data: &ProgramData) -> Value {
    let relocations: Vec<Value> =
        data.relocations.iter().map(|relocation| json!({ "at": relocation.at, "target": relocation.target })).collect();
    json!({ "bytes": hexadecimal(&data.bytes), "alignment": data.alignment, "relocations": relocations })
}

/// Bytes as digits, two for each. Linear.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
