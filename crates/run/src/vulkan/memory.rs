//! Buffers that a shader accesses by address, and the transfer of their contents.
//!
//! ```text
//! shared:    host ── copy ──▶ buffer                      one memory, mapped
//! staged:    host ── copy ──▶ staging ── device copies ──▶ buffer
//! ```

use std::ptr::NonNull;
use std::time::Duration;

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::vulkan::MemoryPlacement;
use crate::vulkan::device::SharedDevice;
use crate::vulkan::error::{from_result, out_of_memory};

/// A buffer of the device with its host-visible memory.
pub(crate) struct PlacedBuffer<'device> {
    buffer: RawBuffer<'device>,
    staging: Option<RawBuffer<'device>>,
    size: usize,
}

struct RawBuffer<'device> {
    device: &'device SharedDevice,
    raw: vk::Buffer,
    memory: vk::DeviceMemory,
    mapped: Option<NonNull<u8>>,
}

const SHARED: vk::MemoryPropertyFlags = vk::MemoryPropertyFlags::from_raw(
    vk::MemoryPropertyFlags::DEVICE_LOCAL.as_raw() | HOST.as_raw() | vk::MemoryPropertyFlags::HOST_CACHED.as_raw(),
);
const HOST: vk::MemoryPropertyFlags = vk::MemoryPropertyFlags::from_raw(
    vk::MemoryPropertyFlags::HOST_VISIBLE.as_raw() | vk::MemoryPropertyFlags::HOST_COHERENT.as_raw(),
);

impl<'device> PlacedBuffer<'device> {
    /// A buffer of `size` bytes with undefined contents. It has an address even if it is empty.
    pub(crate) fn new(device: &'device SharedDevice, size: usize) -> Result<PlacedBuffer<'device>, Diagnostic> {
        /// Shaders may access whole vectors: the last one is then complete.
        const GRANULE: u64 = 16;
        let bytes = (size as u64).next_multiple_of(GRANULE).max(GRANULE);
        device.description.limits.check_buffer(bytes)?;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::UNIFORM_BUFFER
            | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        if device.placement == MemoryPlacement::Automatic && memory_type(device, u32::MAX, SHARED).is_some() {
            let buffer = RawBuffer::new(device, bytes, usage, &[SHARED])?;
            return Ok(PlacedBuffer { buffer, staging: None, size });
        }
        let transfer = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        let cached = HOST | vk::MemoryPropertyFlags::HOST_CACHED;
        let buffer = RawBuffer::new(device, bytes, usage | transfer, &[vk::MemoryPropertyFlags::DEVICE_LOCAL])?;
        let staging = Some(RawBuffer::new(device, bytes, transfer, &[cached, HOST])?);
        Ok(PlacedBuffer { buffer, staging, size })
    }

    /// The buffer of the device.
    pub(crate) fn raw(&self) -> vk::Buffer {
        self.buffer.raw
    }

    /// The address of its first byte on the device.
    pub(crate) fn address(&self) -> u64 {
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.buffer.raw);
        // SAFETY: the buffer is of this device, was made to have an address, and has its memory.
        unsafe { self.buffer.device.raw.get_buffer_device_address(&info) }
    }

    /// Writes its host-visible memory.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.size, "invariant: contents have the size of their buffer");
        // SAFETY: the mapping has at least `size` bytes, none of which anyone else uses while no work is submitted.
        unsafe { self.host().copy_from_nonoverlapping(NonNull::from(bytes).cast(), self.size) };
    }

    /// Reads its host-visible memory.
    pub(crate) fn read(&self, bytes: &mut [u8]) {
        assert_eq!(bytes.len(), self.size, "invariant: contents have the size of their buffer");
        // SAFETY: as in `write`; every byte was written there before.
        unsafe { self.host().copy_to_nonoverlapping(NonNull::from(bytes).cast(), self.size) };
    }

    fn host(&self) -> NonNull<u8> {
        let visible = self.staging.as_ref().unwrap_or(&self.buffer);
        visible.mapped.expect("invariant: memory that the host sees is mapped")
    }

    /// The copy between the staging buffer and the buffer, if there is one.
    fn staged(&self) -> Option<(vk::Buffer, vk::Buffer, vk::BufferCopy)> {
        let staging = self.staging.as_ref().filter(|_| self.size > 0)?;
        Some((staging.raw, self.buffer.raw, vk::BufferCopy::default().size(self.size as u64)))
    }
}

