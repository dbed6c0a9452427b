//! The kernel of the user on a device of the user.
#![expect(unsafe_code, reason = "a device does what the kernel says")]

use reconverge::opencl::Reflection;
use reconverge_run::{Launch, RunError, VulkanOptions, VulkanRun, run_on_vulkan};

/// Runs a kernel that this command compiled, with the reflection that it made.
///
/// A device checks nothing: a kernel that leaves its buffers there can do anything that the device can, and a device in software is in this
/// process. To run it nevertheless is what the user asks for with `--on vulkan`; the engines that are chosen without it let no kernel out.
pub(super) fn run(
    spirv: &[u8],
    reflection: &Reflection,
    launch: &Launch,
    options: &VulkanOptions,
) -> Result<VulkanRun, RunError> {
    // SAFETY: the module was verified, and compiled for this device. That the kernel stays in its buffers is what the user says.
    unsafe { run_on_vulkan(spirv, reflection, launch, options) }
}
