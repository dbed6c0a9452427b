//! The features that a reflection can list, by name. Vulkan keeps each as a member of one of many structs, which are linked to a chain.

use ash::vk;

/// The structs of the chain.
#[derive(Default)]
pub struct Features {
    core: vk::PhysicalDeviceFeatures,
    vulkan_1_1: vk::PhysicalDeviceVulkan11Features<'static>,
    vulkan_1_2: vk::PhysicalDeviceVulkan12Features<'static>,
    atomic_float: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    atomic_float_2: vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'static>,
    subgroup_size: vk::PhysicalDeviceSubgroupSizeControlFeatures<'static>,
}

type Member = fn(&mut Features) -> &mut vk::Bool32;

macro_rules! features {
    ($($name:ident: $struct:ident.$member:ident;)*) => {
        &[$((stringify!($name), |features| &mut features.$struct.$member),)*]
    };
}

const FEATURES: &[(&str, Member)] = features! {
    shaderInt16: core.shader_int16;
    shaderInt64: core.shader_int64;
    shaderFloat64: core.shader_float64;
    storageBuffer16BitAccess: vulkan_1_1.storage_buffer16_bit_access;
    storageBuffer8BitAccess: vulkan_1_2.storage_buffer8_bit_access;
    shaderInt8: vulkan_1_2.shader_int8;
    shaderFloat16: vulkan_1_2.shader_float16;
    shaderBufferInt64Atomics: vulkan_1_2.shader_buffer_int64_atomics;
    shaderSharedInt64Atomics: vulkan_1_2.shader_shared_int64_atomics;
    shaderSubgroupExtendedTypes: vulkan_1_2.shader_subgroup_extended_types;
    bufferDeviceAddress: vulkan_1_2.buffer_device_address;
    vulkanMemoryModel: vulkan_1_2.vulkan_memory_model;
    vulkanMemoryModelDeviceScope: vulkan_1_2.vulkan_memory_model_device_scope;
    shaderBufferFloat32AtomicAdd: atomic_float.shader_buffer_float32_atomic_add;
    shaderBufferFloat64AtomicAdd: atomic_float.shader_buffer_float64_atomic_add;
    shaderSharedFloat32AtomicAdd: atomic_float.shader_shared_float32_atomic_add;
    shaderSharedFloat64AtomicAdd: atomic_float.shader_shared_float64_atomic_add;
    shaderBufferFloat16AtomicAdd: atomic_float_2.shader_buffer_float16_atomic_add;
    shaderSharedFloat16AtomicAdd: atomic_float_2.shader_shared_float16_atomic_add;
    shaderBufferFloat16AtomicMinMax: atomic_float_2.shader_buffer_float16_atomic_min_max;
    shaderBufferFloat32AtomicMinMax: atomic_float_2.shader_buffer_float32_atomic_min_max;
    shaderBufferFloat64AtomicMinMax: atomic_float_2.shader_buffer_float64_atomic_min_max;
    shaderSharedFloat16AtomicMinMax: atomic_float_2.shader_shared_float16_atomic_min_max;
    shaderSharedFloat32AtomicMinMax: atomic_float_2.shader_shared_float32_atomic_min_max;
    shaderSharedFloat64AtomicMinMax: atomic_float_2.shader_shared_float64_atomic_min_max;
    subgroupSizeControl: subgroup_size.subgroup_size_control;
};

impl Features {
    /// What a device has. Of extensions it is asked only about these, which it must have.
    pub fn of(instance: &ash::Instance, physical: vk::PhysicalDevice, extensions: &[&str]) -> Features {
        let mut features = Features::default();
        let mut chain = features.chain(extensions);
        // SAFETY: the instance enumerated the device, which knows every struct of the chain.
        unsafe { instance.get_physical_device_features2(physical, &mut chain) };
        features.core = chain.features;
        features
    }

    pub fn has(&mut self, name: &str) -> bool {
        FEATURES.iter().any(|(known, member)| *known == name && *member(self) == vk::TRUE)
    }

    /// These features and no other.
    pub fn only(names: &[&str]) -> Features {
        let mut features = Features::default();
        let wanted = FEATURES.iter().filter(|(known, _)| names.contains(known));
        wanted.for_each(|(_, member)| *member(&mut features) = vk::TRUE);
        features
    }

    pub fn chain(&mut self, extensions: &[&str]) -> vk::PhysicalDeviceFeatures2<'_> {
        let mut chain = vk::PhysicalDeviceFeatures2::default()
            .features(self.core)
            .push_next(&mut self.vulkan_1_1)
            .push_next(&mut self.vulkan_1_2);
        if extensions.contains(&"VK_EXT_shader_atomic_float") {
            chain = chain.push_next(&mut self.atomic_float);
        }
        if extensions.contains(&"VK_EXT_shader_atomic_float2") {
            chain = chain.push_next(&mut self.atomic_float_2);
        }
        if extensions.contains(&"VK_EXT_subgroup_size_control") {
            chain = chain.push_next(&mut self.subgroup_size);
        }
        chain
    }
}
