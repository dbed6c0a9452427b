//! Compiles a shader for a device.

use std::ffi::CString;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::binding::Descriptor;
use crate::vulkan::descriptors::SetLayout;
use crate::vulkan::device::SharedDevice;
use crate::vulkan::error::{bad_request, error, from_result, limit};
use crate::vulkan::{Device, VulkanCode};

/// A compute shader and its parameters for compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shader<'a> {
    /// The module in binary SPIR-V, little-endian.
    pub spirv: &'a [u8],
    /// The name of the entry point.
    pub entry_point: &'a str,
    /// Values of 32-bit specialization constants, each with its id.
    pub specialization: &'a [(u32, u32)],
    /// Bytes of push constants, a multiple of 4.
    pub push_constant_size: u32,
    /// The size of a work-group, if known: it is then checked against the limits of the device.
    pub local_size: Option<[u32; 3]>,
    /// Bytes that a work-group shares, if known: they are checked against the limits of the device.
    pub shared_memory: u64,
    /// The size of a subgroup, if the shader relies on it.
    pub subgroup_size: Option<u32>,
    /// The buffers that it accesses through bindings of descriptor set 0: each dispatch binds them.
    pub descriptors: &'a [Descriptor],
}

/// A compiled shader, for the device that compiled it.
pub struct Pipeline {
    pub(crate) device: Arc<SharedDevice>,
    pub(crate) raw: vk::Pipeline,
    pub(crate) layout: vk::PipelineLayout,
    pub(crate) push_constant_size: u32,
    pub(crate) set: SetLayout,
    compile_time: Duration,
}

impl<'a> Shader<'a> {
    /// A shader without push constants or specialization constants.
    pub fn new(spirv: &'a [u8], entry_point: &'a str) -> Shader<'a> {
        Shader {
            spirv,
            entry_point,
            specialization: &[],
            push_constant_size: 0,
            local_size: None,
            shared_memory: 0,
            subgroup_size: None,
            descriptors: &[],
        }
    }
}

impl Device {
    /// Compiles a shader. Drivers may defer a part of it to the first dispatch.
    ///
    /// # Errors
    /// [`VulkanCode::Limit`], [`VulkanCode::BadRequest`] if the bytes are not SPIR-V or lack the entry point, or the errors of the driver
    /// or the validation layer.
    ///
    /// # Safety
    /// The module is valid in the environment of this device: SPIR-V that its version of Vulkan accepts, with capabilities whose features are
    /// enabled. The descriptors are the buffers that the entry point uses, of the kinds that it declares, and the push constants that it
    /// declares have at most the size that is given. Nothing checks this without the validation layer, and a driver may do anything with what
    /// is invalid.
    pub unsafe fn compile(&self, shader: &Shader<'_>) -> Result<Pipeline, Diagnostic> {
        self.shared.check_alive()?;
        let words = words(shader.spirv)?;
        check_entry_point(&words, shader.entry_point)?;
        self.check_limits(shader)?;
        let start = Instant::now();
        let set = SetLayout::new(&self.shared, shader.descriptors)?;
        let mut pipeline = Pipeline {
            device: Arc::clone(&self.shared),
            raw: vk::Pipeline::null(),
            layout: create_layout(&self.shared, shader.push_constant_size, &set)?,
            set,
            push_constant_size: shader.push_constant_size,
            compile_time: Duration::ZERO,
        };
        pipeline.create(&words, shader)?;
        pipeline.compile_time = start.elapsed();
        Ok(pipeline)
    }

    fn check_limits(&self, shader: &Shader<'_>) -> Result<(), Diagnostic> {
        let description = self.description();
        description.limits.check_push_constants(shader.push_constant_size)?;
        description.limits.check_shared_memory(shader.shared_memory)?;
        let storage = shader.descriptors.iter().filter(|one| one.kind == crate::DescriptorKind::Storage).count();
        description.limits.check_storage_buffers(storage as u64)?;
        shader.local_size.map_or(Ok(()), |size| description.limits.check_local_size(size))?;
        if !shader.push_constant_size.is_multiple_of(4) {
            return Err(bad_request("the size of the push constants is not a multiple of 4"));
        }
        let Some(wanted) = shader.subgroup_size else {
            return Ok(());
        };
        let [smallest, largest] = description.subgroup_sizes;
        match wanted.is_power_of_two() && wanted >= smallest && wanted <= largest {
            true => Ok(()),
            false => {
                let allowed = if wanted < smallest { smallest } else { largest };
                Err(limit("invocations of a subgroup", wanted.into(), allowed.into()))
            }
        }
    }
}

impl Pipeline {
    /// The time in which the driver compiled it.
    pub fn compile_time(&self) -> Duration {
        self.compile_time
    }

