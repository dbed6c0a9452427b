//! An open device, and the execution of commands on it.

use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::vulkan::choice::ADDRESSES;
use crate::vulkan::error::{device_lost, error, from_result};
use crate::vulkan::instance::SharedInstance;
use crate::vulkan::{DeviceDescription, MemoryPlacement, Requirements};
use crate::vulkan::{VulkanCode, features};

const SUBGROUP_SIZE_CONTROL: &str = "subgroupSizeControl";

/// An open device. [`Device::compile`] compiles shaders to pipelines, [`Device::dispatch`] runs them.
pub struct Device {
    pub(crate) shared: Arc<SharedDevice>,
}

/// The part of a device that its pipelines keep alive.
pub(crate) struct SharedDevice {
    pub(crate) raw: ash::Device,
    pub(crate) description: DeviceDescription,
    pub(crate) memory: vk::PhysicalDeviceMemoryProperties,
    pub(crate) placement: MemoryPlacement,
    pub(crate) instance: Arc<SharedInstance>,
    queue: Mutex<vk::Queue>,
    queue_family: u32,
    /// True if work exceeded its time limit. Nothing that it may use is freed from then on.
    is_stuck: AtomicBool,
}

impl Device {
    pub(crate) fn open(
        instance: &Arc<SharedInstance>,
        description: DeviceDescription,
        requirements: &Requirements<'_>,
    ) -> Result<Device, Diagnostic> {
        let physical = instance.physical_devices()?[description.index];
        // SAFETY: the device is one that this instance enumerated; so in the next call.
        let families = unsafe { instance.raw.get_physical_device_queue_family_properties(physical) };
        let computes = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::COMPUTE);
        let Some(queue_family) = families.iter().position(computes).and_then(|index| u32::try_from(index).ok()) else {
            return Err(error(
                VulkanCode::NoComputeQueue,
                format!("{} does not support compute shaders", description.name),
            ));
        };
        // SAFETY: as above.
        let memory = unsafe { instance.raw.get_physical_device_memory_properties(physical) };
        let raw = create(instance, physical, &description, queue_family, requirements)?;
        // SAFETY: the device was made with one queue of this family.
        let queue = unsafe { raw.get_device_queue(queue_family, 0) };
        let shared = SharedDevice {
            raw,
            description,
            memory,
            placement: requirements.memory,
            instance: Arc::clone(instance),
            queue: Mutex::new(queue),
            queue_family,
            is_stuck: AtomicBool::new(false),
        };
        instance.messages.check()?;
        Ok(Device { shared: Arc::new(shared) })
    }

    /// The name of the device.
    pub fn name(&self) -> &str {
        &self.shared.description.name
    }

    /// The description of the device.
    pub fn description(&self) -> &DeviceDescription {
        &self.shared.description
    }
}

fn create(
    instance: &SharedInstance,
    physical: vk::PhysicalDevice,
    description: &DeviceDescription,
    queue_family: u32,
    requirements: &Requirements<'_>,
) -> Result<ash::Device, Diagnostic> {
    let mut wanted = requirements.features.to_vec();
    wanted.push(ADDRESSES);
    wanted.extend(description.features.iter().filter(|&&feature| feature == SUBGROUP_SIZE_CONTROL));
    let (mut features, of_features) = features::switched_on(&wanted);
    let mut extensions: Vec<CString> = of_features.iter().map(|&name| name.to_owned()).collect();
    let portability =
        description.has_extension(ash::khr::portability_subset::NAME).then_some("VK_KHR_portability_subset");
    for name in requirements.extensions.iter().copied().chain(portability) {
        let name = CString::new(name).expect("invariant: the device has the extension, so its name has no zero");
        if !extensions.contains(&name) {
            extensions.push(name);
        }
    }
    let names: Vec<*const std::ffi::c_char> = extensions.iter().map(|name| name.as_ptr()).collect();
    let mut chain = features.chain(description.packed_version(), |name| of_features.contains(&name));
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(queue_family).queue_priorities(&priorities)];
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .push_next(&mut chain);
    // SAFETY: the device is one that this instance enumerated; all that the struct refers to lives during the call.
    unsafe { instance.raw.create_device(physical, &info, None) }
        .map_err(|result| from_result("open the device", result))
}

