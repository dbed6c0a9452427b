//! Draws a rectangle with a fragment shader on the first Vulkan device, and reads its pixels.
#![expect(unsafe_code, reason = "a device does what the shader says")]

use ash::vk;

/// The contents of a uniform buffer.
#[derive(Clone)]
pub(crate) struct Uniform {
    pub(crate) set: u32,
    pub(crate) binding: u32,
    pub(crate) bytes: Vec<u8>,
}

/// A fragment shader of SPIR-V.
#[derive(Clone, Copy)]
pub(crate) struct Fragment<'s> {
    pub(crate) spirv: &'s [u8],
    /// The name of its entry point.
    pub(crate) entry: &'s str,
}

/// What a fragment shader draws with.
#[derive(Clone, Default)]
pub(crate) struct Drawing {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) uniforms: Vec<Uniform>,
    pub(crate) push_constants: Vec<u8>,
}

/// A rectangle over the whole target.
const VERTEX_SHADER: &str = "#version 450
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
";

const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;
/// The longest time of a drawing, in nanoseconds.
const TIME_LIMIT: u64 = 120_000_000_000;

/// An open device.
pub(crate) struct Renderer {
    device: ash::Device,
    queue: vk::Queue,
    family: u32,
    memory: vk::PhysicalDeviceMemoryProperties,
    vertex_shader: Vec<u8>,
    instance: ash::Instance,
    _entry: ash::Entry,
}

/// The compiler of [`VERTEX_SHADER`], which gets its text.
type Compiler<'c> = &'c dyn Fn(&str) -> Result<Vec<u8>, String>;

