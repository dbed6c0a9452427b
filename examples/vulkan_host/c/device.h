/* A device that has what a reflection asks for, buffers with addresses, and one launch from the pipeline to the results.
 *
 * A function that can fail returns NULL or a message, as in kernel.h. What was made of a device before a failure stays until the
 * device is closed. */
#ifndef DEVICE_H
#define DEVICE_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include "kernel.h"

struct device {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice raw;
    VkQueue queue;
    uint32_t family;
    VkBool32 chooses_subgroup_size;
};

/* Memory that both sides see: the host at `bytes`, the kernel at `address`. */
struct buffer {
    uint64_t address;
    unsigned char *bytes;
    size_t size;
    VkBuffer raw;
    VkDeviceMemory memory;
};

/* Opens the first device that has all that the reflection lists, with just that switched on. */
const char *device_open(const char *reflection, struct device *device);
void device_close(struct device *device);

/* Makes a buffer of zeros. A GPU with memory of its own is faster with buffers there, and copies there and back. */
const char *buffer_new(const struct device *device, size_t size, struct buffer *buffer);
void buffer_free(const struct device *device, struct buffer *buffer);

/* Runs a kernel and waits until it is done. What it does is not checked: it must stay within the buffers. A program that launches a
 * kernel more than once keeps the pipeline; it fits as long as the specialization constants do. */
const char *device_launch(const struct device *device, const uint32_t *spirv, size_t size, const struct binding *binding);

#endif