/// Transfers what the host wrote to the device.
pub(crate) fn upload(device: &SharedDevice, buffers: &[PlacedBuffer<'_>], limit: Duration) -> Result<(), Diagnostic> {
    let copies: Vec<_> = buffers.iter().filter_map(PlacedBuffer::staged).collect();
    if copies.is_empty() {
        return Ok(());
    }
    // SAFETY: the buffers live longer than the work, and were made to be copied from and to.
    unsafe {
        device.run(limit, |raw, commands| {
            for (staging, buffer, region) in &copies {
                raw.cmd_copy_buffer(commands, *staging, *buffer, &[*region]);
            }
        })
    }
}

/// Transfers what shaders wrote to the host-visible memory.
pub(crate) fn download(device: &SharedDevice, buffers: &[PlacedBuffer<'_>], limit: Duration) -> Result<(), Diagnostic> {
    let copies: Vec<_> = buffers.iter().filter_map(PlacedBuffer::staged).collect();
    if copies.is_empty() {
        return Ok(());
    }
    // SAFETY: as in `upload`.
    unsafe {
        device.run(limit, |raw, commands| {
            barrier(raw, commands, [vk::PipelineStageFlags::ALL_COMMANDS, vk::PipelineStageFlags::TRANSFER]);
            for (staging, buffer, region) in &copies {
                raw.cmd_copy_buffer(commands, *buffer, *staging, &[*region]);
            }
            barrier(raw, commands, [vk::PipelineStageFlags::TRANSFER, vk::PipelineStageFlags::HOST]);
        })
    }
}

/// Orders all memory accesses of the stages before and after it.
///
/// # Safety
/// The commands are being recorded on this device.
pub(crate) unsafe fn barrier(raw: &ash::Device, commands: vk::CommandBuffer, stages: [vk::PipelineStageFlags; 2]) {
    let all = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
    let memory = [vk::MemoryBarrier::default().src_access_mask(all).dst_access_mask(all)];
    let none = vk::DependencyFlags::empty();
    // SAFETY: by contract.
    unsafe { raw.cmd_pipeline_barrier(commands, stages[0], stages[1], none, &memory, &[], &[]) };
}

impl<'device> RawBuffer<'device> {
    /// A buffer in memory of one of these kinds, best first; mapped if it is host-visible.
    fn new(
        device: &'device SharedDevice,
        size: u64,
        usage: vk::BufferUsageFlags,
        kinds: &[vk::MemoryPropertyFlags],
    ) -> Result<RawBuffer<'device>, Diagnostic> {
        let failed = |result| from_result("create a buffer", result);
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        // SAFETY: the device lives.
        let raw = unsafe { device.raw.create_buffer(&info, None) }.map_err(failed)?;
        let mut buffer = RawBuffer { device, raw, memory: vk::DeviceMemory::null(), mapped: None };
        // SAFETY: the buffer was just made.
        let needs = unsafe { device.raw.get_buffer_memory_requirements(raw) };
        let (index, properties) = kinds
            .iter()
            .find_map(|&kind| memory_type(device, needs.memory_type_bits, kind))
            .ok_or_else(|| out_of_memory("no memory of the kind that a buffer needs"))?;
        let mut flags = vk::MemoryAllocateFlagsInfo::default();
        let mut allocation = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
        if usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS) {
            flags = flags.flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            allocation = allocation.push_next(&mut flags);
        }
        // SAFETY: the memory is as the buffer needs it, is bound once, and mapped only where the host can see it.
        unsafe {
            buffer.memory = device.raw.allocate_memory(&allocation, None).map_err(failed)?;
            device.raw.bind_buffer_memory(raw, buffer.memory, 0).map_err(failed)?;
            if properties.contains(vk::MemoryPropertyFlags::HOST_VISIBLE) {
                let whole = vk::MemoryMapFlags::empty();
                let mapped = device.raw.map_memory(buffer.memory, 0, vk::WHOLE_SIZE, whole).map_err(failed)?;
                buffer.mapped = NonNull::new(mapped.cast());
            }
        }
        Ok(buffer)
    }
}

impl Drop for RawBuffer<'_> {
    fn drop(&mut self) {
        if self.device.is_stuck() {
            return;
        }
        // SAFETY: no work is running that uses the buffer; freeing memory unmaps it, and null is allowed.
        unsafe {
            self.device.raw.destroy_buffer(self.raw, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}

/// The first type of memory, among those of the bits, that has these properties.
fn memory_type(
    device: &SharedDevice,
    bits: u32,
    wanted: vk::MemoryPropertyFlags,
) -> Option<(u32, vk::MemoryPropertyFlags)> {
    let types = (0..).zip(device.memory.memory_types_as_slice());
    let mut fitting = types.filter(|(index, one)| bits >> index & 1 == 1 && one.property_flags.contains(wanted));
    fitting.next().map(|(index, one)| (index, one.property_flags))
}