impl Renderer {
    /// Opens the first device of the loader, with all features that it has.
    pub(crate) fn open(compile: Compiler<'_>) -> Result<Renderer, String> {
        let vertex_shader = compile(VERTEX_SHADER)?;
        // SAFETY: the library is the loader; each handle below is of the one that it was made of, and all live as long as the renderer.
        unsafe {
            let entry = ash::Entry::load().map_err(|error| error.to_string())?;
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let info = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = entry.create_instance(&info, None).map_err(said)?;
            let physical = *instance.enumerate_physical_devices().map_err(said)?.first().ok_or("no device")?;
            let families = instance.get_physical_device_queue_family_properties(physical);
            let draws = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::GRAPHICS);
            let family = families.iter().position(draws).ok_or("the device does not draw")? as u32;
            let mut of_1_3 = vk::PhysicalDeviceVulkan13Features::default();
            let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut of_1_3);
            instance.get_physical_device_features2(physical, &mut features);
            let priorities = [1.0];
            let queues =
                [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).push_next(&mut features);
            let device = instance.create_device(physical, &info, None).map_err(said)?;
            let queue = device.get_device_queue(family, 0);
            let memory = instance.get_physical_device_memory_properties(physical);
            Ok(Renderer { device, queue, family, memory, vertex_shader, instance, _entry: entry })
        }
    }

    /// The pixels in rows from the top, of four bytes each: red, green, blue, alpha. Undrawn ones are black.
    pub(crate) fn draw(&self, fragment: Fragment<'_>, drawing: &Drawing) -> Result<Vec<u8>, String> {
        let mut made = Made::new(&self.device);
        // SAFETY: all handles are of this device, and are destroyed by `made` after the wait; the shaders are valid and fit the layouts,
        // which the caller has of the test.
        unsafe { self.draw_with(&mut made, fragment, drawing) }
    }

    unsafe fn draw_with(
        &self,
        made: &mut Made<'_>,
        fragment: Fragment<'_>,
        drawing: &Drawing,
    ) -> Result<Vec<u8>, String> {
        let device = &self.device;
        // SAFETY: see `draw`.
        unsafe {
            let (layout, sets) = self.bind(made, drawing)?;
            let extent = vk::Extent2D { width: drawing.width, height: drawing.height };
            let (image, view) = self.target(made, extent)?;
            let pipeline = self.pipeline(made, fragment, layout, extent)?;
            let pixels = vec![0; 4 * extent.width as usize * extent.height as usize];
            let (buffer, memory) = self.buffer(made, &pixels, vk::BufferUsageFlags::TRANSFER_DST)?;

            let info = vk::CommandPoolCreateInfo::default().queue_family_index(self.family);
            made.pool = device.create_command_pool(&info, None).map_err(said)?;
            let info = vk::CommandBufferAllocateInfo::default().command_pool(made.pool).command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info).map_err(said)?[0];
            device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default()).map_err(said)?;
            let to = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
            self.change_layout(commands, image, vk::ImageLayout::UNDEFINED, to);
            let black = vk::ClearColorValue { float32: [0.0, 0.0, 0.0, 1.0] };
            let attachments = [vk::RenderingAttachmentInfo::default()
                .image_view(view)
                .image_layout(to)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)
                .clear_value(vk::ClearValue { color: black })];
            let area = vk::Rect2D { extent, ..vk::Rect2D::default() };
            let rendering =
                vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&attachments);
            device.cmd_begin_rendering(commands, &rendering);
            device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, pipeline);
            if !sets.is_empty() {
                device.cmd_bind_descriptor_sets(commands, vk::PipelineBindPoint::GRAPHICS, layout, 0, &sets, &[]);
            }
            if !drawing.push_constants.is_empty() {
                let stages = vk::ShaderStageFlags::FRAGMENT;
                device.cmd_push_constants(commands, layout, stages, 0, &drawing.push_constants);
            }
            device.cmd_draw(commands, 4, 1, 0, 0);
            device.cmd_end_rendering(commands);
            self.change_layout(commands, image, to, vk::ImageLayout::TRANSFER_SRC_OPTIMAL);
            let region = vk::BufferImageCopy::default().image_subresource(LAYERS).image_extent(extent.into());
            let from = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            device.cmd_copy_image_to_buffer(commands, image, from, buffer, &[region]);
            device.end_command_buffer(commands).map_err(said)?;

            let fence = device.create_fence(&vk::FenceCreateInfo::default(), None).map_err(said)?;
            made.fence = fence;
            let command_buffers = [commands];
            let submits = [vk::SubmitInfo::default().command_buffers(&command_buffers)];
            device.queue_submit(self.queue, &submits, fence).map_err(said)?;
            device.wait_for_fences(&[fence], true, TIME_LIMIT).map_err(said)?;
            let size = pixels.len();
            let mapped = device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()).map_err(said)?;
            let pixels = std::slice::from_raw_parts(mapped.cast::<u8>(), size).to_vec();
            device.unmap_memory(memory);
            Ok(pixels)
        }
    }

    /// The layout of the pipeline, and the descriptor sets, of which those without buffers are empty.
    unsafe fn bind(
        &self,
        made: &mut Made<'_>,
        drawing: &Drawing,
    ) -> Result<(vk::PipelineLayout, Vec<vk::DescriptorSet>), String> {
        let device = &self.device;
        let stages = vk::ShaderStageFlags::FRAGMENT;
        let set_count = drawing.uniforms.iter().map(|uniform| uniform.set + 1).max().unwrap_or(0);
        // SAFETY: see `draw`.
        unsafe {
            for set in 0..set_count {
                let of_set = drawing.uniforms.iter().filter(|uniform| uniform.set == set);
                let binding = |uniform: &Uniform| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(uniform.binding)
                        .descriptor_type(vk::DescriptorType::UNIFORM_BUFFER)
                        .descriptor_count(1)
                        .stage_flags(stages)
                };
                let bindings: Vec<_> = of_set.map(binding).collect();
                let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
                made.set_layouts.push(device.create_descriptor_set_layout(&info, None).map_err(said)?);
            }
            let ranges =
                [vk::PushConstantRange { stage_flags: stages, offset: 0, size: drawing.push_constants.len() as u32 }];
            let ranges = if drawing.push_constants.is_empty() { &ranges[..0] } else { &ranges };
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&made.set_layouts).push_constant_ranges(ranges);
            made.layout = device.create_pipeline_layout(&info, None).map_err(said)?;
            if set_count == 0 {
                return Ok((made.layout, Vec::new()));
            }
            let sizes = [vk::DescriptorPoolSize {
                ty: vk::DescriptorType::UNIFORM_BUFFER,
                descriptor_count: drawing.uniforms.len() as u32,
            }];
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(set_count).pool_sizes(&sizes);
            made.descriptors = device.create_descriptor_pool(&info, None).map_err(said)?;
            let info = vk::DescriptorSetAllocateInfo::default()
                .descriptor_pool(made.descriptors)
                .set_layouts(&made.set_layouts);
            let sets = device.allocate_descriptor_sets(&info).map_err(said)?;
            for uniform in &drawing.uniforms {
                let (buffer, _) = self.buffer(made, &uniform.bytes, vk::BufferUsageFlags::UNIFORM_BUFFER)?;
                let buffers = [vk::DescriptorBufferInfo { buffer, offset: 0, range: vk::WHOLE_SIZE }];
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(sets[uniform.set as usize])
                    .dst_binding(uniform.binding)
                    .descriptor_type(vk::DescriptorType::UNIFORM_BUFFER)
                    .buffer_info(&buffers);
                device.update_descriptor_sets(&[write], &[]);
            }
            Ok((made.layout, sets))
        }
    }

    /// A buffer that the host sees, with these contents.
    unsafe fn buffer(
        &self,
        made: &mut Made<'_>,
        bytes: &[u8],
        usage: vk::BufferUsageFlags,
    ) -> Result<(vk::Buffer, vk::DeviceMemory), String> {
        let device = &self.device;
        // SAFETY: see `draw`; the mapping has at least as many bytes as the buffer.
        unsafe {
            // Uniform buffers are read as whole vectors.
            let size = (bytes.len() as u64).next_multiple_of(16).max(16);
            let info = vk::BufferCreateInfo::default().size(size).usage(usage);
            let buffer = device.create_buffer(&info, None).map_err(said)?;
            made.buffers.push(buffer);
            let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let memory = self.allocate(made, device.get_buffer_memory_requirements(buffer), wanted)?;
            device.bind_buffer_memory(buffer, memory, 0).map_err(said)?;
            let mapped = device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()).map_err(said)?;
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), mapped.cast::<u8>(), bytes.len());
            device.unmap_memory(memory);
            Ok((buffer, memory))
        }
    }

    unsafe fn allocate(
        &self,
        made: &mut Made<'_>,
        needs: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory, String> {
        let fits = |&(index, kind): &(usize, &vk::MemoryType)| {
            needs.memory_type_bits & (1 << index) != 0 && kind.property_flags.contains(wanted)
        };
        let types = self.memory.memory_types_as_slice();
        let (index, _) = types.iter().enumerate().find(fits).ok_or("no memory of the kind")?;
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index as u32);
        // SAFETY: see `draw`.
        let memory = unsafe { self.device.allocate_memory(&info, None) }.map_err(said)?;
        made.memories.push(memory);
        Ok(memory)
    }

    /// The image that is drawn to.
    unsafe fn target(&self, made: &mut Made<'_>, extent: vk::Extent2D) -> Result<(vk::Image, vk::ImageView), String> {
        let device = &self.device;
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(FORMAT)
            .extent(extent.into())
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC);
        // SAFETY: see `draw`.
        unsafe {
            let image = device.create_image(&info, None).map_err(said)?;
            made.image = image;
            let needs = device.get_image_memory_requirements(image);
            let memory = self.allocate(made, needs, vk::MemoryPropertyFlags::empty())?;
            device.bind_image_memory(image, memory, 0).map_err(said)?;
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(FORMAT)
                .subresource_range(RANGE);
            made.view = device.create_image_view(&info, None).map_err(said)?;
            Ok((image, made.view))
        }
    }

    unsafe fn pipeline(
        &self,
        made: &mut Made<'_>,
        fragment: Fragment<'_>,
        layout: vk::PipelineLayout,
        extent: vk::Extent2D,
    ) -> Result<vk::Pipeline, String> {
        let device = &self.device;
        let fragment_name = std::ffi::CString::new(fragment.entry).map_err(|error| error.to_string())?;
        let shaders = [
            (vk::ShaderStageFlags::VERTEX, self.vertex_shader.as_slice(), c"main"),
            (vk::ShaderStageFlags::FRAGMENT, fragment.spirv, fragment_name.as_c_str()),
        ];
        let mut stages = Vec::new();
        // SAFETY: see `draw`.
        unsafe {
            for (stage, bytes, name) in shaders {
                let words = ash::util::read_spv(&mut std::io::Cursor::new(bytes)).map_err(|error| error.to_string())?;
                let info = vk::ShaderModuleCreateInfo::default().code(&words);
                let module = device.create_shader_module(&info, None).map_err(said)?;
                made.shaders.push(module);
                stages.push(vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(name));
            }
            let viewport =
                vk::Viewport { width: extent.width as f32, height: extent.height as f32, ..vk::Viewport::default() };
            let (viewports, scissors) = ([viewport], [vk::Rect2D { extent, ..vk::Rect2D::default() }]);
            let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
            let vertices = vk::PipelineVertexInputStateCreateInfo::default();
            let assembly =
                vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_STRIP);
            let rasterization = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
            let samples =
                vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
            let blending =
                [vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA)];
            let blending = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blending);
            let formats = [FORMAT];
            let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
            let info = vk::GraphicsPipelineCreateInfo::default()
                .stages(&stages)
                .vertex_input_state(&vertices)
                .input_assembly_state(&assembly)
                .viewport_state(&viewport)
                .rasterization_state(&rasterization)
                .multisample_state(&samples)
                .color_blend_state(&blending)
                .layout(layout)
                .push_next(&mut rendering);
            let pipelines = device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
            made.pipeline = pipelines.map_err(|(_, result)| said(result))?[0];
            Ok(made.pipeline)
        }
    }

    unsafe fn change_layout(
        &self,
        commands: vk::CommandBuffer,
        image: vk::Image,
        from: vk::ImageLayout,
        to: vk::ImageLayout,
    ) {
        let all = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        let barrier = vk::ImageMemoryBarrier::default()
            .image(image)
            .old_layout(from)
            .new_layout(to)
            .src_access_mask(all)
            .dst_access_mask(all)
            .subresource_range(RANGE);
        let stages = vk::PipelineStageFlags::ALL_COMMANDS;
        let none = vk::DependencyFlags::empty();
        // SAFETY: see `draw`.
        unsafe { self.device.cmd_pipeline_barrier(commands, stages, stages, none, &[], &[], &[barrier]) };
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        // SAFETY: everything that was made of the device is destroyed at the end of each drawing.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

const RANGE: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};

