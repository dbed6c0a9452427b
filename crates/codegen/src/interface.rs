//! The interfaces of machine code for a host, as JSON.
//!
//! The interface of the VC4 lists the words that the host gives to the QPUs (`docs/qpu.md`). That of the CPU describes the launches of the code,
//! the arguments, and the memory of a call (`docs/machine-code.md`).

use reconverge_lanes_cpu as cpu;
use reconverge_lanes_cpu::convention;
use reconverge_lanes_cpu::select::{Bounds, Check, Extent, Site};
use reconverge_opencl::{
    Argument, ArgumentKind, ImageArgument, Kernel, ProgramData, TexelPlace, argument_json, arguments_in_json,
    hexadecimal, program_data_json,
};
use reconverge_qpu::{Program, Uniform};
use serde_json::{Map, Value, json};

/// The version of the form. It increases when readers of the previous version would misread it.
const FORMAT: u32 = 1;
/// The version for kernels that print: the program data has zeros behind its bytes.
const FORMAT_WITH_PRINTF: u32 = 2;

/// Writes the interface of a program as JSON, with a final newline.
pub(crate) fn of_vc4(program: &Program, kernel: &Kernel, data: Option<&ProgramData>) -> String {
    let object = json!({
        "format": FORMAT,
        "target": "vc4",
        "kernel": kernel.name,
        "local_size": program.specialization.local,
        "words": program.words.len(),
        "uniforms": program.uniforms.iter().map(|&word| uniform(word, kernel)).collect::<Vec<_>>(),
        "data": hexadecimal(&program.data),
        "program_data": kernel.program_data.and(data).map(program_data_json),
        "local_memory": program.local_bytes,
        "scratch_memory": program.scratch_bytes,
        "rows": program.rows,
        "qpus": program.qpus(),
        "packs": program.specialization.packs(),
        "packs_run_together": program.is_together,
    });
    format!("{object:#}\n")
}

fn uniform(uniform: Uniform, kernel: &Kernel) -> Value {
    match uniform {
        Uniform::FirstRow => json!({ "kind": "first_row" }),
        Uniform::Pack => json!({ "kind": "pack" }),
        Uniform::Group(dimension) => json!({ "kind": "group", "dimension": dimension }),
        Uniform::Step => json!({ "kind": "step" }),
        Uniform::Count(dimension) => json!({ "kind": "groups", "dimension": dimension }),
        Uniform::Data => json!({ "kind": "data_address" }),
        Uniform::Local => json!({ "kind": "local_address" }),
        Uniform::Scratch => json!({ "kind": "scratch_address" }),
        Uniform::Argument(word) => argument(4 * word, kernel),
    }
}

/// Writes the launches that a kernel for this CPU is compiled for, its arguments, and the memory of a call as JSON, with a final newline.
pub(crate) fn of_cpu(code: &cpu::Kernel, kernel: &Kernel, data: Option<&ProgramData>) -> String {
    let specialization = code.specialization();
    let convention = code.convention();
    // A host writes all arguments, also those that the code does not read.
    let push_constant_bytes = convention.push_constant_bytes.max(kernel.push_constant_size) + convention::SPARE_BYTES;
    let prints = data.is_some_and(|data| kernel.program_data.is_some() && data.printf.is_some());
    let object = json!({
        "format": if prints { FORMAT_WITH_PRINTF } else { FORMAT },
        "target": "cpu",
        "kernel": kernel.name,
        "local_size": specialization.local,
        "groups": specialization.groups,
        "lanes": specialization.pack.lanes(),
        "vectors": specialization.pack.vectors,
        "packs": specialization.packs(),
        "extensions": specialization.extensions(),
        "bounds": bounds(specialization.bounds),
        "alignment": convention::ALIGNMENT,
        "image": { "bytes": convention.image.len(), "entry": convention.entry, "resume": convention.resume },
        "frames": {
            "count": convention.frames,
            "bytes": convention.frame_bytes,
            "fields": fields(&convention::HEADER_FIELDS),
        },
        "context": { "bytes": convention::CONTEXT_BYTES, "fields": fields(&convention::CONTEXT_FIELDS) },
        "ranges": fields(&convention::RANGES_FIELDS),
        "workgroup_memory": {
            "bytes": convention.workgroup_bytes,
            "bytes_before": convention.bytes_before_workgroup,
        },
        "push_constants": { "bytes": push_constant_bytes },
        "arguments_in": arguments_in_json(kernel.arguments_in),
        "arguments": kernel.arguments.iter().map(argument_of_cpu).collect::<Vec<_>>(),
        "global_offset": kernel.global_offset,
        "program_data": kernel.program_data.zip(data).map(|(offset, data)| program_data(offset, data)),
        "checks": convention.checks.iter().map(check).collect::<Vec<_>>(),
    });
    format!("{object:#}\n")
}

