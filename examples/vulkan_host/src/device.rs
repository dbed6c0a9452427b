//! A device that has what a reflection asks for, buffers with addresses, and one launch from the pipeline to the results.

use std::ffi::{CStr, CString};

use ash::{Entry, Instance, vk};

use crate::features::Features;
use crate::kernel::{Binding, Outcome, Reflection};

const SUBGROUP_SIZE_CONTROL: &str = "VK_EXT_subgroup_size_control";

pub struct Device {
    raw: ash::Device,
    queue: vk::Queue,
    family: u32,
    memory: vk::PhysicalDeviceMemoryProperties,
    limits: vk::PhysicalDeviceLimits,
    /// Whether a pipeline can choose the size of its subgroups.
    chooses_subgroup_size: bool,
    instance: Instance,
    /// The loader, which must stay as long as its functions are called.
    _entry: Entry,
}

/// Memory that both sides see: the host at `mapped`, the kernel at `address`.
pub struct Buffer<'device> {
    pub address: u64,
    mapped: *mut u8,
    size: usize,
    raw: vk::Buffer,
    memory: vk::DeviceMemory,
    device: &'device Device,
}

/// What a shader needs of a device.
struct Needs<'a> {
    features: Vec<&'a str>,
    extensions: Vec<&'a str>,
}

impl Device {
    /// Opens the first device that has all that the reflection lists, with just that switched on.
    pub fn open(reflection: &Reflection) -> Outcome<Device> {
        // SAFETY: the library of that name is the Vulkan loader, and all that the call reads lives during it.
        let (entry, instance) = unsafe {
            let entry = Entry::load()?;
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
            let info = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = entry.create_instance(&info, None)?;
            (entry, instance)
        };
        let mut failure = "there is no Vulkan device".to_owned();
        // SAFETY: the instance lives, also in the calls below.
        for physical in unsafe { instance.enumerate_physical_devices()? } {
            // SAFETY: the instance enumerated the device.
            let properties = unsafe { instance.get_physical_device_properties(physical) };
            match needs(&instance, physical, reflection) {
                Ok(needs) => return Device::create((entry, instance), physical, &needs),
                Err(lacking) => {
                    let name = properties.device_name_as_c_str().unwrap_or_default().to_string_lossy();
                    failure = format!("the device {name} lacks {lacking}");
                }
            }
        }
        Err(failure.into())
    }

