//! One dispatch: fills buffers, runs the shader, reads buffers back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::vulkan::descriptors::DescriptorSet;
use crate::vulkan::device::SharedDevice;
use crate::vulkan::error::bad_request;
use crate::vulkan::memory::{self, PlacedBuffer};
use crate::vulkan::{Device, Pipeline};

/// The inputs of a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dispatch<'a> {
    /// Work-groups along each axis. If one is zero, nothing runs and no buffer changes.
    pub groups: [u32; 3],
    /// The push constants.
    pub push_constants: PushConstants<'a>,
    /// The time limit of each of upload, execution and download.
    pub timeout: Duration,
}

/// The push constants: the bytes, and addresses written over some of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PushConstants<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The addresses that are written over the bytes.
    pub addresses: &'a [Address],
}

/// A 64-bit address that is written over eight bytes, little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The offset of the first of these bytes.
    pub at: usize,
    /// The index of the buffer that the address points into.
    pub buffer: usize,
    /// The byte offset in that buffer; at most the size of the buffer.
    pub offset: u64,
}

/// Memory that the shader reads and writes.
#[derive(PartialEq, Eq, Debug)]
pub struct Buffer<'a> {
    /// Its contents before the dispatch, then after it. It may be empty: its address is then valid, but must not be accessed.
    pub bytes: &'a mut [u8],
    /// The addresses that are written over the bytes before the dispatch. They remain, unless the shader overwrites them.
    pub addresses: &'a [Address],
}

/// The times of the parts of a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DispatchTimes {
    /// To create and fill the buffers.
    pub upload: Duration,
    /// To run the shader, from submission to completion.
    pub execute: Duration,
    /// To read the buffers back.
    pub download: Duration,
}

impl Dispatch<'_> {
    /// These work-groups, no push constants, and a time limit of a minute.
    pub fn of(groups: [u32; 3]) -> Dispatch<'static> {
        Dispatch { groups, push_constants: PushConstants::default(), timeout: Duration::from_secs(60) }
    }
}