const LAYERS: vk::ImageSubresourceLayers = vk::ImageSubresourceLayers {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    mip_level: 0,
    base_array_layer: 0,
    layer_count: 1,
};

/// What a drawing makes of a device; it is destroyed when the device is idle.
struct Made<'d> {
    device: &'d ash::Device,
    buffers: Vec<vk::Buffer>,
    memories: Vec<vk::DeviceMemory>,
    set_layouts: Vec<vk::DescriptorSetLayout>,
    shaders: Vec<vk::ShaderModule>,
    descriptors: vk::DescriptorPool,
    layout: vk::PipelineLayout,
    image: vk::Image,
    view: vk::ImageView,
    pipeline: vk::Pipeline,
    pool: vk::CommandPool,
    fence: vk::Fence,
}

impl<'d> Made<'d> {
    fn new(device: &'d ash::Device) -> Made<'d> {
        Made {
            device,
            buffers: Vec::new(),
            memories: Vec::new(),
            set_layouts: Vec::new(),
            shaders: Vec::new(),
            descriptors: vk::DescriptorPool::null(),
            layout: vk::PipelineLayout::null(),
            image: vk::Image::null(),
            view: vk::ImageView::null(),
            pipeline: vk::Pipeline::null(),
            pool: vk::CommandPool::null(),
            fence: vk::Fence::null(),
        }
    }
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        let device = self.device;
        // SAFETY: the handles are of this device, or null; nothing uses them when it is idle.
        unsafe {
            if device.device_wait_idle().is_err() {
                return;
            }
            device.destroy_fence(self.fence, None);
            device.destroy_command_pool(self.pool, None);
            device.destroy_pipeline(self.pipeline, None);
            device.destroy_image_view(self.view, None);
            device.destroy_image(self.image, None);
            self.buffers.iter().for_each(|&buffer| device.destroy_buffer(buffer, None));
            self.memories.iter().for_each(|&memory| device.free_memory(memory, None));
            self.shaders.iter().for_each(|&shader| device.destroy_shader_module(shader, None));
            device.destroy_pipeline_layout(self.layout, None);
            device.destroy_descriptor_pool(self.descriptors, None);
            self.set_layouts.iter().for_each(|&layout| device.destroy_descriptor_set_layout(layout, None));
        }
    }
}

fn said(result: vk::Result) -> String {
    result.to_string()
}
