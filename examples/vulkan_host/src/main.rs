//! Runs a kernel that `reconverge compile` made, by the plain Vulkan API: y = a * x + y for 1024 numbers. README.md explains the steps.

use std::error::Error;
use std::ffi::CString;

use ash::{Device, Entry, Instance, vk};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;
type Compiled = (vk::Pipeline, vk::PipelineLayout);

const COUNT: usize = 1024;
const GROUP_SIZE: u32 = 64;

/// A buffer that both sides see: the host at `mapped`, the kernel at `address`.
struct Buffer {
    address: u64,
    mapped: *mut f32,
}

fn main() -> Outcome<()> {
    // 1. The shader, and what it wants to be launched with.
    let arguments: Vec<String> = std::env::args().collect();
    let [_, spirv, reflection] = &arguments[..] else { return Err("usage: vulkan_host KERNEL.spv KERNEL.json".into()) };
    let spirv = ash::util::read_spv(&mut std::fs::File::open(spirv)?)?;
    let reflection: Value = serde_json::from_str(&std::fs::read_to_string(reflection)?)?;
    let kernel = &reflection["kernels"][0];
    let in_push_constants = kernel["arguments_in"]["kind"] == "push_constants" && kernel["program_data"].is_null();
    if reflection["format"] != 1 || kernel["arguments"].as_array().map(Vec::len) != Some(3) || !in_push_constants {
        return Err("this program launches kernels with the arguments of saxpy.cl".into());
    }
    // SAFETY: each call gets objects that the calls before it made, the shader stays within the buffers, and all are of one thread.
    unsafe {
        // 2. A device with all of its features switched on. Objects are not destroyed: the process ends with them.
        let entry = Entry::load()?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
        let instance =
            entry.create_instance(&vk::InstanceCreateInfo::default().application_info(&application), None)?;
        let physical = *instance.enumerate_physical_devices()?.first().ok_or("there is no Vulkan device")?;
        let (device, family) = open(&instance, physical, &reflection["features"])?;

        // 3. The buffers, filled by the host.
        let memory = instance.get_physical_device_memory_properties(physical);
        let (y, x, a) = (buffer(&device, &memory)?, buffer(&device, &memory)?, 2.0_f32);
        (0..COUNT).for_each(|index| x.mapped.add(index).write(index as f32));
        (0..COUNT).for_each(|index| y.mapped.add(index).write(1.0));

        // 4. The arguments in the push constants, each at the offset that the reflection gives.
        let offset = |argument: usize| kernel["arguments"][argument]["offset"].as_u64().unwrap_or(0) as usize;
        let mut push_constants = vec![0; kernel["push_constant_size"].as_u64().unwrap_or(0) as usize];
        push_constants[offset(0)..][..8].copy_from_slice(&y.address.to_le_bytes());
        push_constants[offset(1)..][..8].copy_from_slice(&x.address.to_le_bytes());
        push_constants[offset(2)..][..4].copy_from_slice(&a.to_le_bytes());

        // 5. The pipeline, run over the range.
        let (pipeline, layout) = compile(&device, &spirv, kernel, push_constants.len() as u32)?;
        let pool =
            device.create_command_pool(&vk::CommandPoolCreateInfo::default().queue_family_index(family), None)?;
        let commands = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        let commands = device.allocate_command_buffers(&commands)?[0];
        device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
        device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline);
        device.cmd_push_constants(commands, layout, vk::ShaderStageFlags::COMPUTE, 0, &push_constants);
        device.cmd_dispatch(commands, COUNT as u32 / GROUP_SIZE, 1, 1);
        let (shader, host) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
        let written = vk::MemoryBarrier::default().src_access_mask(vk::AccessFlags::SHADER_WRITE);
        let to_host = [written.dst_access_mask(vk::AccessFlags::HOST_READ)];
        device.cmd_pipeline_barrier(commands, shader, host, vk::DependencyFlags::empty(), &to_host, &[], &[]);
        device.end_command_buffer(commands)?;
        let submission = [vk::SubmitInfo::default().command_buffers(std::slice::from_ref(&commands))];
        device.queue_submit(device.get_device_queue(family, 0), &submission, vk::Fence::null())?;
        device.device_wait_idle()?;

        // 6. The results, where the host sees them.
        let y = std::slice::from_raw_parts(y.mapped, COUNT);
        println!("{:?} ... {:?}", &y[..4], &y[COUNT - 2..]);
        assert!((0..COUNT).all(|index| y[index] == a * index as f32 + 1.0), "the device computed something else");
    }
    Ok(())
}

