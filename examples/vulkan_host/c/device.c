#include "device.h"

#include <dlfcn.h>
#include <string.h>

#include "features.h"

/* The loader is opened at run time, so that a program needs no library to link with, and can say what is missing. */
#define FUNCTIONS(FUNCTION) \
    FUNCTION(vkDestroyInstance) \
    FUNCTION(vkEnumeratePhysicalDevices) \
    FUNCTION(vkEnumerateDeviceExtensionProperties) \
    FUNCTION(vkGetPhysicalDeviceProperties2) \
    FUNCTION(vkGetPhysicalDeviceFeatures2) \
    FUNCTION(vkGetPhysicalDeviceMemoryProperties) \
    FUNCTION(vkGetPhysicalDeviceQueueFamilyProperties) \
    FUNCTION(vkCreateDevice) \
    FUNCTION(vkDestroyDevice) \
    FUNCTION(vkGetDeviceQueue) \
    FUNCTION(vkCreateBuffer) \
    FUNCTION(vkDestroyBuffer) \
    FUNCTION(vkGetBufferMemoryRequirements) \
    FUNCTION(vkAllocateMemory) \
    FUNCTION(vkFreeMemory) \
    FUNCTION(vkBindBufferMemory) \
    FUNCTION(vkMapMemory) \
    FUNCTION(vkGetBufferDeviceAddress) \
    FUNCTION(vkCreatePipelineLayout) \
    FUNCTION(vkDestroyPipelineLayout) \
    FUNCTION(vkCreateShaderModule) \
    FUNCTION(vkDestroyShaderModule) \
    FUNCTION(vkCreateComputePipelines) \
    FUNCTION(vkDestroyPipeline) \
    FUNCTION(vkCreateCommandPool) \
    FUNCTION(vkDestroyCommandPool) \
    FUNCTION(vkAllocateCommandBuffers) \
    FUNCTION(vkBeginCommandBuffer) \
    FUNCTION(vkEndCommandBuffer) \
    FUNCTION(vkCmdBindPipeline) \
    FUNCTION(vkCmdPushConstants) \
    FUNCTION(vkCmdDispatch) \
    FUNCTION(vkCmdPipelineBarrier) \
    FUNCTION(vkQueueSubmit) \
    FUNCTION(vkDeviceWaitIdle)

#define DECLARE(name) static PFN_##name name;
FUNCTIONS(DECLARE)

