#include "kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *failure(const char *format, ...) {
    static char message[512];
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return message;
}

/* A reader of JSON without a tree: a value is where its text starts. The compiler writes no names with escapes. */

static const char *skip_space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at) {
    for (at++; *at != '\0' && *at != '"'; at++)
        if (*at == '\\' && at[1] != '\0') at++;
    return *at == '"' ? at + 1 : at;
}

/* What is behind a value. */
static const char *skip_value(const char *at) {
    int depth = 0;
    do {
        at = skip_space(at);
        if (*at == '"') {
            at = skip_string(at);
        } else if (*at == '{' || *at == '[') {
            depth++, at++;
        } else if (*at == '}' || *at == ']') {
            depth--, at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else {
            at += strcspn(at, ",:{}[]\" \t\r\n");
        }
    } while (depth > 0 && *at != '\0');
    return at;
}

/* The next of the values after `at`, which is a bracket or the end of a value; NULL if there is none. */
static const char *next_value(const char *at) {
    at = skip_space(at);
    if (*at == '[' || *at == '{' || *at == ',') at = skip_space(at + 1);
    return *at == '\0' || *at == ']' || *at == '}' ? NULL : at;
}

/* NULL where the array has fewer elements, or is none. */
static const char *element(const char *array, size_t index) {
    const char *at = array != NULL && *array == '[' ? next_value(array) : NULL;
    for (; at != NULL && index > 0; index--) at = next_value(skip_value(at));
    return at;
}

/* NULL where the object has no such member, or it is null. */
static const char *member(const char *object, const char *name) {
    size_t length = strlen(name);
    const char *at = object != NULL && *object == '{' ? next_value(object) : NULL;
    while (at != NULL) {
        const char *value = skip_space(skip_value(at));
        if (*value == ':') value = skip_space(value + 1);
        if (*at == '"' && strncmp(at + 1, name, length) == 0 && at[length + 1] == '"')
            return strncmp(value, "null", 4) == 0 ? NULL : value;
        at = next_value(skip_value(value));
    }
    return NULL;
}

static int is_text(const char *value, const char *text) {
    size_t length = strlen(text);
    return value != NULL && *value == '"' && strncmp(value + 1, text, length) == 0 && value[length + 1] == '"';
}

/* The number, or 0 where there is none. */
static size_t number(const char *value) {
    return value == NULL ? 0 : (size_t)strtoull(value, NULL, 10);
}

static int copy_text(const char *value, char text[MOST_NAME]) {
    size_t length = value != NULL && *value == '"' ? strcspn(value + 1, "\"") : MOST_NAME;
    if (length >= MOST_NAME) return 0;
    memcpy(text, value + 1, length);
    text[length] = '\0';
    return 1;
}

static const char *root(const char *reflection) {
    return skip_space(reflection);
}

const char *reflection_check(const char *reflection) {
    const char *format = member(root(reflection), "format");
    return number(format) == 1 ? NULL : failure("the reflection has format %zu, this program reads 1", number(format));
}

int reflection_name(const char *reflection, const char *list, size_t index, char name[MOST_NAME]) {
    return copy_text(element(member(root(reflection), list), index), name);
}

uint32_t reflection_subgroup_size(const char *reflection) {
    const char *kernels = member(root(reflection), "kernels"), *kernel;
    uint32_t greatest = 0;
    for (size_t index = 0; (kernel = element(kernels, index)) != NULL; index++) {
        uint32_t size = (uint32_t)number(member(kernel, "subgroup_size"));
        greatest = size > greatest ? size : greatest;
    }
    return greatest;
}

/* Everything is little-endian. Returns 0 where the bytes are not all inside. */
static int put(unsigned char *bytes, size_t size, size_t at, const void *value, size_t length) {
    if (at > size || length > size - at) return 0;
    memcpy(bytes + at, value, length);
    return 1;
}

static int put_word(unsigned char *bytes, size_t size, size_t at, uint64_t word) {
    unsigned char value[8];
    for (int index = 0; index < 8; index++) value[index] = (unsigned char)(word >> (8 * index));
    return put(bytes, size, at, value, sizeof value);
}

size_t reflection_program_data_size(const char *reflection) {
    const char *digits = member(member(root(reflection), "program_data"), "bytes");
    return digits == NULL ? 0 : strcspn(digits + 1, "\"") / 2;
}

/* Some words of the data are addresses in it. */
void reflection_program_data(const char *reflection, uint64_t address, unsigned char *bytes) {
    const char *data = member(root(reflection), "program_data"), *relocation;
    const char *digits = member(data, "bytes"), *relocations = member(data, "relocations");
    size_t size = reflection_program_data_size(reflection);
    for (size_t index = 0; index < size; index++) {
        char pair[3] = {digits[2 * index + 1], digits[2 * index + 2], '\0'};
        bytes[index] = (unsigned char)strtoul(pair, NULL, 16);
    }
    for (size_t index = 0; (relocation = element(relocations, index)) != NULL; index++)
        put_word(bytes, size, number(member(relocation, "at")), address + number(member(relocation, "target")));
}

/* The kernel of that name, or the only one; NULL where that names none, or several. */
static const char *find_kernel(const char *reflection, const char *name) {
    const char *kernels = member(root(reflection), "kernels"), *kernel;
    if (name == NULL) return element(kernels, 1) == NULL ? element(kernels, 0) : NULL;
    for (size_t index = 0; (kernel = element(kernels, index)) != NULL; index++)
        if (is_text(member(kernel, "name"), name)) return kernel;
    return NULL;
}

static const char *add_constant(struct binding *binding, size_t id, size_t value) {
    if (binding->constant_count == MOST_CONSTANTS) return failure("more than %d specialization constants", MOST_CONSTANTS);
    binding->constant_ids[binding->constant_count] = (uint32_t)id;
    binding->constant_values[binding->constant_count++] = (uint32_t)value;
    return NULL;
}

/* Vulkan counts work-groups, not work-items. Where the size of a work-group is left to the host, specialization constants say it. */
static const char *bind_range(const char *kernel, const struct range *range, struct binding *binding) {
    const char *size = member(kernel, "local_size"), *ids = member(size, "spec_ids"), *message = NULL;
    const char *fixed = ids == NULL ? member(size, "size") : member(kernel, "required_local_size");
    int is_said = range->local[0] != 0;
    uint64_t longest = 1;
    while (longest < 64 && range->global[0] % (2 * longest) == 0) longest *= 2;
    for (size_t axis = 0; axis < 3 && message == NULL; axis++) {
        uint64_t local = is_said ? range->local[axis] : axis == 0 ? longest : 1, global = range->global[axis];
        uint64_t required = fixed == NULL ? local : number(element(fixed, axis));
        if (is_said && local != required)
            return failure("the kernel requires work-groups of %zu in dimension %zu", (size_t)required, axis);
        if (required == 0 || global % required != 0)
            return failure("%zu work-items are no whole number of work-groups of %zu", (size_t)global, (size_t)required);
        binding->groups[axis] = (uint32_t)(global / required);
        if (ids != NULL) message = add_constant(binding, number(element(ids, axis)), required);
    }
    return message;
}

/* The argument for a place: by its name, or the one at the same place. */
static const struct argument *find_argument(const char *wanted, const struct argument *given, size_t count, size_t index) {
    if (given[index].name == NULL) return &given[index];
    for (size_t other = 0; other < count; other++)
        if (is_text(member(wanted, "name"), given[other].name)) return &given[other];
    return NULL;
}

/* Values and addresses go to `bytes`, sizes of local memory to specialization constants. */
static const char *bind_argument(const char *wanted, const struct argument *given, unsigned char *bytes, size_t size,
                                 struct binding *binding) {
    const char *kind = member(wanted, "kind");
    size_t at = number(member(wanted, "offset"));
    if (is_text(kind, "pointer") && given->kind == ARGUMENT_ADDRESS)
        return put_word(bytes, size, at, given->address) ? NULL : failure("the reflection puts an address outside of its place");
    if (is_text(kind, "local") && given->kind == ARGUMENT_LOCAL) {
        size_t alignment = number(member(wanted, "alignment"));
        size_t rounded = alignment == 0 ? given->size : (given->size + alignment - 1) / alignment * alignment;
        return add_constant(binding, number(member(wanted, "spec_id")), rounded);
    }
    if (is_text(kind, "value") && given->kind == ARGUMENT_VALUE) {
        if (given->size != number(member(wanted, "size")))
            return failure("it has %zu bytes, %zu are given", number(member(wanted, "size")), given->size);
        return put(bytes, size, at, given->value, given->size) ? NULL : failure("the reflection puts a value outside of its place");
    }
    return is_text(kind, "pointer") ? "it is a pointer" : is_text(kind, "local") ? "it is local memory" : "it is a value";
}

static const char *bind_arguments(const char *kernel, const struct argument *given, size_t count, struct binding *binding) {
    const char *list = member(kernel, "arguments"), *place = member(kernel, "arguments_in");
    unsigned char *bytes = binding->push_constants;
    size_t size = binding->push_constant_size;
    if (element(list, count) != NULL || (count > 0 && element(list, count - 1) == NULL))
        return failure("%s does not take %zu arguments", binding->entry_point, count);
    if (is_text(member(place, "kind"), "buffer")) {
        size = binding->argument_buffer_size = number(member(place, "size"));
        bytes = binding->argument_buffer = calloc(size == 0 ? 1 : size, 1);
        binding->argument_buffer_at = number(member(place, "address_offset"));
        if (bytes == NULL) return failure("no memory for the arguments");
        if (binding->argument_buffer_at + 8 > binding->push_constant_size) return failure("no place for the address of the arguments");
    }
    for (size_t index = 0; index < count; index++) {
        const char *wanted = element(list, index);
        const struct argument *argument = find_argument(wanted, given, count, index);
        const char *message = argument == NULL ? "none of that name is given" : bind_argument(wanted, argument, bytes, size, binding);
        if (message != NULL) {
            char reason[MOST_NAME];
            snprintf(reason, sizeof reason, "%s", message);
            return failure("argument %zu of %s: %s", index, binding->entry_point, reason);
        }
    }
    return NULL;
}

const char *kernel_bind(const char *reflection, const char *name, const struct range *range, const struct argument *arguments,
                        size_t count, uint64_t program_data, struct binding *binding) {
    const char *kernel = find_kernel(reflection, name), *message, *at;
    int fits = 1;
    memset(binding, 0, sizeof *binding);
    if (kernel == NULL || !copy_text(member(kernel, "name"), binding->entry_point))
        return name == NULL ? failure("name one of the kernels of the shader") : failure("the shader has no kernel %s", name);
    if (number(member(kernel, "push_constant_size")) > MOST_PUSH_CONSTANTS) return failure("too many push constants");
    binding->push_constant_size = (uint32_t)number(member(kernel, "push_constant_size"));
    binding->subgroup_size = (uint32_t)number(member(kernel, "subgroup_size"));
    if ((message = bind_range(kernel, range, binding)) != NULL) return message;
    if ((at = member(kernel, "work_dim")) != NULL && (message = add_constant(binding, number(at), range->dimensions)) != NULL)
        return message;
    if ((message = bind_arguments(kernel, arguments, count, binding)) != NULL) return message;
    if ((at = member(kernel, "program_data")) != NULL)
        fits = put_word(binding->push_constants, binding->push_constant_size, number(at), program_data);
    at = member(kernel, "global_offset");
    for (size_t axis = 0; axis < 3; axis++) {
        if (at == NULL && range->offset[axis] != 0)
            return failure("a global offset needs a kernel that was compiled with --global-offset");
        if (at != NULL)
            fits &= put_word(binding->push_constants, binding->push_constant_size, number(at) + 8 * axis, range->offset[axis]);
    }
    return fits ? NULL : failure("the reflection puts something outside of the push constants");
}

void binding_free(struct binding *binding) {
    free(binding->argument_buffer);
    binding->argument_buffer = NULL;
}
