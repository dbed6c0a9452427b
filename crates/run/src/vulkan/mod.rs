//! Runs a compute shader on a Vulkan device: one dispatch over buffers that the shader accesses by address.
//!
//! ```text
//! Instance::new ─▶ devices()                       the available devices
//!        └───────▶ open ─▶ Device ─▶ compile ─▶ Pipeline
//!                             └────▶ dispatch(&pipeline, &mut buffers) ─▶ times, and the buffers hold what the shader wrote
//! ```
//!
//! A shader gets 64-bit addresses of buffers in its push constants, or in other buffers, or buffers as bindings of descriptor set 0. The
//! crate does not depend on the origin of the shader and does not interpret it. So it promises nothing of what a shader does: to compile and
//! to dispatch one is `unsafe`, and the contract of [`Device::dispatch`] says what a caller must know of it. What can be wrong in a request
//! itself is an error: sizes, limits, numbers of buffers, addresses that lead out of them, a pipeline of another device.
//!
//! The environment selects the drivers: `VK_DRIVER_FILES` (older loaders: `VK_ICD_FILENAMES`) names the manifests of the drivers to use.
//!
//! ```no_run
//! use std::time::Duration;
//! use reconverge_run::vulkan::*;
//!
//! # fn main() -> Result<(), reconverge_diagnostic::Diagnostic> {
//! # let spirv = [];
//! let instance = Instance::new(&InstanceOptions::default())?;
//! let device = instance.open(&DeviceChoice::Default, &Requirements::default())?;
//! // SAFETY: the module is valid, and has an address as its push constant.
//! let pipeline = unsafe { device.compile(&Shader { push_constant_size: 8, ..Shader::new(&spirv, "main") })? };
//! let mut output = vec![0; 256];
//! let push_constants = PushConstants { bytes: &[0; 8], addresses: &[Address { at: 0, buffer: 0, offset: 0 }] };
//! let dispatch = Dispatch { push_constants, ..Dispatch::of([4, 1, 1]) };
//! // SAFETY: the shader writes 64 bytes for each work-group, from that address on.
//! unsafe { device.dispatch(&pipeline, &dispatch, &mut [Buffer::new(&mut output)])? };
//! # Ok(())
//! # }
//! ```
#![expect(unsafe_code, reason = "Vulkan is a C interface; this crate is the one that calls it")]

mod choice;
mod description;
mod descriptors;
mod device;
mod dispatch;
mod error;
mod features;
mod instance;
mod limits;
mod memory;
mod messages;
mod pipeline;

pub use crate::binding::{Descriptor, DescriptorKind};
pub use choice::{DeviceChoice, MemoryPlacement, Requirements};
pub use description::{DeviceDescription, DeviceKind};
pub use device::Device;
pub use dispatch::{Address, Buffer, Dispatch, DispatchTimes, PushConstants};
pub use error::VulkanCode;
pub use features::known_features;
pub use instance::{Instance, InstanceOptions, Validation};
pub use limits::DeviceLimits;
pub use pipeline::{Pipeline, Shader};
