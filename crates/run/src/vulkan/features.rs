//! Device features by their names in the Vulkan specification: querying and enabling them.
//!
//! In Vulkan, a feature is a member of one of many structs, which are linked to a chain. [`FEATURES`] gives the struct of each name;
//! [`PROPERTIES`] has properties that need not be enabled.

use std::ffi::CStr;

use ash::vk;

/// The structs that can be in the chain.
#[derive(Default)]
pub(crate) struct Features {
    core: vk::PhysicalDeviceFeatures,
    vulkan_1_1: vk::PhysicalDeviceVulkan11Features<'static>,
    vulkan_1_2: vk::PhysicalDeviceVulkan12Features<'static>,
    vulkan_1_3: vk::PhysicalDeviceVulkan13Features<'static>,
    atomic_float: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    atomic_float_2: vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'static>,
    subgroup_uniform_control_flow: vk::PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR<'static>,
    maximal_reconvergence: vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR<'static>,
    subgroup_rotate: vk::PhysicalDeviceShaderSubgroupRotateFeaturesKHR<'static>,
    clock: vk::PhysicalDeviceShaderClockFeaturesKHR<'static>,
    expect_assume: vk::PhysicalDeviceShaderExpectAssumeFeaturesKHR<'static>,
    float_controls_2: vk::PhysicalDeviceShaderFloatControls2FeaturesKHR<'static>,
}

/// The struct of a feature.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Struct {
    /// A struct that every device of version 1.2 knows.
    Core,
    /// The struct of version 1.3.
    Vulkan13,
    /// The struct of an extension.
    Extension(&'static CStr),
}

struct Feature {
    name: &'static str,
    of: Struct,
    member: fn(&mut Features) -> &mut vk::Bool32,
}

macro_rules! features {
    ($($name:ident: $of:expr, $struct:ident.$member:ident;)*) => {
        &[$(Feature { name: stringify!($name), of: $of, member: |features| &mut features.$struct.$member },)*]
    };
}

use Struct::{Core, Extension, Vulkan13};

