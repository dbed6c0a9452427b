//! Limits of a device on dispatches.

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::vulkan::error::limit;

/// The limits of a device that concern a compute dispatch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceLimits {
    /// Work-groups along each axis.
    pub groups: [u32; 3],
    /// Invocations of a work-group along each axis.
    pub local_size: [u32; 3],
    /// Invocations of a work-group.
    pub group_invocations: u32,
    /// Bytes of memory that a work-group shares.
    pub shared_memory: u32,
    /// Bytes of push constants.
    pub push_constants: u32,
    /// Bytes of a buffer.
    pub buffer: u64,
    /// Storage buffers of a shader.
    pub storage_buffers: u32,
}

impl DeviceLimits {
    pub(crate) fn new(limits: &vk::PhysicalDeviceLimits, largest_allocation: u64) -> DeviceLimits {
        DeviceLimits {
            groups: limits.max_compute_work_group_count,
            local_size: limits.max_compute_work_group_size,
            group_invocations: limits.max_compute_work_group_invocations,
            shared_memory: limits.max_compute_shared_memory_size,
            push_constants: limits.max_push_constants_size,
            buffer: largest_allocation,
            storage_buffers: limits
                .max_per_stage_descriptor_storage_buffers
                .min(limits.max_descriptor_set_storage_buffers),
        }
    }

    pub(crate) fn check_groups(&self, groups: [u32; 3]) -> Result<(), Diagnostic> {
        const AXES: [&str; 3] = ["work-groups along x", "work-groups along y", "work-groups along z"];
        (0..3).try_for_each(|axis| check(AXES[axis], groups[axis].into(), self.groups[axis].into()))
    }

    pub(crate) fn check_local_size(&self, size: [u32; 3]) -> Result<(), Diagnostic> {
        const AXES: [&str; 3] = ["work-group size along x", "work-group size along y", "work-group size along z"];
        (0..3).try_for_each(|axis| check(AXES[axis], size[axis].into(), self.local_size[axis].into()))?;
        let invocations = size.iter().fold(1_u64, |product, &size| product.saturating_mul(size.into()));
        check("invocations of a work-group", invocations, self.group_invocations.into())
    }

    pub(crate) fn check_shared_memory(&self, bytes: u64) -> Result<(), Diagnostic> {
        check("bytes of memory that a work-group shares", bytes, self.shared_memory.into())
    }

    pub(crate) fn check_push_constants(&self, bytes: u32) -> Result<(), Diagnostic> {
        check("bytes of push constants", bytes.into(), self.push_constants.into())
    }

    pub(crate) fn check_storage_buffers(&self, count: u64) -> Result<(), Diagnostic> {
        check("storage buffers of a shader", count, self.storage_buffers.into())
    }

    pub(crate) fn check_buffer(&self, bytes: u64) -> Result<(), Diagnostic> {
        check("bytes of a buffer", bytes, self.buffer)
    }
}

fn check(what: &'static str, wanted: u64, allowed: u64) -> Result<(), Diagnostic> {
    if wanted > allowed { Err(limit(what, wanted, allowed)) } else { Ok(()) }
}
