//! Kernels on a Vulkan device, after the interpreter has run them.
//!
//! A device does what a kernel says, also where it leaves its buffers. So a launch runs on the interpreter first, compiled as it is for the
//! device: what has undefined behaviour there is an error, and never reaches the device.
#![expect(unsafe_code, reason = "a device does what the kernel says")]

use reconverge::Format;
use reconverge_opencl::Reflection;
use reconverge_run::{
    InterpreterOptions, Launch, RunError, VulkanOptions, VulkanRun, interpret_compiled, run_on_vulkan,
};

/// Runs a compiled kernel on the interpreter and then on a device.
///
/// # Errors
/// Those of the launch and of the device; [`RunError::Launch`] if the module is invalid or the interpreter ends the kernel.
pub fn run(
    spirv: &[u8],
    reflection: &Reflection,
    launch: &Launch,
    options: &VulkanOptions,
) -> Result<VulkanRun, RunError> {
    let module = reconverge::read(spirv, Format::SPIRV, false);
    let module = module.map_err(|error| RunError::Launch(format!("the module is invalid: {error}")))?;
    let interpreted = interpret_compiled(&module, reflection, launch, InterpreterOptions::default())?;
    if let Some(failure) = interpreted.failure {
        return Err(RunError::Launch(format!("the interpreter ends the kernel: {failure:?}")));
    }
    // SAFETY: the module is what the compiler wrote, with its reflection, and its behaviour is defined in this launch.
    unsafe { run_on_vulkan(spirv, reflection, launch, options) }
}