#[rustfmt::skip]
const FEATURES: &[Feature] = features! {
    robustBufferAccess: Core, core.robust_buffer_access;
    shaderInt16: Core, core.shader_int16;
    shaderInt64: Core, core.shader_int64;
    shaderFloat64: Core, core.shader_float64;
    storageBuffer16BitAccess: Core, vulkan_1_1.storage_buffer16_bit_access;
    uniformAndStorageBuffer16BitAccess: Core, vulkan_1_1.uniform_and_storage_buffer16_bit_access;
    storagePushConstant16: Core, vulkan_1_1.storage_push_constant16;
    variablePointers: Core, vulkan_1_1.variable_pointers;
    variablePointersStorageBuffer: Core, vulkan_1_1.variable_pointers_storage_buffer;
    storageBuffer8BitAccess: Core, vulkan_1_2.storage_buffer8_bit_access;
    uniformAndStorageBuffer8BitAccess: Core, vulkan_1_2.uniform_and_storage_buffer8_bit_access;
    storagePushConstant8: Core, vulkan_1_2.storage_push_constant8;
    shaderBufferInt64Atomics: Core, vulkan_1_2.shader_buffer_int64_atomics;
    shaderSharedInt64Atomics: Core, vulkan_1_2.shader_shared_int64_atomics;
    shaderFloat16: Core, vulkan_1_2.shader_float16;
    shaderInt8: Core, vulkan_1_2.shader_int8;
    scalarBlockLayout: Core, vulkan_1_2.scalar_block_layout;
    uniformBufferStandardLayout: Core, vulkan_1_2.uniform_buffer_standard_layout;
    shaderSubgroupExtendedTypes: Core, vulkan_1_2.shader_subgroup_extended_types;
    bufferDeviceAddress: Core, vulkan_1_2.buffer_device_address;
    vulkanMemoryModel: Core, vulkan_1_2.vulkan_memory_model;
    vulkanMemoryModelDeviceScope: Core, vulkan_1_2.vulkan_memory_model_device_scope;
    vulkanMemoryModelAvailabilityVisibilityChains: Core, vulkan_1_2.vulkan_memory_model_availability_visibility_chains;
    subgroupBroadcastDynamicId: Core, vulkan_1_2.subgroup_broadcast_dynamic_id;
    shaderDemoteToHelperInvocation: Vulkan13, vulkan_1_3.shader_demote_to_helper_invocation;
    shaderTerminateInvocation: Vulkan13, vulkan_1_3.shader_terminate_invocation;
    subgroupSizeControl: Vulkan13, vulkan_1_3.subgroup_size_control;
    computeFullSubgroups: Vulkan13, vulkan_1_3.compute_full_subgroups;
    shaderZeroInitializeWorkgroupMemory: Vulkan13, vulkan_1_3.shader_zero_initialize_workgroup_memory;
    shaderIntegerDotProduct: Vulkan13, vulkan_1_3.shader_integer_dot_product;
    maintenance4: Vulkan13, vulkan_1_3.maintenance4;
    shaderBufferFloat32Atomics: Extension(ash::ext::shader_atomic_float::NAME), atomic_float.shader_buffer_float32_atomics;
    shaderBufferFloat32AtomicAdd: Extension(ash::ext::shader_atomic_float::NAME), atomic_float.shader_buffer_float32_atomic_add;
    shaderBufferFloat64Atomics: Extension(ash::ext::shader_atomic_float::NAME), atomic_float.shader_buffer_float64_atomics;
    shaderBufferFloat64AtomicAdd: Extension(ash::ext::shader_atomic_float::NAME), atomic_float.shader_buffer_float64_atomic_add;
    shaderSharedFloat32Atomics: Extension(ash::ext::shader_atomic_float::NAME), atomic_float.shader_shared_float32_atomics;
    shaderSharedFloat32AtomicAdd: Extension(ash::ext::shader_atomic_float::NAME), atomic_float.shader_shared_float32_atomic_add;
    shaderSharedFloat64Atomics: Extension(ash::ext::shader_atomic_float::NAME), atomic_float.shader_shared_float64_atomics;
    shaderSharedFloat64AtomicAdd: Extension(ash::ext::shader_atomic_float::NAME), atomic_float.shader_shared_float64_atomic_add;
    shaderBufferFloat16Atomics: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_buffer_float16_atomics;
    shaderBufferFloat16AtomicAdd: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_buffer_float16_atomic_add;
    shaderBufferFloat16AtomicMinMax: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_buffer_float16_atomic_min_max;
    shaderBufferFloat32AtomicMinMax: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_buffer_float32_atomic_min_max;
    shaderBufferFloat64AtomicMinMax: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_buffer_float64_atomic_min_max;
    shaderSharedFloat16Atomics: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_shared_float16_atomics;
    shaderSharedFloat16AtomicAdd: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_shared_float16_atomic_add;
    shaderSharedFloat16AtomicMinMax: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_shared_float16_atomic_min_max;
    shaderSharedFloat32AtomicMinMax: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_shared_float32_atomic_min_max;
    shaderSharedFloat64AtomicMinMax: Extension(ash::ext::shader_atomic_float2::NAME), atomic_float_2.shader_shared_float64_atomic_min_max;
    shaderSubgroupUniformControlFlow: Extension(ash::khr::shader_subgroup_uniform_control_flow::NAME), subgroup_uniform_control_flow.shader_subgroup_uniform_control_flow;
    shaderMaximalReconvergence: Extension(ash::khr::shader_maximal_reconvergence::NAME), maximal_reconvergence.shader_maximal_reconvergence;
    shaderSubgroupClock: Extension(ash::khr::shader_clock::NAME), clock.shader_subgroup_clock;
    shaderDeviceClock: Extension(ash::khr::shader_clock::NAME), clock.shader_device_clock;
    shaderSubgroupRotate: Extension(ash::khr::shader_subgroup_rotate::NAME), subgroup_rotate.shader_subgroup_rotate;
    shaderSubgroupRotateClustered: Extension(ash::khr::shader_subgroup_rotate::NAME), subgroup_rotate.shader_subgroup_rotate_clustered;
    shaderExpectAssume: Extension(ash::khr::shader_expect_assume::NAME), expect_assume.shader_expect_assume;
    shaderFloatControls2: Extension(ash::khr::shader_float_controls2::NAME), float_controls_2.shader_float_controls2;
};

