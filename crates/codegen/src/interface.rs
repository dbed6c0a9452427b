//! The interfaces of machine code for a host, as JSON.
//!
//! The interface of the VC4 lists the words that the host gives to the QPUs (`docs/qpu.md`). That of the CPU describes the launches of the code.

use reconverge_lanes_cpu as cpu;
use reconverge_opencl::{ArgumentKind, Kernel};
use reconverge_qpu::{Program, Uniform};
use serde_json::{Value, json};

/// The version of the form. It increases when readers of the previous version would misread it.
const FORMAT: u32 = 1;

/// Writes the interface of a program as JSON, with a final newline.
pub(crate) fn of_vc4(program: &Program, kernel: &Kernel) -> String {
    let object = json!({
        "format": FORMAT,
        "target": "vc4",
        "kernel": kernel.name,
        "local_size": program.specialization.local,
        "words": program.words.len(),
        "uniforms": program.uniforms.iter().map(|&word| uniform(word, kernel)).collect::<Vec<_>>(),
        "data": program.data.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
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

/// Writes the launches that a kernel for this CPU is compiled for as JSON, with a final newline.
pub(crate) fn of_cpu(code: &cpu::Kernel, kernel: &Kernel) -> String {
    let specialization = code.specialization();
    let object = json!({
        "format": FORMAT,
        "target": "cpu",
        "kernel": kernel.name,
        "local_size": specialization.local,
        "lanes": specialization.pack.lanes(),
        "vectors": specialization.pack.vectors,
        "packs": specialization.packs(),
        "bytes": code.machine_code().len(),
    });
    format!("{object:#}\n")
}

/// The argument at a byte offset.
fn argument(offset: u32, kernel: &Kernel) -> Value {
    let holds = |start: u32, size: u32| (start..start + size).contains(&offset);
    let found = kernel.arguments.iter().enumerate().find(|(_, argument)| match argument.kind {
        ArgumentKind::Pointer { offset, .. } => holds(offset, 8),
        ArgumentKind::Value { offset, size, .. } => holds(offset & !3, size.next_multiple_of(4)),
        ArgumentKind::Local { .. } | ArgumentKind::Binding { .. } => false,
    });
    match found {
        Some((index, argument)) => match argument.kind {
            ArgumentKind::Pointer { offset: start, .. } if start == offset => {
                json!({ "kind": "argument_address", "argument": index, "name": argument.name })
            }
            // The upper word of an address is zero.
            ArgumentKind::Pointer { .. } => json!({ "kind": "zero" }),
            _ => json!({ "kind": "argument", "argument": index, "name": argument.name, "offset": offset }),
        },
        None if kernel.program_data == Some(offset) => json!({ "kind": "program_data_address" }),
        None => json!({ "kind": "argument_block", "offset": offset }),
    }
}