    fn create(
        (entry, instance): (Entry, Instance),
        physical: vk::PhysicalDevice,
        needs: &Needs<'_>,
    ) -> Outcome<Device> {
        let extensions = needs.extensions.iter().map(|name| CString::new(*name)).collect::<Result<Vec<_>, _>>()?;
        let extensions: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
        let mut features = Features::only(&needs.features);
        let mut chain = features.chain(&needs.extensions);
        // SAFETY: the instance enumerated the device, which has the features and extensions; what the calls read lives during them.
        unsafe {
            let families = instance.get_physical_device_queue_family_properties(physical);
            let family = families.iter().position(|family| family.queue_flags.contains(vk::QueueFlags::COMPUTE));
            let family = family.ok_or("the device runs no compute shaders")? as u32;
            let queue = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queue);
            let info = info.enabled_extension_names(&extensions).push_next(&mut chain);
            let raw = instance.create_device(physical, &info, None)?;
            Ok(Device {
                queue: raw.get_device_queue(family, 0),
                raw,
                family,
                memory: instance.get_physical_device_memory_properties(physical),
                limits: instance.get_physical_device_properties(physical).limits,
                chooses_subgroup_size: needs.extensions.contains(&SUBGROUP_SIZE_CONTROL),
                instance,
                _entry: entry,
            })
        }
    }

    /// Makes a buffer that holds these bytes. A GPU with memory of its own is faster with buffers there, and copies there and back.
    pub fn buffer(&self, bytes: &[u8]) -> Outcome<Buffer<'_>> {
        let size = bytes.len().next_multiple_of(16).max(16) as u64;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        // SAFETY: each call gets objects that the calls before it made; the memory is as the buffer needs it, and as large as `bytes`.
        unsafe {
            let raw = self.raw.create_buffer(&vk::BufferCreateInfo::default().size(size).usage(usage), None)?;
            let needs = self.raw.get_buffer_memory_requirements(raw);
            let fits = |&index: &u32| needs.memory_type_bits >> index & 1 == 1;
            let sees = |&index: &u32| self.memory.memory_types[index as usize].property_flags.contains(visible);
            let index =
                (0..self.memory.memory_type_count).filter(fits).find(sees).ok_or("no memory that the host sees")?;
            let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
            let memory = self.raw.allocate_memory(&info.push_next(&mut flags), None)?;
            self.raw.bind_buffer_memory(raw, memory, 0)?;
            let mapped = self.raw.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?.cast();
            let address = self.raw.get_buffer_device_address(&vk::BufferDeviceAddressInfo::default().buffer(raw));
            let buffer = Buffer { address, mapped, size: bytes.len(), raw, memory, device: self };
            buffer.write(bytes);
            Ok(buffer)
        }
    }

    /// The memory that the kernels of a shader share, as it is before the first launch.
    pub fn program_data(&self, reflection: &Reflection) -> Outcome<Option<Buffer<'_>>> {
        let Some(size) = reflection.program_data_size() else { return Ok(None) };
        let buffer = self.buffer(&vec![0; size])?;
        buffer.write(&reflection.program_data(buffer.address)?);
        Ok(Some(buffer))
    }

    /// Runs a kernel and waits until it is done. What it does is not checked: it must stay within the buffers.
    ///
    /// A program that launches a kernel more than once keeps the pipeline; it fits as long as the specialization constants do.
    pub fn launch(&self, spirv: &[u32], binding: &Binding) -> Outcome<()> {
        let mut push_constants = binding.push_constants.clone();
        let mut argument_buffer = None;
        if let Some((bytes, at)) = &binding.argument_buffer {
            let buffer = argument_buffer.insert(self.buffer(bytes)?);
            push_constants[*at..][..8].copy_from_slice(&buffer.address.to_le_bytes());
        }
        if binding.groups.iter().zip(self.limits.max_compute_work_group_count).any(|(&groups, most)| groups > most) {
            return Err(format!("the device runs no {:?} work-groups at once", binding.groups).into());
        }
        let range = [vk::PushConstantRange::default()
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
            .size(push_constants.len() as u32)];
        let ranges = if push_constants.is_empty() { &range[..0] } else { &range };
        let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(ranges);
        // SAFETY: each call gets objects that the calls before it made, and they are destroyed when the work is done.
        unsafe {
            let layout = self.raw.create_pipeline_layout(&layout, None)?;
            let pipeline = self.pipeline(spirv, binding, layout)?;
            self.run(|commands| {
                self.raw.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline);
                if !push_constants.is_empty() {
                    let stage = vk::ShaderStageFlags::COMPUTE;
                    self.raw.cmd_push_constants(commands, layout, stage, 0, &push_constants);
                }
                let [x, y, z] = binding.groups;
                self.raw.cmd_dispatch(commands, x, y, z);
            })?;
            self.raw.destroy_pipeline(pipeline, None);
            self.raw.destroy_pipeline_layout(layout, None);
        }
        Ok(())
    }

    /// Compiles the kernel for a launch.
    fn pipeline(&self, spirv: &[u32], binding: &Binding, layout: vk::PipelineLayout) -> Outcome<vk::Pipeline> {
        let values: Vec<u8> = binding.specialization.iter().flat_map(|(_, value)| value.to_ne_bytes()).collect();
        let entry = |(&(id, _), offset)| vk::SpecializationMapEntry { constant_id: id, offset, size: 4 };
        let entries: Vec<_> = binding.specialization.iter().zip((0..).step_by(4)).map(entry).collect();
        let specialization = vk::SpecializationInfo::default().map_entries(&entries).data(&values);
        let name = CString::new(binding.entry_point.as_str())?;
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        // SAFETY: the layout is of this device, the shader is valid, and all that the structs refer to lives during the calls.
        unsafe {
            let module = self.raw.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(spirv), None)?;
            let stage = vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE);
            let mut stage = stage.module(module).name(&name).specialization_info(&specialization);
            if let (true, Some(wanted)) = (self.chooses_subgroup_size, binding.subgroup_size) {
                size = size.required_subgroup_size(wanted);
                stage = stage.push_next(&mut size);
            }
            let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
            let pipelines = self.raw.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
            self.raw.destroy_shader_module(module, None);
            Ok(pipelines.map_err(|(_, result)| result)?[0])
        }
    }

    /// Records commands, runs them and waits. A barrier makes what they write visible to the host.
    fn run(&self, record: impl FnOnce(vk::CommandBuffer)) -> Outcome<()> {
        let pool = vk::CommandPoolCreateInfo::default().queue_family_index(self.family);
        let written = vk::MemoryBarrier::default().src_access_mask(vk::AccessFlags::SHADER_WRITE);
        let to_host = [written.dst_access_mask(vk::AccessFlags::HOST_READ)];
        let (shader, host) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
        // SAFETY: each call gets objects that the calls before it made; nothing else uses the queue; the pool goes when it is idle.
        unsafe {
            let pool = self.raw.create_command_pool(&pool, None)?;
            let commands = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            let commands = self.raw.allocate_command_buffers(&commands)?[0];
            self.raw.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
            record(commands);
            self.raw.cmd_pipeline_barrier(commands, shader, host, vk::DependencyFlags::empty(), &to_host, &[], &[]);
            self.raw.end_command_buffer(commands)?;
            let submission = [vk::SubmitInfo::default().command_buffers(std::slice::from_ref(&commands))];
            self.raw.queue_submit(self.queue, &submission, vk::Fence::null())?;
            self.raw.device_wait_idle()?;
            self.raw.destroy_command_pool(pool, None);
        }
        Ok(())
    }
}