#define TRY(call) \
    do { \
        VkResult result = (call); \
        if (result != VK_SUCCESS) return failure("%.*s failed: VkResult %d", (int)strcspn(#call, "("), #call, (int)result); \
    } while (0)

/* The structs in which Vulkan keeps features, to be linked to a chain. */
struct features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features vulkan_1_1;
    VkPhysicalDeviceVulkan12Features vulkan_1_2;
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
    VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT atomic_float_2;
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT subgroup_size;
};

static const struct {
    const char *name;
    size_t offset;
} feature_table[] = {
#define ROW(place, name) {#name, offsetof(struct features, place.name)},
    FEATURES(ROW)
};

/* The bits of VkSubgroupFeatureFlags, in their order. */
static const char *const operation_table[] = {"basic",           "vote",      "arithmetic", "ballot", "shuffle",
                                              "shuffleRelative", "clustered", "quad"};

enum { MOST_EXTENSIONS = 8, MOST_DEVICES = 16 };

/* What has to be switched on for a shader. */
struct needs {
    char extensions[MOST_EXTENSIONS][MOST_NAME];
    uint32_t extension_count;
    struct features features;
};

static VkBool32 *find_feature(struct features *features, const char *name) {
    for (size_t index = 0; index < sizeof feature_table / sizeof feature_table[0]; index++)
        if (strcmp(feature_table[index].name, name) == 0)
            return (VkBool32 *)((unsigned char *)features + feature_table[index].offset);
    return NULL;
}

static int lists(const struct needs *needs, const char *extension) {
    for (uint32_t index = 0; index < needs->extension_count; index++)
        if (strcmp(needs->extensions[index], extension) == 0) return 1;
    return 0;
}

static void link_struct(void *next, VkStructureType type, VkPhysicalDeviceFeatures2 *first) {
    VkBaseOutStructure *added = next;
    added->sType = type;
    added->pNext = first->pNext;
    first->pNext = added;
}

/* Links the structs that the device knows, all features off. */
static void link_features(struct features *features, const struct needs *needs) {
    memset(features, 0, sizeof *features);
    features->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    link_struct(&features->vulkan_1_1, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &features->core);
    link_struct(&features->vulkan_1_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &features->core);
    if (lists(needs, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME))
        link_struct(&features->atomic_float, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, &features->core);
    if (lists(needs, VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME))
        link_struct(&features->atomic_float_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT, &features->core);
    if (lists(needs, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
        link_struct(&features->subgroup_size, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT, &features->core);
}

static int has_extension(VkPhysicalDevice physical, const char *name) {
    static VkExtensionProperties present[512];
    uint32_t count = sizeof present / sizeof present[0];
    if (vkEnumerateDeviceExtensionProperties(physical, NULL, &count, present) < 0) return 0;
    for (uint32_t index = 0; index < count; index++)
        if (strcmp(present[index].extensionName, name) == 0) return 1;
    return 0;
}

/* A kernel can demand a size of subgroups. A device that has several must be told which. */
static const char *check_subgroups(VkPhysicalDevice physical, const char *reflection, struct needs *needs,
                                   VkPhysicalDeviceProperties2 *properties) {
    VkPhysicalDeviceSubgroupSizeControlPropertiesEXT sizes = {0};
    VkPhysicalDeviceSubgroupProperties subgroups = {0};
    uint32_t demanded = reflection_subgroup_size(reflection);
    char name[MOST_NAME];
    int is_known = has_extension(physical, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES_EXT;
    subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    subgroups.pNext = is_known ? &sizes : NULL;
    properties->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties->pNext = &subgroups;
    vkGetPhysicalDeviceProperties2(physical, properties);
    properties->pNext = NULL;
    if (properties->properties.apiVersion < VK_API_VERSION_1_2) return failure("Vulkan 1.2");
    for (size_t index = 0; reflection_name(reflection, "subgroup_operations", index, name); index++) {
        size_t bit = 0;
        while (bit < 8 && strcmp(operation_table[bit], name) != 0) bit++;
        if (bit == 8 || (subgroups.supportedOperations >> bit & 1) == 0 ||
            (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0)
            return failure("the subgroup operation %s", name);
    }
    if (demanded == 0 || (subgroups.subgroupSize == demanded && sizes.minSubgroupSize == sizes.maxSubgroupSize)) return NULL;
    if (demanded < sizes.minSubgroupSize || demanded > sizes.maxSubgroupSize || needs->extension_count == MOST_EXTENSIONS)
        return failure("subgroups of %u", (unsigned)demanded);
    strcpy(needs->extensions[needs->extension_count++], VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    return NULL;
}

/* What has to be switched on, or what the device lacks. */
static const char *find_needs(VkPhysicalDevice physical, const char *reflection, struct needs *needs,
                              VkPhysicalDeviceProperties2 *properties) {
    struct features present;
    const char *lacking;
    char name[MOST_NAME];
    memset(needs, 0, sizeof *needs);
    if ((lacking = check_subgroups(physical, reflection, needs, properties)) != NULL) return lacking;
    for (size_t index = 0; reflection_name(reflection, "extensions", index, name); index++) {
        if (needs->extension_count == MOST_EXTENSIONS || !has_extension(physical, name)) return failure("the extension %s", name);
        strcpy(needs->extensions[needs->extension_count++], name);
    }
    link_features(&present, needs);
    vkGetPhysicalDeviceFeatures2(physical, &present.core);
    link_features(&needs->features, needs);
    for (size_t index = 0; reflection_name(reflection, "features", index, name); index++) {
        VkBool32 *feature = find_feature(&present, name);
        if (feature == NULL || !*feature) return failure("the feature %s", name);
        *find_feature(&needs->features, name) = VK_TRUE;
    }
    if (lists(needs, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME) && !present.subgroup_size.subgroupSizeControl)
        return failure("the feature subgroupSizeControl");
    needs->features.subgroup_size.subgroupSizeControl = present.subgroup_size.subgroupSizeControl;
    return NULL;
}

static const char *create_device(struct device *device, const struct needs *needs) {
    VkQueueFamilyProperties families[32];
    const char *names[MOST_EXTENSIONS];
    uint32_t count = sizeof families / sizeof families[0];
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &needs->features.core};
    vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    while (device->family < count && (families[device->family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) device->family++;
    if (device->family == count) return failure("the device runs no compute shaders");
    for (uint32_t index = 0; index < needs->extension_count; index++) names[index] = needs->extensions[index];
    queue.queueFamilyIndex = device->family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = needs->extension_count;
    info.ppEnabledExtensionNames = names;
    TRY(vkCreateDevice(device->physical, &info, NULL, &device->raw));
    vkGetDeviceQueue(device->raw, device->family, 0, &device->queue);
    device->chooses_subgroup_size = lists(needs, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    return NULL;
}

static const char *open_instance(VkInstance *instance) {
    VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
    VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
    PFN_vkCreateInstance vkCreateInstance;
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW), *symbol;
    if (loader == NULL) return failure("there is no Vulkan loader: %s", dlerror());
    /* C has no cast from a pointer to an object to one to a function. */
    symbol = dlsym(loader, "vkGetInstanceProcAddr");
    memcpy(&vkGetInstanceProcAddr, &symbol, sizeof symbol);
    if (symbol == NULL) return failure("libvulkan.so.1 is no Vulkan loader");
    vkCreateInstance = (PFN_vkCreateInstance)vkGetInstanceProcAddr(NULL, "vkCreateInstance");
    application.apiVersion = VK_API_VERSION_1_2;
    info.pApplicationInfo = &application;
    TRY(vkCreateInstance(&info, NULL, instance));
#define LOAD(name) \
    name = (PFN_##name)vkGetInstanceProcAddr(*instance, #name); \
    if (name == NULL) return failure("the Vulkan loader lacks %s", #name);
    FUNCTIONS(LOAD)
    return NULL;
}

const char *device_open(const char *reflection, struct device *device) {
    VkPhysicalDevice devices[MOST_DEVICES];
    uint32_t count = MOST_DEVICES;
    const char *message = reflection_check(reflection);
    memset(device, 0, sizeof *device);
    if (message != NULL || (message = open_instance(&device->instance)) != NULL) return message;
    if (vkEnumeratePhysicalDevices(device->instance, &count, devices) < 0 || count == 0) return failure("there is no Vulkan device");
    for (uint32_t index = 0; index < count; index++) {
        struct needs needs;
        VkPhysicalDeviceProperties2 properties = {0};
        char lacking[MOST_NAME + 64];
        message = find_needs(devices[index], reflection, &needs, &properties);
        if (message == NULL) {
            device->physical = devices[index];
            return create_device(device, &needs);
        }
        strncpy(lacking, message, sizeof lacking - 1);
        lacking[sizeof lacking - 1] = '\0';
        message = failure("the device %s lacks %s", properties.properties.deviceName, lacking);
    }
    return message;
}

void device_close(struct device *device) {
    if (device->raw != VK_NULL_HANDLE) vkDestroyDevice(device->raw, NULL);
    if (device->instance != VK_NULL_HANDLE) vkDestroyInstance(device->instance, NULL);
    memset(device, 0, sizeof *device);
}

/* The first of the types of memory that a buffer can have and the host sees. */
static uint32_t find_memory_type(const struct device *device, uint32_t bits) {
    VkPhysicalDeviceMemoryProperties memory;
    VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    vkGetPhysicalDeviceMemoryProperties(device->physical, &memory);
    for (uint32_t index = 0; index < memory.memoryTypeCount; index++)
        if ((bits >> index & 1) != 0 && (memory.memoryTypes[index].propertyFlags & wanted) == wanted) return index;
    return UINT32_MAX;
}

const char *buffer_new(const struct device *device, size_t size, struct buffer *buffer) {
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    VkMemoryAllocateInfo allocation = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
    VkBufferDeviceAddressInfo address = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    VkMemoryRequirements needs;
    void *bytes;
    memset(buffer, 0, sizeof *buffer);
    buffer->size = size;
    info.size = size < 16 ? 16 : (size + 15) / 16 * 16;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    TRY(vkCreateBuffer(device->raw, &info, NULL, &buffer->raw));
    vkGetBufferMemoryRequirements(device->raw, buffer->raw, &needs);
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    allocation.allocationSize = needs.size;
    allocation.memoryTypeIndex = find_memory_type(device, needs.memoryTypeBits);
    if (allocation.memoryTypeIndex == UINT32_MAX) return failure("no memory that the host sees");
    TRY(vkAllocateMemory(device->raw, &allocation, NULL, &buffer->memory));
    TRY(vkBindBufferMemory(device->raw, buffer->raw, buffer->memory, 0));
    TRY(vkMapMemory(device->raw, buffer->memory, 0, VK_WHOLE_SIZE, 0, &bytes));
    buffer->bytes = memset(bytes, 0, info.size);
    address.buffer = buffer->raw;
    buffer->address = vkGetBufferDeviceAddress(device->raw, &address);
    return NULL;
}

void buffer_free(const struct device *device, struct buffer *buffer) {
    if (device->raw == VK_NULL_HANDLE) return;
    vkDestroyBuffer(device->raw, buffer->raw, NULL);
    vkFreeMemory(device->raw, buffer->memory, NULL);
    memset(buffer, 0, sizeof *buffer);
}

/* Compiles the kernel for a launch. */
static const char *create_pipeline(const struct device *device, const VkShaderModuleCreateInfo *code, const struct binding *binding,
                                   VkPipelineLayout layout, VkPipeline *pipeline) {
    VkSpecializationMapEntry entries[MOST_CONSTANTS];
    VkSpecializationInfo specialization = {0};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT size = {
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT};
    VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    VkShaderModule module;
    TRY(vkCreateShaderModule(device->raw, code, NULL, &module));
    for (uint32_t index = 0; index < binding->constant_count; index++) {
        entries[index].constantID = binding->constant_ids[index];
        entries[index].offset = 4 * index;
        entries[index].size = 4;
    }
    specialization.mapEntryCount = binding->constant_count;
    specialization.pMapEntries = entries;
    specialization.dataSize = 4 * binding->constant_count;
    specialization.pData = binding->constant_values;
    size.requiredSubgroupSize = binding->subgroup_size;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.pNext = device->chooses_subgroup_size && binding->subgroup_size != 0 ? &size : NULL;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = binding->entry_point;
    info.stage.pSpecializationInfo = &specialization;
    info.layout = layout;
    TRY(vkCreateComputePipelines(device->raw, VK_NULL_HANDLE, 1, &info, NULL, pipeline));
    vkDestroyShaderModule(device->raw, module, NULL);
    return NULL;
}

/* Runs the pipeline and waits. A barrier makes what it writes visible to the host. */
static const char *run_pipeline(const struct device *device, VkPipeline pipeline, VkPipelineLayout layout,
                                const struct binding *binding) {
    VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandBufferAllocateInfo allocation = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkMemoryBarrier to_host = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    VkSubmitInfo submission = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
    VkCommandPool pool;
    VkCommandBuffer commands;
    pool_info.queueFamilyIndex = device->family;
    TRY(vkCreateCommandPool(device->raw, &pool_info, NULL, &pool));
    allocation.commandPool = pool;
    allocation.commandBufferCount = 1;
    TRY(vkAllocateCommandBuffers(device->raw, &allocation, &commands));
    TRY(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    if (binding->push_constant_size > 0)
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, binding->push_constant_size, binding->push_constants);
    vkCmdDispatch(commands, binding->groups[0], binding->groups[1], binding->groups[2]);
    to_host.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, NULL, 0, NULL);
    TRY(vkEndCommandBuffer(commands));
    submission.commandBufferCount = 1;
    submission.pCommandBuffers = &commands;
    TRY(vkQueueSubmit(device->queue, 1, &submission, VK_NULL_HANDLE));
    TRY(vkDeviceWaitIdle(device->raw));
    vkDestroyCommandPool(device->raw, pool, NULL);
    return NULL;
}

const char *device_launch(const struct device *device, const uint32_t *spirv, size_t size, const struct binding *binding) {
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, binding->push_constant_size};
    VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    struct binding with_address = *binding;
    struct buffer arguments = {0};
    VkPipelineLayout layout;
    VkPipeline pipeline;
    const char *message;
    if (binding->argument_buffer != NULL) {
        if ((message = buffer_new(device, binding->argument_buffer_size, &arguments)) != NULL) return message;
        memcpy(arguments.bytes, binding->argument_buffer, binding->argument_buffer_size);
        memcpy(with_address.push_constants + binding->argument_buffer_at, &arguments.address, 8);
    }
    info.pushConstantRangeCount = binding->push_constant_size > 0;
    info.pPushConstantRanges = &range;
    code.codeSize = size;
    code.pCode = spirv;
    TRY(vkCreatePipelineLayout(device->raw, &info, NULL, &layout));
    if ((message = create_pipeline(device, &code, binding, layout, &pipeline)) != NULL) return message;
    if ((message = run_pipeline(device, pipeline, layout, &with_address)) != NULL) return message;
    vkDestroyPipeline(device->raw, pipeline, NULL);
    vkDestroyPipelineLayout(device->raw, layout, NULL);
    buffer_free(device, &arguments);
    return NULL;
}
