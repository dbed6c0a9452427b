//! Kernels and bodies of shaders on a Vulkan device, after the interpreter has run them.
//!
//! A device does what a kernel says, also where it leaves its buffers. So a launch runs on the interpreter first, compiled as it is for the
//! device: what has undefined behaviour there is an error, and never reaches the device.
#![expect(unsafe_code, reason = "a device does what the kernel says")]

use reconverge::Format;
use reconverge_opencl::Reflection;
use reconverge_run::vulkan::{Buffer, Device, Dispatch, Shader};
use reconverge_run::{
    Descriptor, DescriptorKind, InterpreterOptions, Launch, RunError, VulkanOptions, VulkanRun, interpret_compiled,
    run_on_vulkan,
};

use crate::bodies::launch_body;
use crate::generators::bodies::{LANES, WORDS, inputs};

/// Runs a compiled kernel on the interpreter and then on a device.
///
/// # Errors
/// Those of the launch and of the device; `LaunchCode::Launch` if the module is invalid or the interpreter ends the kernel.
pub fn run(
    spirv: &[u8],
    reflection: &Reflection,
    launch: &Launch,
    options: &VulkanOptions,
) -> Result<VulkanRun, RunError> {
    let module = reconverge::read(spirv, Format::SPIRV);
    let module = module.map_err(|error| RunError::launch(format!("the module is invalid: {error}")))?;
    let interpreted = interpret_compiled(&module, reflection, launch, InterpreterOptions::default())?;
    if let Some(failure) = interpreted.failure {
        return Err(RunError::launch(format!("the interpreter ends the kernel: {failure:?}")));
    }
    // SAFETY: the module is what the compiler wrote, with its reflection, and its behaviour is defined in this launch.
    unsafe { run_on_vulkan(spirv, reflection, launch, options) }
}

/// Runs a body ([`crate::bodies`]) on the interpreter and then on a device. Returns the words that it leaves.
///
/// # Errors
/// The errors of the interpreter or the device.
pub fn run_body(device: &Device, spirv: &[u8], seed: u64) -> Result<Vec<u32>, String> {
    launch_body(spirv, seed)?;
    let descriptor = |binding, buffer| Descriptor { kind: DescriptorKind::Storage, set: 0, binding, buffer };
    let descriptors = [descriptor(0, 0), descriptor(1, 1)];
    let shader = Shader { descriptors: &descriptors, ..Shader::new(spirv, "main") };
    // SAFETY: the module is valid, as the interpreter has run it, and its descriptors are those of every body.
    let pipeline = unsafe { device.compile(&shader) }.map_err(|error| error.to_string())?;
    let mut read: Vec<u8> = inputs(seed).iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut written = vec![0; 4 * LANES * WORDS];
    let mut buffers = [Buffer::new(&mut read), Buffer::new(&mut written)];
    // SAFETY: the behaviour of the shader is defined in this launch.
    unsafe { device.dispatch(&pipeline, &Dispatch::of([1; 3]), &mut buffers) }.map_err(|error| error.to_string())?;
    Ok(written.chunks_exact(4).filter_map(|word| Some(u32::from_le_bytes(*word.first_chunk()?))).collect())
}