struct Property {
    name: &'static str,
    has: fn(&Properties) -> bool,
}

/// Properties that need not be enabled.
pub(crate) struct Properties {
    pub(crate) subgroup: vk::SubgroupFeatureFlags,
    pub(crate) floats: vk::PhysicalDeviceFloatControlsProperties<'static>,
}

macro_rules! subgroup_bits {
    ($($name:ident: $flag:ident;)*) => {
        &[$(Property { name: stringify!($name), has: |device| device.subgroup.contains(vk::SubgroupFeatureFlags::$flag) },)*]
    };
}

macro_rules! float_controls {
    ($($name:ident: $member:ident;)*) => {
        &[$(Property { name: stringify!($name), has: |device| device.floats.$member == vk::TRUE },)*]
    };
}

const PROPERTIES: [&[Property]; 2] = [
    subgroup_bits! {
        VK_SUBGROUP_FEATURE_BASIC_BIT: BASIC;
        VK_SUBGROUP_FEATURE_VOTE_BIT: VOTE;
        VK_SUBGROUP_FEATURE_ARITHMETIC_BIT: ARITHMETIC;
        VK_SUBGROUP_FEATURE_BALLOT_BIT: BALLOT;
        VK_SUBGROUP_FEATURE_SHUFFLE_BIT: SHUFFLE;
        VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT: SHUFFLE_RELATIVE;
        VK_SUBGROUP_FEATURE_CLUSTERED_BIT: CLUSTERED;
        VK_SUBGROUP_FEATURE_QUAD_BIT: QUAD;
    },
    float_controls! {
        shaderSignedZeroInfNanPreserveFloat16: shader_signed_zero_inf_nan_preserve_float16;
        shaderSignedZeroInfNanPreserveFloat32: shader_signed_zero_inf_nan_preserve_float32;
        shaderSignedZeroInfNanPreserveFloat64: shader_signed_zero_inf_nan_preserve_float64;
        shaderDenormPreserveFloat16: shader_denorm_preserve_float16;
        shaderDenormPreserveFloat32: shader_denorm_preserve_float32;
        shaderDenormPreserveFloat64: shader_denorm_preserve_float64;
        shaderDenormFlushToZeroFloat16: shader_denorm_flush_to_zero_float16;
        shaderDenormFlushToZeroFloat32: shader_denorm_flush_to_zero_float32;
        shaderDenormFlushToZeroFloat64: shader_denorm_flush_to_zero_float64;
        shaderRoundingModeRTEFloat16: shader_rounding_mode_rte_float16;
        shaderRoundingModeRTEFloat32: shader_rounding_mode_rte_float32;
        shaderRoundingModeRTEFloat64: shader_rounding_mode_rte_float64;
        shaderRoundingModeRTZFloat16: shader_rounding_mode_rtz_float16;
        shaderRoundingModeRTZFloat32: shader_rounding_mode_rtz_float32;
        shaderRoundingModeRTZFloat64: shader_rounding_mode_rtz_float64;
    },
];

/// The names that can be required of a device: features, which are then enabled, and properties that Vulkan reports about shaders.
pub fn known_features() -> impl Iterator<Item = &'static str> {
    let properties = PROPERTIES.into_iter().flatten().map(|property| property.name);
    FEATURES.iter().map(|feature| feature.name).chain(properties)
}

/// The known feature of a device whose subgroups support operations of this kind.
pub(crate) fn subgroup_feature(operation: &str) -> Option<&'static str> {
    const OPERATIONS: [&str; 8] =
        ["basic", "vote", "arithmetic", "ballot", "shuffle", "shuffleRelative", "clustered", "quad"];
    OPERATIONS.iter().position(|&known| known == operation).map(|index| PROPERTIES[0][index].name)
}