    fn create(&mut self, words: &[u32], shader: &Shader<'_>) -> Result<(), Diagnostic> {
        let module = Module::new(&self.device, words)?;
        let name = CString::new(shader.entry_point)
            .map_err(|_| bad_request("the name of the entry point contains a zero byte"))?;
        let (entries, data) = specialization(shader.specialization);
        let specialization = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(shader.subgroup_size.unwrap_or(0));
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module.raw)
            .name(&name)
            .specialization_info(&specialization);
        let [smallest, largest] = self.device.description.subgroup_sizes;
        if shader.subgroup_size.is_some() && smallest != largest {
            stage = stage.push_next(&mut size);
        }
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout)];
        // SAFETY: module and layout are of this device, and all that the struct refers to lives during the call.
        let created = unsafe { self.device.raw.create_compute_pipelines(vk::PipelineCache::null(), &info, None) };
        self.raw = created.map_err(|(_, result)| rejected("compile the shader", result))?[0];
        self.device.instance.messages.check()
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        if self.device.is_stuck() {
            return;
        }
        // SAFETY: no dispatch of it is running; null is allowed.
        unsafe {
            self.device.raw.destroy_pipeline(self.raw, None);
            self.device.raw.destroy_pipeline_layout(self.layout, None);
        }
    }
}

/// A shader module, which is needed only to create a pipeline.
struct Module<'device> {
    device: &'device SharedDevice,
    raw: vk::ShaderModule,
}

impl<'device> Module<'device> {
    fn new(device: &'device SharedDevice, words: &[u32]) -> Result<Module<'device>, Diagnostic> {
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the device lives, and so do the words during the call.
        let raw = unsafe { device.raw.create_shader_module(&info, None) }
            .map_err(|result| rejected("read the shader", result))?;
        let module = Module { device, raw };
        device.instance.messages.check()?;
        Ok(module)
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: a pipeline does not need its module once it is made.
        unsafe { self.device.raw.destroy_shader_module(self.raw, None) };
    }
}

fn create_layout(
    device: &SharedDevice,
    push_constant_size: u32,
    set: &SetLayout,
) -> Result<vk::PipelineLayout, Diagnostic> {
    let sets = [set.raw];
    let sets = if set.descriptors.is_empty() { &[][..] } else { &sets };
    let range = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(push_constant_size)];
    let ranges: &[vk::PushConstantRange] = if push_constant_size == 0 { &[] } else { &range };
    let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(ranges).set_layouts(sets);
    // SAFETY: the device lives, and so do the ranges during the call.
    unsafe { device.raw.create_pipeline_layout(&info, None) }
        .map_err(|result| from_result("create a pipeline layout", result))
}

fn rejected(what: &'static str, result: vk::Result) -> Diagnostic {
    match result {
        vk::Result::ERROR_UNKNOWN | vk::Result::ERROR_INITIALIZATION_FAILED | vk::Result::ERROR_INVALID_SHADER_NV => {
            error(VulkanCode::Rejected, format!("the driver did not accept the shader: {result}"))
        }
        other => from_result(what, other),
    }
}

fn specialization(values: &[(u32, u32)]) -> (Vec<vk::SpecializationMapEntry>, Vec<u8>) {
    let entry = |(index, &(id, _)): (u32, &(u32, u32))| {
        vk::SpecializationMapEntry::default().constant_id(id).offset(index * 4).size(4)
    };
    ((0..).zip(values).map(entry).collect(), values.iter().flat_map(|(_, value)| value.to_ne_bytes()).collect())
}

fn words(spirv: &[u8]) -> Result<Vec<u32>, Diagnostic> {
    const MAGIC: u32 = 0x0723_0203;
    let (words, rest) = spirv.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    match words.first() == Some(&MAGIC) && words.len() > 5 && rest.is_empty() {
        true => Ok(words),
        false => Err(bad_request("the shader is not a little-endian SPIR-V module")),
    }
}

/// To compile a missing entry point is undefined behaviour, so this checks that it exists.
fn check_entry_point(words: &[u32], wanted: &str) -> Result<(), Diagnostic> {
    const ENTRY_POINT: u32 = spirv::Op::EntryPoint as u32;
    const COMPUTE: u32 = spirv::ExecutionModel::GLCompute as u32;
    let mut present = Vec::new();
    let mut rest = &words[5..];
    while let Some(&first) = rest.first() {
        let length = (first >> 16) as usize;
        if length == 0 || length > rest.len() {
            return Err(bad_request("the shader ends within an instruction"));
        }
        let (instruction, following) = rest.split_at(length);
        if first & 0xffff == ENTRY_POINT && length > 3 && instruction[1] == COMPUTE {
            let bytes = instruction[3..].iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0);
            present.push(String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned());
        }
        rest = following;
    }
    match present.iter().any(|name| name == wanted) {
        true => Ok(()),
        false => Err(bad_request(format!(
            "the shader has no compute entry point {wanted}; there are: {}",
            present.join(", ")
        ))),
    }
}
