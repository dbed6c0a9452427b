//! Launches on a Vulkan device.
#![expect(unsafe_code, reason = "the device does what the kernel says, which the caller vouches for")]

use std::time::{Duration, Instant};

use crate::launch::Launch;
use crate::vulkan;
use reconverge_opencl::{Driver, Int64, KernelOptions, Reflection};

use crate::{PrintedOutput, RunError, bind};

/// The device for a launch, and how it is monitored.
#[derive(Clone, Debug)]
pub struct VulkanOptions {
    /// The device.
    pub device: vulkan::DeviceChoice,
    /// The use of the validation layer.
    pub validation: vulkan::Validation,
    /// The time limit of the device.
    pub timeout: Duration,
}

impl Default for VulkanOptions {
    fn default() -> VulkanOptions {
        VulkanOptions {
            device: vulkan::DeviceChoice::default(),
            validation: vulkan::Validation::Off,
            timeout: Duration::from_secs(60),
        }
    }
}

/// The result of a launch on a device.
#[derive(Clone, Debug)]
pub struct VulkanRun {
    /// The buffers of the launch, as the kernel left them.
    pub buffers: Vec<Vec<u8>>,
    /// What the work-items print.
    pub printed: PrintedOutput,
    /// The name of the device.
    pub device: String,
    /// The name and version of its driver; empty on a device of Vulkan 1.1.
    pub driver: String,
    /// The time in which the driver compiled the shader. Some drivers defer this to the first dispatch.
    pub compile: Duration,
    /// The time of the dispatch, from submission to the completion signal.
    pub execute: Duration,
}

/// The options of kernels for a device: whether it has 64-bit integers, and the bugs of its driver.
///
/// # Errors
/// [`RunError::Failed`] if there is no such device.
pub fn options_for(options: &VulkanOptions) -> Result<KernelOptions, RunError> {
    let instance = vulkan::Instance::new(&vulkan::InstanceOptions { validation: vulkan::Validation::Off })?;
    let device = instance.open(&options.device, &vulkan::Requirements::default())?;
    let int64 = if device.description().features.contains(&"shaderInt64") { Int64::Native } else { Int64::Split };
    Ok(KernelOptions::new().int64(int64).driver(Driver::of_device(device.name())))
}

/// Runs a compiled kernel on a device.
///
/// # Errors
/// [`RunError::Failed`] if the launch does not fit the kernel, if a loader, device or feature is missing, or the
/// device fails.
///
/// # Safety
/// The module is what the compiler wrote for a device of these options, together with the reflection, and the behaviour of the kernel is defined
/// in this launch: see [`vulkan::Device::dispatch`].
pub unsafe fn run_on_vulkan(
    spirv: &[u8],
    reflection: &Reflection,
    launch: &Launch,
    options: &VulkanOptions,
) -> Result<VulkanRun, RunError> {
    let binding = bind(launch, reflection)?;
    let instance = vulkan::Instance::new(&vulkan::InstanceOptions { validation: options.validation })?;
    let requirements = vulkan::Requirements {
        features: &reflection.features,
        extensions: &reflection.extensions,
        subgroup_operations: &reflection.subgroup_operations,
        ..vulkan::Requirements::default()
    };
    let device = instance.open(&options.device, &requirements)?;
    let start = Instant::now();
    let shader = vulkan::Shader {
        specialization: &binding.specialization,
        push_constant_size: binding.push_constants.bytes.len() as u32,
        local_size: Some(binding.size.local),
        subgroup_size: binding.subgroup_size,
        descriptors: &binding.descriptors,
        ..vulkan::Shader::new(spirv, &binding.entry_point)
    };
    // SAFETY: the caller guarantees that the module is valid there, and that the reflection, of which the binding is made, is its own.
    let pipeline = unsafe { device.compile(&shader)? };
    let compile = start.elapsed();
    let addresses: Vec<Vec<vulkan::Address>> =
        binding.buffers.iter().map(|contents| addresses(&contents.addresses)).collect();
    let mut bytes: Vec<Vec<u8>> = binding.buffers.iter().map(|contents| contents.bytes.clone()).collect();
    let mut buffers: Vec<vulkan::Buffer<'_>> = bytes
        .iter_mut()
        .zip(&addresses)
        .map(|(bytes, addresses)| vulkan::Buffer { addresses, ..vulkan::Buffer::new(bytes) })
        .collect();
    let in_push_constants = self::addresses(&binding.push_constants.addresses);
    let dispatch = vulkan::Dispatch {
        push_constants: vulkan::PushConstants { bytes: &binding.push_constants.bytes, addresses: &in_push_constants },
        timeout: options.timeout,
        ..vulkan::Dispatch::of(binding.size.groups)
    };
    // SAFETY: the caller guarantees what the kernel does.
    let times = unsafe { device.dispatch(&pipeline, &dispatch, &mut buffers)? };
    drop(buffers);
    let printed = PrintedOutput::of_buffers(reflection, &binding, &bytes);
    bytes.truncate(launch.buffer_count());
    // Bindings are whole words.
    for (bytes, original) in bytes.iter_mut().zip(launch.buffers()?) {
        bytes.truncate(original.len());
    }
    let driver = device.description().driver.clone();
    let (device, execute) = (device.name().to_owned(), times.execute);
    Ok(VulkanRun { buffers: bytes, printed, device, driver, compile, execute })
}

fn addresses(addresses: &[crate::Address]) -> Vec<vulkan::Address> {
    let convert =
        |address: &crate::Address| vulkan::Address { at: address.at, buffer: address.buffer, offset: address.target };
    addresses.iter().map(convert).collect()
}
