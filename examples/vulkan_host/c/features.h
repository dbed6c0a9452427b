/* The features that a reflection can list: which struct of Vulkan has each as a member. */
#ifndef FEATURES_H
#define FEATURES_H

#define FEATURES(FEATURE) \
    FEATURE(core.features, shaderInt16) \
    FEATURE(core.features, shaderInt64) \
    FEATURE(core.features, shaderFloat64) \
    FEATURE(vulkan_1_1, storageBuffer16BitAccess) \
    FEATURE(vulkan_1_2, storageBuffer8BitAccess) \
    FEATURE(vulkan_1_2, shaderInt8) \
    FEATURE(vulkan_1_2, shaderFloat16) \
    FEATURE(vulkan_1_2, shaderBufferInt64Atomics) \
    FEATURE(vulkan_1_2, shaderSharedInt64Atomics) \
    FEATURE(vulkan_1_2, shaderSubgroupExtendedTypes) \
    FEATURE(vulkan_1_2, bufferDeviceAddress) \
    FEATURE(vulkan_1_2, vulkanMemoryModel) \
    FEATURE(vulkan_1_2, vulkanMemoryModelDeviceScope) \
    FEATURE(atomic_float, shaderBufferFloat32AtomicAdd) \
    FEATURE(atomic_float, shaderBufferFloat64AtomicAdd) \
    FEATURE(atomic_float, shaderSharedFloat32AtomicAdd) \
    FEATURE(atomic_float, shaderSharedFloat64AtomicAdd) \
    FEATURE(atomic_float_2, shaderBufferFloat16AtomicAdd) \
    FEATURE(atomic_float_2, shaderSharedFloat16AtomicAdd) \
    FEATURE(atomic_float_2, shaderBufferFloat16AtomicMinMax) \
    FEATURE(atomic_float_2, shaderBufferFloat32AtomicMinMax) \
    FEATURE(atomic_float_2, shaderBufferFloat64AtomicMinMax) \
    FEATURE(atomic_float_2, shaderSharedFloat16AtomicMinMax) \
    FEATURE(atomic_float_2, shaderSharedFloat32AtomicMinMax) \
    FEATURE(atomic_float_2, shaderSharedFloat64AtomicMinMax)

#endif