impl<'a> Buffer<'a> {
    /// A buffer without addresses.
    pub fn new(bytes: &'a mut [u8]) -> Buffer<'a> {
        Buffer { bytes, addresses: &[] }
    }
}

impl Device {
    /// Runs a pipeline over buffers and waits for its completion.
    ///
    /// # Errors
    /// `VulkanCode::BadRequest` if sizes do not fit, `VulkanCode::Limit`, `VulkanCode::OutOfMemory`, `VulkanCode::Timeout`,
    /// `VulkanCode::DeviceLost`, or the errors of the validation layer. In these cases no buffer changes. After a timeout the device is
    /// unusable, and its memory is not freed before the process ends.
    ///
    /// # Safety
    /// With these buffers, push constants and work-groups the behaviour of the shader is defined. In particular, it accesses memory of the
    /// buffers alone, through addresses and through bindings, and its indexes are inside of its arrays. Nothing checks this: a shader has
    /// addresses, and a device in software runs it in this process. A caller that does not know a shader runs it on the interpreter or on the
    /// CPU ([`crate::run_on_cpu`]), where nothing is left to the caller.
    pub unsafe fn dispatch(
        &self,
        pipeline: &Pipeline,
        dispatch: &Dispatch<'_>,
        buffers: &mut [Buffer<'_>],
    ) -> Result<DispatchTimes, Diagnostic> {
        let start = Instant::now();
        // SAFETY: as for the caller.
        unsafe { self.dispatch_measured(pipeline, dispatch, buffers, &|| start.elapsed()) }
    }

    /// As [`Device::dispatch`], with a clock of the caller, for example the CPU time of the process.
    ///
    /// # Errors
    /// Those of [`Device::dispatch`].
    ///
    /// # Safety
    /// Those of [`Device::dispatch`].
    pub unsafe fn dispatch_measured(
        &self,
        pipeline: &Pipeline,
        dispatch: &Dispatch<'_>,
        buffers: &mut [Buffer<'_>],
        clock: &dyn Fn() -> Duration,
    ) -> Result<DispatchTimes, Diagnostic> {
        let device = &*self.shared;
        device.check_alive()?;
        if !Arc::ptr_eq(&self.shared, &pipeline.device) {
            return Err(bad_request("the pipeline was compiled by another device"));
        }
        check(device, pipeline, dispatch, buffers)?;
        if dispatch.groups.contains(&0) {
            return Ok(DispatchTimes::default());
        }
        let start = clock();
        let mut placed =
            buffers.iter().map(|one| PlacedBuffer::new(device, one.bytes.len())).collect::<Result<Vec<_>, _>>()?;
        let bases: Vec<u64> = placed.iter().map(PlacedBuffer::address).collect();
        for (buffer, placed) in buffers.iter().zip(&mut placed) {
            match buffer.addresses {
                [] => placed.write(buffer.bytes),
                addresses => placed.write(&with_addresses(buffer.bytes, addresses, &bases)),
            }
        }
        memory::upload(device, &placed, dispatch.timeout)?;
        let uploaded = clock();
        let push_constants = with_addresses(dispatch.push_constants.bytes, dispatch.push_constants.addresses, &bases);
        let bound: Vec<vk::Buffer> = pipeline.set.descriptors.iter().map(|one| placed[one.buffer].raw()).collect();
        let set = DescriptorSet::new(device, &pipeline.set, &bound)?;
        execute(device, pipeline, dispatch, (&push_constants, &set))?;
        drop(set);
        let executed = clock();
        memory::download(device, &placed, dispatch.timeout)?;
        device.instance.messages.check()?;
        for (buffer, placed) in buffers.iter_mut().zip(&placed) {
            placed.read(buffer.bytes);
        }
        Ok(DispatchTimes { upload: uploaded - start, execute: executed - uploaded, download: clock() - executed })
    }
}

fn check(
    device: &SharedDevice,
    pipeline: &Pipeline,
    dispatch: &Dispatch<'_>,
    buffers: &[Buffer<'_>],
) -> Result<(), Diagnostic> {
    device.description.limits.check_groups(dispatch.groups)?;
    let push_constants = &dispatch.push_constants;
    if push_constants.bytes.len() != pipeline.push_constant_size as usize {
        return Err(bad_request(format!(
            "{} bytes of push constants for a pipeline with {}",
            push_constants.bytes.len(),
            pipeline.push_constant_size
        )));
    }
    if let Some(missing) = pipeline.set.descriptors.iter().find(|one| one.buffer >= buffers.len()) {
        return Err(bad_request(format!("no buffer {} for binding {}", missing.buffer, missing.binding)));
    }
    check_addresses("the push constants", push_constants.bytes, push_constants.addresses, buffers)?;
    for (index, buffer) in buffers.iter().enumerate() {
        check_addresses(&format!("buffer {index}"), buffer.bytes, buffer.addresses, buffers)?;
    }
    Ok(())
}

fn check_addresses(place: &str, bytes: &[u8], addresses: &[Address], buffers: &[Buffer<'_>]) -> Result<(), Diagnostic> {
    for address in addresses {
        let Address { at, buffer, offset } = *address;
        if at.checked_add(8).is_none_or(|end| end > bytes.len()) {
            return Err(bad_request(format!("an address at byte {at} of {place} extends past its end")));
        }
        if buffers.get(buffer).is_none_or(|target| offset > target.bytes.len() as u64) {
            let message =
                format!("an address in {place} leads to byte {offset} of buffer {buffer}, which does not exist");
            return Err(bad_request(message));
        }
    }
    Ok(())
}

fn with_addresses(bytes: &[u8], addresses: &[Address], bases: &[u64]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for address in addresses {
        let value = bases[address.buffer] + address.offset;
        bytes[address.at..address.at + 8].copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

fn execute(
    device: &SharedDevice,
    pipeline: &Pipeline,
    dispatch: &Dispatch<'_>,
    (push_constants, set): (&[u8], &DescriptorSet<'_>),
) -> Result<(), Diagnostic> {
    let [x, y, z] = dispatch.groups;
    // SAFETY: the pipeline is of this device and has push constants of this size, and its set has a buffer for each of its descriptors; the
    // caller keeps pipeline and buffers alive, and they are not freed where the device is stuck.
    unsafe {
        device.run(dispatch.timeout, |raw, commands| {
            let before = vk::PipelineStageFlags::HOST | vk::PipelineStageFlags::TRANSFER;
            memory::barrier(raw, commands, [before, vk::PipelineStageFlags::COMPUTE_SHADER]);
            raw.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline.raw);
            if !push_constants.is_empty() {
                let stage = vk::ShaderStageFlags::COMPUTE;
                raw.cmd_push_constants(commands, pipeline.layout, stage, 0, push_constants);
            }
            if set.raw != vk::DescriptorSet::null() {
                let point = vk::PipelineBindPoint::COMPUTE;
                raw.cmd_bind_descriptor_sets(commands, point, pipeline.layout, 0, &[set.raw], &[]);
            }
            raw.cmd_dispatch(commands, x, y, z);
            memory::barrier(raw, commands, [vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST]);
        })
    }
}