impl SharedDevice {
    /// Fails if the device is unusable.
    pub(crate) fn check_alive(&self) -> Result<(), Diagnostic> {
        if self.is_stuck() { Err(device_lost()) } else { Ok(()) }
    }

    pub(crate) fn is_stuck(&self) -> bool {
        self.is_stuck.load(Ordering::Acquire)
    }

    /// Records commands, submits them and waits for their completion.
    ///
    /// # Safety
    /// `record` records valid commands, and what they use lives until this function returns, and forever if it leaves the device stuck.
    pub(crate) unsafe fn run(
        &self,
        limit: Duration,
        record: impl FnOnce(&ash::Device, vk::CommandBuffer),
    ) -> Result<(), Diagnostic> {
        let commands = Commands::new(self)?;
        // SAFETY: the buffer is new, its pool is used by this thread alone, and `record` is valid by contract.
        unsafe {
            let once = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            self.raw
                .begin_command_buffer(commands.buffer, &once)
                .map_err(|result| from_result("begin commands", result))?;
            record(&self.raw, commands.buffer);
            self.raw.end_command_buffer(commands.buffer).map_err(|result| from_result("record commands", result))?;
        }
        self.instance.messages.check()?;
        self.submit(&commands, limit)?;
        self.instance.messages.check()
    }

    fn submit(&self, commands: &Commands<'_>, limit: Duration) -> Result<(), Diagnostic> {
        let buffers = [commands.buffer];
        let submission = [vk::SubmitInfo::default().command_buffers(&buffers)];
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock keeps other threads from the queue; buffer and fence are new and live until the work is done.
        unsafe { self.raw.queue_submit(*queue, &submission, commands.fence) }
            .map_err(|result| from_result("submit the work", result))?;
        let nanoseconds = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        // SAFETY: the fence was submitted.
        match unsafe { self.raw.wait_for_fences(&[commands.fence], true, nanoseconds) } {
            Ok(()) => Ok(()),
            Err(vk::Result::TIMEOUT) => {
                self.is_stuck.store(true, Ordering::Release);
                Err(error(VulkanCode::Timeout, format!("the kernel did not finish within {limit:?}")))
            }
            Err(result) => Err(from_result("wait for the work", result)),
        }
    }
}

impl Drop for SharedDevice {
    fn drop(&mut self) {
        if self.is_stuck() {
            // The device stays alive, and so must its instance.
            std::mem::forget(Arc::clone(&self.instance));
            return;
        }
        // SAFETY: no work is left on the device, and all that was made of it holds a reference to `self`.
        unsafe { self.raw.destroy_device(None) };
    }
}

/// One command buffer in a pool of its own, and the fence that says when its work is done.
struct Commands<'device> {
    device: &'device SharedDevice,
    pool: vk::CommandPool,
    buffer: vk::CommandBuffer,
    fence: vk::Fence,
}

impl<'device> Commands<'device> {
    fn new(device: &'device SharedDevice) -> Result<Commands<'device>, Diagnostic> {
        let failed = |result| from_result("create a command buffer", result);
        let mut commands = Commands {
            device,
            pool: vk::CommandPool::null(),
            buffer: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
        };
        let pool = vk::CommandPoolCreateInfo::default().queue_family_index(device.queue_family);
        // SAFETY: the device lives; what has been made when a call fails is freed with `commands`.
        unsafe {
            commands.pool = device.raw.create_command_pool(&pool, None).map_err(failed)?;
            let buffer = vk::CommandBufferAllocateInfo::default().command_pool(commands.pool).command_buffer_count(1);
            commands.buffer = device.raw.allocate_command_buffers(&buffer).map_err(failed)?[0];
            commands.fence = device.raw.create_fence(&vk::FenceCreateInfo::default(), None).map_err(failed)?;
        }
        Ok(commands)
    }
}

impl Drop for Commands<'_> {
    fn drop(&mut self) {
        if self.device.is_stuck() {
            return;
        }
        // SAFETY: the work is done or was never submitted; the buffer goes with its pool, and null is allowed.
        unsafe {
            self.device.raw.destroy_fence(self.fence, None);
            self.device.raw.destroy_command_pool(self.pool, None);
        }
    }
}
