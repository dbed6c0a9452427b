//! Launches on this CPU, in machine code, with 8 lanes in a pack.

use reconverge_run::{Binding, Contents, CpuKernel, CpuOptions, Descriptor, DescriptorKind, RunError, Size};

use crate::corpus::{Case, Kind};
use crate::{Outcome, Translated, bytes, words};

/// The words of all buffers.
pub(crate) fn run(case: &Case, translated: &Translated) -> Outcome {
    let mut binding = Binding {
        entry_point: translated.entry.clone(),
        size: Size { groups: case.groups, local: translated.thread_group },
        push_constants: Contents::default(),
        buffers: Vec::new(),
        descriptors: Vec::new(),
        program_data: None,
        specialization: Vec::new(),
        subgroup_size: None,
    };
    let mut registers = Vec::new();
    for resource in &case.resources {
        let kind = match resource.kind {
            Kind::Storage => DescriptorKind::Storage,
            Kind::Uniform => DescriptorKind::Uniform,
            Kind::Image { .. } | Kind::Sampler { .. } => continue,
        };
        if resource.element > 0 {
            return Outcome::Unsupported("arrays of buffers".to_owned());
        }
        let (set, buffer) = (resource.set, registers.len());
        binding.descriptors.push(Descriptor { kind, set, binding: resource.binding, buffer });
        binding.buffers.push(Contents { bytes: bytes(&resource.words), addresses: Vec::new() });
        registers.push(resource.register.clone());
    }
    let options = CpuOptions { width: Some(8), vectors: Some(1), ..CpuOptions::default() };
    let kernel = match CpuKernel::compile_bound(&translated.module, &binding, options) {
        Ok(kernel) => kernel,
        Err(RunError::NoCode(error)) => return Outcome::Unsupported(error.message),
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    match kernel.launch_bound(&binding, 1, || ()) {
        Ok(measured) => {
            let buffers = measured.buffers.iter().map(|buffer| words(buffer));
            Outcome::Words(registers.into_iter().zip(buffers).collect())
        }
        Err(error) => Outcome::Failed(error.to_string()),
    }
}
