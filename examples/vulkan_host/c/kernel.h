/* A launch in the terms of a compiled kernel: which bytes go to the push constants, which values to the specialization constants.
 *
 * All of it comes from the reflection that `reconverge compile` wrote (docs/kernel-abi.md). Nothing here calls Vulkan, and nothing
 * knows a kernel. device.h passes the result to Vulkan.
 *
 * A function that can fail returns NULL, or a message that holds until the next call that fails. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_PUSH_CONSTANTS = 256, MOST_CONSTANTS = 64, MOST_NAME = 256 };

enum argument_kind {
    ARGUMENT_ADDRESS, /* a pointer to global or constant memory: the device address of a buffer, or 0 */
    ARGUMENT_VALUE,   /* anything that is passed by value: `size` bytes at `value`, as OpenCL C lays them out */
    ARGUMENT_LOCAL    /* a pointer to local memory of `size` bytes */
};

struct argument {
    enum argument_kind kind;
    const char *name; /* or NULL: then all arguments are in the order of the kernel */
    uint64_t address;
    const void *value;
    size_t size;
};

struct range {
    uint64_t global[3];  /* work-items */
    uint32_t local[3];   /* work-items of a work-group; 0, 0, 0 for what the kernel requires, or up to 64 along the first dimension */
    uint64_t offset[3];  /* what is added to every global id */
    uint32_t dimensions; /* 1 to 3 */
};

struct binding {
    char entry_point[MOST_NAME];
    unsigned char push_constants[MOST_PUSH_CONSTANTS];
    uint32_t push_constant_size;
    unsigned char *argument_buffer; /* arguments that do not fit there, or NULL; its address goes to `argument_buffer_at` in the */
    size_t argument_buffer_size;    /* push constants; `binding_free` frees it */
    size_t argument_buffer_at;
    uint32_t constant_ids[MOST_CONSTANTS], constant_values[MOST_CONSTANTS], constant_count;
    uint32_t groups[3];
    uint32_t subgroup_size; /* what the kernel demands, or 0 */
};

/* Whether `reflection`, the text of the JSON file, is of the format that this reader knows. */
const char *reflection_check(const char *reflection);

/* Copies a name from a list of the reflection: `features`, `extensions`, `subgroup_operations`. Returns 0 behind the last one. */
int reflection_name(const char *reflection, const char *list, size_t index, char name[MOST_NAME]);

/* The greatest subgroup size that a kernel of the shader demands, or 0. */
uint32_t reflection_subgroup_size(const char *reflection);

/* How many bytes of memory the kernels share, and what they hold at first where they start at `address`. */
size_t reflection_program_data_size(const char *reflection);
void reflection_program_data(const char *reflection, uint64_t address, unsigned char *bytes);

/* Puts everything in its place. `kernel` is NULL for the only one; `program_data` is the address of what the kernels share, or 0. */
const char *kernel_bind(const char *reflection, const char *kernel, const struct range *range, const struct argument *arguments,
                        size_t count, uint64_t program_data, struct binding *binding);
void binding_free(struct binding *binding);

/* Keeps a message, and returns it. */
const char *failure(const char *format, ...);

#endif