fn fields(fields: &[convention::Field]) -> Value {
    fields.iter().map(|&(name, offset)| (name.to_owned(), json!(offset))).collect::<Map<String, Value>>().into()
}

fn bounds(bounds: Bounds) -> &'static str {
    match bounds {
        Bounds::Trusted => "trusted",
        Bounds::Guarded(_) => "guarded",
        Bounds::Checked => "checked",
    }
}

/// An argument, with the bytes of an address as those of values.
fn argument_of_cpu(argument: &Argument) -> Value {
    /// The bytes of an address.
    const ADDRESS: u32 = 8;
    let mut object = argument_json(argument);
    if let ArgumentKind::Pointer { .. } = argument.kind {
        object["size"] = json!(ADDRESS);
        object["alignment"] = json!(ADDRESS);
    }
    object
}

fn program_data(offset: u32, data: &ProgramData) -> Value {
    let mut object = program_data_json(data);
    object["offset"] = json!(offset);
    object
}

fn check(site: &Site) -> Value {
    match site.check {
        Check::Unreachable => json!({ "kind": "unreachable" }),
        Check::Barrier => json!({ "kind": "barrier" }),
        Check::Address(Extent { bytes, is_write }) => {
            json!({ "kind": "address", "bytes": bytes, "is_write": is_write })
        }
        Check::Index { length, bits } => json!({ "kind": "index", "length": length, "bits": bits }),
    }
}

/// The argument at a byte offset.
fn argument(offset: u32, kernel: &Kernel) -> Value {
    let holds = |start: u32, size: u32| (start..start + size).contains(&offset);
    let found = kernel.arguments.iter().enumerate().find(|(_, argument)| match argument.kind {
        ArgumentKind::Pointer { offset, .. } => holds(offset, 8),
        ArgumentKind::Value { offset, size, .. } => holds(offset & !3, size.next_multiple_of(4)),
        ArgumentKind::Image(image) => {
            holds(image.shape, ImageArgument::SHAPE_SIZE)
                || matches!(image.texels, TexelPlace::Address { offset } if holds(offset, 8))
        }
        ArgumentKind::Local { .. } | ArgumentKind::Binding { .. } | ArgumentKind::Sampler(_) => false,
    });
    match found {
        Some((index, argument)) => match argument.kind {
            ArgumentKind::Pointer { offset: start, .. } if start == offset => {
                json!({ "kind": "argument_address", "argument": index, "name": argument.name })
            }
            ArgumentKind::Image(ImageArgument { texels: TexelPlace::Address { offset: start }, .. })
                if start == offset =>
            {
                json!({ "kind": "argument_address", "argument": index, "name": argument.name })
            }
            // The upper word of an address is zero.
            ArgumentKind::Pointer { .. } => json!({ "kind": "zero" }),
            ArgumentKind::Image(image) if !holds(image.shape, ImageArgument::SHAPE_SIZE) => json!({ "kind": "zero" }),
            _ => json!({ "kind": "argument", "argument": index, "name": argument.name, "offset": offset }),
        },
        None if kernel.program_data == Some(offset) => json!({ "kind": "program_data_address" }),
        None => json!({ "kind": "argument_block", "offset": offset }),
    }
}
