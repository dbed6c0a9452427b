//! Mesa's lavapipe, through what Reconverge compiles a kernel to for Vulkan.
//!
//! Lavapipe compiles a shader in its first dispatch, so one work-group is a part of compilation.

use std::time::Duration;

use reconverge::opencl::Reflection;
use reconverge::{CompileOptions, Format, Level};
use reconverge_run::vulkan::{self, Address, Buffer, Dispatch, PushConstants};
use reconverge_run::{Binding, VulkanOptions, bind, options_for};

use super::{Engine, Job, Sample};
use crate::clock::{cpu_time, milliseconds, timed};

pub(super) struct Lavapipe {
    instance: vulkan::Instance,
    options: CompileOptions,
    description: String,
    job: Option<Job>,
    compiled: Option<Compiled>,
    buffers: Vec<Vec<u8>>,
}

struct Compiled {
    pipeline: vulkan::Pipeline,
    device: vulkan::Device,
    binding: Binding,
}

impl Lavapipe {
    pub(super) fn new() -> Result<Lavapipe, String> {
        let kernel = options_for(&options()).map_err(|error| error.to_string())?;
        let instance = vulkan::Instance::new(&vulkan::InstanceOptions::default()).map_err(|error| error.to_string())?;
        let devices = instance.devices().map_err(|error| error.to_string())?;
        let device = devices.iter().find(|device| device.name.contains("llvmpipe")).ok_or("no llvmpipe")?;
        let description = format!("{}, {}", device.name, device.driver);
        let options = CompileOptions::new().kernel(kernel).level(Level::None);
        Ok(Lavapipe { instance, options, description, job: None, compiled: None, buffers: Vec::new() })
    }

    fn lower(&self, spirv: &[u8]) -> Result<(Vec<u8>, Reflection), String> {
        let mut module = reconverge::read(spirv, Format::SPIRV).map_err(|error| error.message())?;
        let run = reconverge::run(&mut module, &self.options, &mut |_, _| {});
        let reflection = run.map_err(|error| error.message())?.reflection.ok_or("no kernel")?;
        let bytes = reconverge::write(&module, Format::SPIRV).map_err(|error| error.message())?;
        Ok((bytes, reflection))
    }
}

fn options() -> VulkanOptions {
    VulkanOptions { device: vulkan::DeviceChoice::Name("llvmpipe".to_owned()), ..VulkanOptions::default() }
}

impl Engine for Lavapipe {
    fn description(&self) -> String {
        self.description.clone()
    }

    fn load(&mut self, job: Job) -> Result<(), String> {
        self.compiled = None;
        self.buffers = Vec::new();
        self.job = Some(job);
        Ok(())
    }

    fn compile(&mut self) -> Result<Option<f64>, String> {
        let job = self.job.as_ref().ok_or("no job")?;
        let (front, lowered) = timed(|| self.lower(job.kernel.spirv));
        let (bytes, reflection) = lowered?;
        let binding = match self.compiled.take() {
            Some(compiled) => compiled.binding,
            None => bind(&job.launch, &reflection).map_err(|error| error.to_string())?,
        };
        let requirements = vulkan::Requirements {
            features: &reflection.features,
            extensions: &reflection.extensions,
            subgroup_operations: &reflection.subgroup_operations,
            ..vulkan::Requirements::default()
        };
        let device = self.instance.open(&options().device, &requirements).map_err(|error| error.to_string())?;
        let shader = vulkan::Shader {
            specialization: &binding.specialization,
            push_constant_size: binding.push_constants.bytes.len() as u32,
            local_size: Some(binding.size.local),
            subgroup_size: binding.subgroup_size,
            ..vulkan::Shader::new(&bytes, &binding.entry_point)
        };
        let (driver, pipeline) = timed(|| {
            // SAFETY: the compiler wrote the module for this device, with its reflection.
            unsafe { device.compile(&shader) }
        });
        let pipeline = pipeline.map_err(|error| error.to_string())?;
        let compiled = Compiled { pipeline, device, binding };
        let (first, _) = compiled.dispatch([1; 3])?;
        self.compiled = Some(compiled);
        Ok(Some(front + driver + milliseconds(first)))
    }

    fn run(&mut self) -> Result<Sample, String> {
        let compiled = self.compiled.as_ref().ok_or("not compiled")?;
        let (time, buffers) = compiled.dispatch(compiled.binding.size.groups)?;
        self.buffers = buffers;
        Ok(Sample { time: milliseconds(time), note: String::new() })
    }

    fn outputs(&mut self) -> Result<Vec<u8>, String> {
        let job = self.job.as_ref().ok_or("no job")?;
        Ok(job.launch.outputs().flat_map(|output| self.buffers[output.index].iter().copied()).collect())
    }
}

impl Compiled {
    /// CPU time of a dispatch, and the buffers after it.
    fn dispatch(&self, groups: [u32; 3]) -> Result<(Duration, Vec<Vec<u8>>), String> {
        let binding = &self.binding;
        let places: Vec<Vec<Address>> = binding.buffers.iter().map(|contents| addresses(&contents.addresses)).collect();
        let mut bytes: Vec<Vec<u8>> = binding.buffers.iter().map(|contents| contents.bytes.clone()).collect();
        let buffers = bytes.iter_mut().zip(&places);
        let mut buffers: Vec<Buffer<'_>> =
            buffers.map(|(bytes, addresses)| Buffer { addresses, ..Buffer::new(bytes) }).collect();
        let in_push_constants = addresses(&binding.push_constants.addresses);
        let push_constants = PushConstants { bytes: &binding.push_constants.bytes, addresses: &in_push_constants };
        let dispatch = Dispatch { push_constants, ..Dispatch::of(groups) };
        // SAFETY: the kernels of the benchmark stay in their buffers.
        let times = unsafe { self.device.dispatch_measured(&self.pipeline, &dispatch, &mut buffers, &cpu_time) };
        let times = times.map_err(|error| error.to_string())?;
        Ok((times.execute, bytes))
    }
}

fn addresses(addresses: &[reconverge_run::Address]) -> Vec<Address> {
    let convert =
        |address: &reconverge_run::Address| Address { at: address.at, buffer: address.buffer, offset: address.target };
    addresses.iter().map(convert).collect()
}
