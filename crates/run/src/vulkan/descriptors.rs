//! Buffers that a shader accesses through bindings of descriptor set 0.

use std::sync::Arc;

use reconverge_diagnostic::Diagnostic;

use ash::vk;

use crate::binding::{Descriptor, DescriptorKind};
use crate::vulkan::device::SharedDevice;
use crate::vulkan::error::{bad_request, from_result};

impl DescriptorKind {
    fn raw(self) -> vk::DescriptorType {
        match self {
            DescriptorKind::Storage => vk::DescriptorType::STORAGE_BUFFER,
            DescriptorKind::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
        }
    }
}

/// The layout of a descriptor set; none if a shader has no bindings.
pub(crate) struct SetLayout {
    device: Arc<SharedDevice>,
    pub(crate) raw: vk::DescriptorSetLayout,
    pub(crate) descriptors: Vec<Descriptor>,
}

impl SetLayout {
    /// The layout of these descriptors, which are in set 0.
    pub(crate) fn new(device: &Arc<SharedDevice>, descriptors: &[Descriptor]) -> Result<SetLayout, Diagnostic> {
        if let Some(other) = descriptors.iter().find(|one| one.set > 0) {
            let message =
                format!("binding {} of descriptor set {}: expected descriptor set 0", other.binding, other.set);
            return Err(bad_request(message));
        }
        let descriptors = descriptors.to_vec();
        let mut layout = SetLayout { device: Arc::clone(device), raw: vk::DescriptorSetLayout::null(), descriptors };
        if layout.descriptors.is_empty() {
            return Ok(layout);
        }
        let binding = |descriptor: &Descriptor| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(descriptor.binding)
                .descriptor_type(descriptor.kind.raw())
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        };
        let bindings: Vec<_> = layout.descriptors.iter().map(binding).collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the device lives, and so do the bindings during the call.
        layout.raw = unsafe { device.raw.create_descriptor_set_layout(&info, None) }
            .map_err(|result| from_result("create a descriptor set layout", result))?;
        Ok(layout)
    }
}

impl Drop for SetLayout {
    fn drop(&mut self) {
        if self.device.is_stuck() {
            return;
        }
        // SAFETY: no dispatch with the layout is running; null is allowed.
        unsafe { self.device.raw.destroy_descriptor_set_layout(self.raw, None) };
    }
}

/// A descriptor set with its pool.
pub(crate) struct DescriptorSet<'device> {
    device: &'device SharedDevice,
    pool: vk::DescriptorPool,
    /// Null if there are no bindings.
    pub(crate) raw: vk::DescriptorSet,
}

impl<'device> DescriptorSet<'device> {
    /// A set with these buffers, each in whole, in the order of the descriptors.
    pub(crate) fn new(
        device: &'device SharedDevice,
        layout: &SetLayout,
        buffers: &[vk::Buffer],
    ) -> Result<DescriptorSet<'device>, Diagnostic> {
        let mut set = DescriptorSet { device, pool: vk::DescriptorPool::null(), raw: vk::DescriptorSet::null() };
        if layout.descriptors.is_empty() {
            return Ok(set);
        }
        let sizes = [DescriptorKind::Storage, DescriptorKind::Uniform].map(|kind| {
            let count = layout.descriptors.iter().filter(|one| one.kind == kind).count() as u32;
            vk::DescriptorPoolSize::default().ty(kind.raw()).descriptor_count(count)
        });
        let sizes: Vec<_> = sizes.into_iter().filter(|size| size.descriptor_count > 0).collect();
        let failed = |result| from_result("create a descriptor set", result);
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        // SAFETY: the device lives, and so do the sizes during the call.
        set.pool = unsafe { device.raw.create_descriptor_pool(&info, None) }.map_err(failed)?;
        let layouts = [layout.raw];
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(set.pool).set_layouts(&layouts);
        // SAFETY: the pool has room for the set.
        set.raw = unsafe { device.raw.allocate_descriptor_sets(&info) }.map_err(failed)?[0];
        let whole =
            |&buffer: &vk::Buffer| [vk::DescriptorBufferInfo::default().buffer(buffer).offset(0).range(vk::WHOLE_SIZE)];
        let infos: Vec<_> = buffers.iter().map(whole).collect();
        let write = |(descriptor, info): (&Descriptor, &'_ [vk::DescriptorBufferInfo; 1])| vk::WriteDescriptorSet {
            dst_set: set.raw,
            dst_binding: descriptor.binding,
            descriptor_count: 1,
            descriptor_type: descriptor.kind.raw(),
            p_buffer_info: info.as_ptr(),
            ..Default::default()
        };
        let writes: Vec<_> = layout.descriptors.iter().zip(&infos).map(write).collect();
        // SAFETY: set and buffers are of this device, and the infos live during the call.
        unsafe { device.raw.update_descriptor_sets(&writes, &[]) };
        Ok(set)
    }
}

impl Drop for DescriptorSet<'_> {
    fn drop(&mut self) {
        if self.device.is_stuck() {
            return;
        }
        // SAFETY: no dispatch with the set is running; null is allowed.
        unsafe { self.device.raw.destroy_descriptor_pool(self.pool, None) };
    }
}