impl Buffer<'_> {
    pub fn write(&self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.size, "a buffer is written as a whole");
        // SAFETY: the mapping has that many bytes, and no work is running that uses them.
        unsafe { self.mapped.copy_from_nonoverlapping(bytes.as_ptr(), self.size) };
    }

    pub fn read(&self) -> Vec<u8> {
        // SAFETY: as in `write`, which settled every byte.
        unsafe { std::slice::from_raw_parts(self.mapped, self.size) }.to_vec()
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: no work is running that uses the buffer; freeing memory unmaps it.
        unsafe {
            self.device.raw.destroy_buffer(self.raw, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: all that was made of the device borrows it, so that none of it is left.
        unsafe {
            self.raw.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

/// What has to be switched on for a reflection, or the first thing that the device lacks.
fn needs<'a>(instance: &Instance, physical: vk::PhysicalDevice, reflection: &'a Reflection) -> Outcome<Needs<'a>> {
    let mut needs = Needs { features: reflection.names("features"), extensions: reflection.names("extensions") };
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
    // SAFETY: the instance enumerated the device.
    let (properties, present) = unsafe {
        let present = instance.enumerate_device_extension_properties(physical)?;
        (instance.get_physical_device_properties(physical), present)
    };
    if properties.api_version < vk::API_VERSION_1_2 {
        return Err("Vulkan 1.2".into());
    }
    let is_present = |name: &str| {
        let mut names = present.iter().map(|one| one.extension_name_as_c_str().map(CStr::to_bytes));
        names.any(|present| present == Ok(name.as_bytes()))
    };
    let mut query = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroups);
    if is_present(SUBGROUP_SIZE_CONTROL) {
        query = query.push_next(&mut sizes);
    }
    // SAFETY: as above; the device knows every struct of the chain.
    unsafe { instance.get_physical_device_properties2(physical, &mut query) };
    for size in reflection.kernels().filter_map(|kernel| kernel.subgroup_size()) {
        if subgroups.subgroup_size == size && sizes.min_subgroup_size == sizes.max_subgroup_size {
            continue;
        }
        if size < sizes.min_subgroup_size || size > sizes.max_subgroup_size {
            return Err(format!("subgroups of {size}").into());
        }
        needs.features.push("subgroupSizeControl");
        needs.extensions.push(SUBGROUP_SIZE_CONTROL);
    }
    if let Some(name) = needs.extensions.iter().find(|name| !is_present(name)) {
        return Err(format!("the extension {name}").into());
    }
    let mut features = Features::of(instance, physical, &needs.extensions);
    if let Some(name) = needs.features.iter().find(|name| !features.has(name)) {
        return Err(format!("the feature {name}").into());
    }
    match reflection.names("subgroup_operations").into_iter().find(|name| !has_operation(&subgroups, name)) {
        Some(name) => Err(format!("the subgroup operation {name}").into()),
        None => Ok(needs),
    }
}

fn has_operation(subgroups: &vk::PhysicalDeviceSubgroupProperties<'_>, name: &str) -> bool {
    let operation = match name {
        "basic" => vk::SubgroupFeatureFlags::BASIC,
        "vote" => vk::SubgroupFeatureFlags::VOTE,
        "arithmetic" => vk::SubgroupFeatureFlags::ARITHMETIC,
        "ballot" => vk::SubgroupFeatureFlags::BALLOT,
        "shuffle" => vk::SubgroupFeatureFlags::SHUFFLE,
        "shuffleRelative" => vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE,
        "clustered" => vk::SubgroupFeatureFlags::CLUSTERED,
        "quad" => vk::SubgroupFeatureFlags::QUAD,
        _ => return false,
    };
    let in_compute = subgroups.supported_stages.contains(vk::ShaderStageFlags::COMPUTE);
    in_compute && subgroups.supported_operations.contains(operation)
}