/// Opens a device with what it has of Vulkan 1.2, and says which family its queue is of.
unsafe fn open(instance: &Instance, physical: vk::PhysicalDevice, needed: &Value) -> Outcome<(Device, u32)> {
    let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
    let family = families.iter().position(|family| family.queue_flags.contains(vk::QueueFlags::COMPUTE));
    let family = family.ok_or("the device runs no compute shaders")? as u32;
    let queue = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
    let mut vulkan_1_1 = vk::PhysicalDeviceVulkan11Features::default();
    let mut vulkan_1_2 = vk::PhysicalDeviceVulkan12Features::default();
    let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut vulkan_1_1).push_next(&mut vulkan_1_2);
    unsafe { instance.get_physical_device_features2(physical, &mut all) };
    let shader_int64 = all.features.shader_int64;
    let info = vk::DeviceCreateInfo::default().queue_create_infos(&queue).push_next(&mut all);
    let device = unsafe { instance.create_device(physical, &info, None)? };
    let has = [
        ("bufferDeviceAddress", vulkan_1_2.buffer_device_address),
        ("shaderInt64", shader_int64),
        ("vulkanMemoryModel", vulkan_1_2.vulkan_memory_model),
        ("vulkanMemoryModelDeviceScope", vulkan_1_2.vulkan_memory_model_device_scope),
    ];
    let is_missing = |name: &&Value| !has.iter().any(|(known, is_there)| *name == known && *is_there == vk::TRUE);
    match needed.as_array().into_iter().flatten().find(is_missing) {
        Some(name) => Err(format!("the device lacks the feature {name}, or the list above does").into()),
        None => Ok((device, family)),
    }
}

/// Makes a buffer of `COUNT` numbers that has an address.
unsafe fn buffer(device: &Device, memory: &vk::PhysicalDeviceMemoryProperties) -> Outcome<Buffer> {
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
    let info = vk::BufferCreateInfo::default().size(4 * COUNT as u64).usage(usage);
    let buffer = unsafe { device.create_buffer(&info, None)? };
    let needs = unsafe { device.get_buffer_memory_requirements(buffer) };
    let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
    let fits = |&index: &u32| needs.memory_type_bits >> index & 1 == 1;
    let sees = |&index: &u32| memory.memory_types[index as usize].property_flags.contains(visible);
    let index = (0..memory.memory_type_count).filter(fits).find(sees).ok_or("no memory that the host sees")?;
    let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
    let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
    unsafe {
        let memory = device.allocate_memory(&info.push_next(&mut flags), None)?;
        device.bind_buffer_memory(buffer, memory, 0)?;
        let mapped = device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?.cast();
        let address = device.get_buffer_device_address(&vk::BufferDeviceAddressInfo::default().buffer(buffer));
        Ok(Buffer { address, mapped })
    }
}

/// Compiles the kernel. Where its work-group size is left to the host, specialization constants settle it.
unsafe fn compile(device: &Device, code: &[u32], kernel: &Value, size: u32) -> Outcome<Compiled> {
    let range = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(size)];
    let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&range);
    let sizes: Vec<u8> = [GROUP_SIZE, 1, 1].iter().flat_map(|size| size.to_ne_bytes()).collect();
    let ids = kernel["local_size"]["spec_ids"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let entry = |axis: u32, id: u64| vk::SpecializationMapEntry { constant_id: id as u32, offset: 4 * axis, size: 4 };
    let entries: Vec<_> = (0..).zip(ids).map(|(axis, id)| entry(axis, id)).collect();
    let specialization = vk::SpecializationInfo::default().map_entries(&entries).data(&sizes);
    let name = CString::new(kernel["name"].as_str().ok_or("the kernel has no name")?)?;
    unsafe {
        let layout = device.create_pipeline_layout(&layout, None)?;
        let module = device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(code), None)?;
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE);
        let stage = stage.module(module).name(&name).specialization_info(&specialization);
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipelines = device.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
        Ok((pipelines.map_err(|(_, result)| result)?[0], layout))
    }
}