/// The names of the features of a device, in the order of [`known_features`].
pub(crate) fn names(features: &mut Features, properties: &Properties) -> Vec<&'static str> {
    let switched =
        FEATURES.iter().filter(|feature| *(feature.member)(features) == vk::TRUE).map(|feature| feature.name);
    let mut names: Vec<&'static str> = switched.collect();
    names.extend(PROPERTIES.into_iter().flatten().filter(|property| (property.has)(properties)).map(|one| one.name));
    names
}

/// The features to enable for these names, and the extensions that they need, each once and in the order of the table.
pub(crate) fn switched_on(wanted: &[&str]) -> (Features, Vec<&'static CStr>) {
    let mut features = Features::default();
    let mut extensions = Vec::new();
    for feature in FEATURES.iter().filter(|feature| wanted.contains(&feature.name)) {
        *(feature.member)(&mut features) = vk::TRUE;
        if let Extension(name) = feature.of
            && !extensions.contains(&name)
        {
            extensions.push(name);
        }
    }
    (features, extensions)
}

impl Features {
    /// The chain of those structs that a device of this version with these extensions knows, for a call that reads or fills them.
    pub(crate) fn chain(
        &mut self,
        api_version: u32,
        has_extension: impl Fn(&CStr) -> bool,
    ) -> vk::PhysicalDeviceFeatures2<'_> {
        let mut chain = vk::PhysicalDeviceFeatures2::default()
            .features(self.core)
            .push_next(&mut self.vulkan_1_1)
            .push_next(&mut self.vulkan_1_2);
        if api_version >= vk::API_VERSION_1_3 {
            chain = chain.push_next(&mut self.vulkan_1_3);
        }
        if has_extension(ash::ext::shader_atomic_float::NAME) {
            chain = chain.push_next(&mut self.atomic_float);
        }
        if has_extension(ash::ext::shader_atomic_float2::NAME) {
            chain = chain.push_next(&mut self.atomic_float_2);
        }
        if has_extension(ash::khr::shader_subgroup_uniform_control_flow::NAME) {
            chain = chain.push_next(&mut self.subgroup_uniform_control_flow);
        }
        if has_extension(ash::khr::shader_maximal_reconvergence::NAME) {
            chain = chain.push_next(&mut self.maximal_reconvergence);
        }
        if has_extension(ash::khr::shader_clock::NAME) {
            chain = chain.push_next(&mut self.clock);
        }
        if has_extension(ash::khr::shader_subgroup_rotate::NAME) {
            chain = chain.push_next(&mut self.subgroup_rotate);
        }
        if has_extension(ash::khr::shader_expect_assume::NAME) {
            chain = chain.push_next(&mut self.expect_assume);
        }
        if has_extension(ash::khr::shader_float_controls2::NAME) {
            chain = chain.push_next(&mut self.float_controls_2);
        }
        chain
    }

    /// Copies what a call wrote at the head of the chain; the other structs are filled in place.
    pub(crate) fn set_core(&mut self, core: vk::PhysicalDeviceFeatures) {
        self.core = core;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_each_has_its_own_member() {
        let names: Vec<&str> = known_features().collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name} is there twice");
        }
        assert_eq!(subgroup_feature("basic"), Some("VK_SUBGROUP_FEATURE_BASIC_BIT"));
        assert_eq!(subgroup_feature("shuffleRelative"), Some("VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT"));
        assert_eq!(subgroup_feature("quad"), Some("VK_SUBGROUP_FEATURE_QUAD_BIT"));
        let none = Properties { subgroup: vk::SubgroupFeatureFlags::empty(), floats: Default::default() };
        for feature in FEATURES {
            let (mut features, extensions) = switched_on(&[feature.name]);
            assert_eq!(super::names(&mut features, &none), [feature.name]);
            assert_eq!(extensions.len(), usize::from(matches!(feature.of, Extension(_))));
        }
    }
}
