//! The JSON of what a host gives to a kernel, in every document that describes kernels: places of arguments, arguments, program data.

use serde_json::{Value, json};

use crate::{
    Access, AddressSpace, Argument, ArgumentKind, Arguments, FormatSource, ImageArgument, ImageFormat, Printf,
    PrintfArgument, PrintfCall, PrintfKind, ProgramData, SamplerSource, TexelPlace,
};

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
            json!({
                "name": name,
                "kind": "binding",
                "address_space": address_space_name(address_space),
                "set": DESCRIPTOR_SET,
                "binding": binding,
                "offset": offset,
                "access": access_name(access),
            })
        }
        ArgumentKind::Value { offset, size, alignment } => {
            json!({ "name": name, "kind": "value", "offset": offset, "size": size, "alignment": alignment })
        }
        ArgumentKind::Local { spec_id, alignment } => {
            json!({ "name": name, "kind": "local", "spec_id": spec_id, "alignment": alignment })
        }
        ArgumentKind::Image(image) => image_json(name.as_deref(), image),
        ArgumentKind::Sampler(SamplerSource::Fixed(bits)) => {
            json!({ "name": name, "kind": "sampler", "bits": bits })
        }
        ArgumentKind::Sampler(SamplerSource::Specialized(spec_id)) => {
            json!({ "name": name, "kind": "sampler", "spec_id": spec_id })
        }
    }
}

/// An image. Constant time.
fn image_json(name: Option<&str>, image: ImageArgument) -> Value {
    let texels = match image.texels {
        TexelPlace::Address { offset } => json!({ "kind": "pointer", "offset": offset }),
        TexelPlace::Binding { binding, offset, access } => json!({
            "kind": "binding",
            "set": DESCRIPTOR_SET,
            "binding": binding,
            "offset": offset,
            "access": access_name(access),
        }),
    };
    let format = match image.format {
        FormatSource::Fixed(ImageFormat { order, data_type }) => {
            json!({ "order": order as u32, "data_type": data_type as u32 })
        }
        FormatSource::Specialized { order, data_type } => {
            json!({ "order_spec_id": order, "data_type_spec_id": data_type })
        }
    };
    let kind = image.kind.name();
    json!({
        "name": name,
        "kind": "image",
        "type": kind,
        "access": image.access.name(),
        "texels": texels,
        "shape": image.shape,
        "format": format,
    })
}

fn access_name(access: Access) -> &'static str {
    match access {
        Access::Unused => "unused",
        Access::Read => "read",
        Access::ReadWrite => "read_write",
    }
}

fn address_space_name(address_space: AddressSpace) -> &'static str {
    match address_space {
        AddressSpace::Global => "global",
        AddressSpace::Constant => "constant",
    }
}

/// Program data. Zeros at the end of much data are left out: `size` counts them. Linear in its bytes and relocations.
pub fn program_data_json(data: &ProgramData) -> Value {
    let relocations: Vec<Value> =
        data.relocations.iter().map(|relocation| json!({ "at": relocation.at, "target": relocation.target })).collect();
    let bytes = hexadecimal(&data.bytes[..data.bytes.len() - zeros_at_end(data)]);
    let mut object = json!({ "bytes": bytes, "alignment": data.alignment, "relocations": relocations });
    if let Some(printf) = &data.printf {
        object["size"] = json!(data.bytes.len());
        object["printf"] = printf_json(printf);
    }
    object
}

/// The zeros at the end that the JSON leaves out: those of the buffer of `printf`.
fn zeros_at_end(data: &ProgramData) -> usize {
    match data.printf.is_some() {
        true => data.bytes.iter().rev().take_while(|&&byte| byte == 0).count(),
        false => 0,
    }
}

/// The buffer of `printf`. Linear in the formats and strings.
fn printf_json(printf: &Printf) -> Value {
    let argument = |argument: &PrintfArgument| {
        let kind = match argument.kind {
            PrintfKind::Integer => "integer",
            PrintfKind::Float => "float",
            PrintfKind::Pointer => "pointer",
            PrintfKind::String => "string",
        };
        json!({ "kind": kind, "width": argument.width, "components": argument.components })
    };
    let call = |call: &PrintfCall| {
        let arguments: Vec<Value> = call.arguments.iter().map(argument).collect();
        json!({ "format": text(&call.format), "arguments": arguments })
    };
    json!({
        "offset": printf.offset,
        "capacity": printf.capacity,
        "calls": printf.calls.iter().map(call).collect::<Vec<_>>(),
        "strings": printf.strings.iter().map(|string| text(string)).collect::<Vec<_>>(),
    })
}

/// Characters: a string, or the bytes as numbers if they are not UTF-8.
fn text(bytes: &[u8]) -> Value {
    std::str::from_utf8(bytes).map_or_else(|_| json!(bytes), |text| json!(text))
}

/// Bytes as digits, two for each. Linear.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
