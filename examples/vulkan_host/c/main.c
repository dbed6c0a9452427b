/* Runs a kernel that `reconverge compile` made, by the plain Vulkan API. ../README.md explains the steps.
 *
 *   host KERNEL.spv KERNEL.json                                                 saxpy.cl: y = a * x + y for 1024 numbers
 *   host KERNEL.spv KERNEL.json --global X,Y,Z [--local X,Y,Z] [--offset X,Y,Z]
 *        [--kernel NAME] [--output FILE] [--arg ARGUMENT]...                    any kernel
 *
 * An argument is in:f32[4]=list(1,2,3,4), in:u8[64]=@FILE, out:u32[16], f32=0.5, u32x4=1,2,3,4, hex=00ff12 or local=256: what
 * `reconverge run --arg` takes, without rules that compute numbers. --output writes all buffers of `out`, one after another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum { MOST_ARGUMENTS = 64, MOST_VALUE = 4096 };

/* What one `--arg` says. */
struct given {
    int is_output;
    char type[4];
    size_t count;
    struct buffer buffer;
    unsigned char value[MOST_VALUE];
};

struct command {
    const char *kernel, *output;
    struct range range;
    struct argument arguments[MOST_ARGUMENTS];
    struct given given[MOST_ARGUMENTS];
    size_t count;
};

/* Reads a file, with a zero behind it. It is freed with `free`. */
static const char *read_file(const char *path, unsigned char **bytes, size_t *size) {
    FILE *file = fopen(path, "rb");
    size_t room = 0, read;
    *bytes = NULL;
    *size = 0;
    if (file == NULL) return failure("%s cannot be read", path);
    do {
        unsigned char *larger = realloc(*bytes, (room += 65536) + 1);
        if (larger == NULL) return failure("no memory for %s", path);
        *bytes = larger;
        read = fread(*bytes + *size, 1, room - *size, file);
        *size += read;
    } while (read > 0);
    fclose(file);
    (*bytes)[*size] = '\0';
    return NULL;
}

static size_t type_size(const char *type) {
    static const char *const types[] = {"u8", "i8", "u16", "i16", "f16", "u32", "i32", "f32", "u64", "i64", "f64"};
    for (size_t index = 0; index < sizeof types / sizeof types[0]; index++)
        if (strcmp(types[index], type) == 0) return (size_t)atoi(type + 1) / 8;
    return 0;
}

/* Numbers with commas between them, at most `most`. Returns how many there are, or SIZE_MAX where one is none. */
static size_t read_numbers(const char *text, const char *type, unsigned char *bytes, size_t most) {
    size_t count = 0;
    for (; *text != '\0' && *text != ')'; count++) {
        char *end;
        double real = strtod(text, &end);
        float single = (float)real;
        /* Integers are read as such: a double has not all of 64 bits. Negative ones wrap, as two's complement wants. */
        uint64_t integer = type[0] == 'f' ? 0 : strtoull(text, &end, 0);
        if (end == text || count == most || strcmp(type, "f16") == 0) return SIZE_MAX;
        if (type[0] != 'f') memcpy(bytes + count * type_size(type), &integer, type_size(type));
        else if (type[1] == '3') memcpy(bytes + count * 4, &single, 4);
        else memcpy(bytes + count * 8, &real, 8);
        text = *end == ',' ? end + 1 : end;
        if (end[0] != ',' && end[0] != '\0' && end[0] != ')') return SIZE_MAX;
    }
    return count;
}

/* A buffer: TYPE[COUNT], or TYPE[COUNT]=RULE. */
static const char *read_buffer(const struct device *device, const char *text, struct given *given, struct argument *argument) {
    const char *rule, *message;
    if (sscanf(text, "%3[a-z0-9][%zu]", given->type, &given->count) != 2 || type_size(given->type) == 0)
        return failure("%s is no buffer: f32[16]=list(1,2)", text);
    if ((message = buffer_new(device, given->count * type_size(given->type), &given->buffer)) != NULL) return message;
    argument->kind = ARGUMENT_ADDRESS;
    argument->address = given->buffer.address;
    rule = strchr(text, '=');
    if (rule == NULL || strcmp(rule, "=zero") == 0) return NULL;
    if (rule[1] == '@') {
        unsigned char *bytes;
        size_t size;
        if ((message = read_file(rule + 2, &bytes, &size)) != NULL) return message;
        memcpy(given->buffer.bytes, bytes, size < given->buffer.size ? size : given->buffer.size);
        free(bytes);
        return NULL;
    }
    if (strncmp(rule, "=list(", 6) == 0 && read_numbers(rule + 6, given->type, given->buffer.bytes, given->count) != SIZE_MAX)
        return NULL;
    return failure("%s: the rules are zero, list(1,2,3) with numbers of the type, and @FILE", text);
}

/* Anything that is passed by value, or local memory. */
static const char *read_value(const char *text, struct given *given, struct argument *argument) {
    const char *value = strchr(text, '=');
    unsigned int components = 1, digits;
    argument->kind = ARGUMENT_VALUE;
    argument->value = given->value;
    if (value != NULL && strncmp(text, "local=", 6) == 0) {
        argument->kind = ARGUMENT_LOCAL;
        argument->size = strtoull(value + 1, NULL, 0);
        return NULL;
    }
    if (value != NULL && strncmp(text, "hex=", 4) == 0) {
        for (value++; argument->size < MOST_VALUE && sscanf(value, "%2x", &digits) == 1; value += 2)
            given->value[argument->size++] = (unsigned char)digits;
        return *value == '\0' ? NULL : failure("%s has no pairs of hexadecimal digits", text);
    }
    if (value == NULL || sscanf(text, "%3[a-wyz0-9]x%u", given->type, &components) < 1 || type_size(given->type) == 0 ||
        components > 16 || read_numbers(value + 1, given->type, given->value, 16) != components)
        return failure("%s is no argument", text);
    /* A vector of three takes the room of four. */
    argument->size = type_size(given->type) * (components == 3 ? 4 : components);
    return NULL;
}

static const char *read_argument(const struct device *device, const char *text, struct command *command) {
    struct given *given = &command->given[command->count];
    struct argument *argument = &command->arguments[command->count];
    if (command->count == MOST_ARGUMENTS) return failure("more than %d arguments", MOST_ARGUMENTS);
    command->count++;
    given->is_output = strncmp(text, "out:", 4) == 0;
    if (given->is_output || strncmp(text, "in:", 3) == 0)
        return read_buffer(device, strchr(text, ':') + 1, given, argument);
    return read_value(text, given, argument);
}

/* Up to three sizes. Returns how many there are. */
static uint32_t read_sizes(const char *text, uint64_t sizes[3]) {
    unsigned char bytes[3 * 8];
    size_t count = read_numbers(text, "u64", bytes, 3);
    if (count != SIZE_MAX) memcpy(sizes, bytes, 8 * count);
    return count == SIZE_MAX ? 0 : (uint32_t)count;
}

static const char *read_command(const struct device *device, char **words, int count, struct command *command) {
    uint64_t local[3] = {1, 1, 1};
    struct range *range = &command->range;
    range->global[0] = range->global[1] = range->global[2] = 1;
    for (int index = 0; index < count; index += 2) {
        const char *flag = words[index], *value = words[index + 1], *message = NULL;
        if (index + 1 == count) return failure("%s lacks its value", flag);
        if (strcmp(flag, "--kernel") == 0) command->kernel = value;
        else if (strcmp(flag, "--output") == 0) command->output = value;
        else if (strcmp(flag, "--arg") == 0) message = read_argument(device, value, command);
        else if (strcmp(flag, "--global") == 0) range->dimensions = read_sizes(value, range->global);
        else if (strcmp(flag, "--offset") == 0) message = read_sizes(value, range->offset) == 0 ? "--offset lacks numbers" : NULL;
        else if (strcmp(flag, "--local") == 0) {
            message = read_sizes(value, local) == 0 ? "--local lacks numbers" : NULL;
            for (int axis = 0; axis < 3; axis++) range->local[axis] = (uint32_t)local[axis];
        } else message = failure("there is no flag %s", flag);
        if (message != NULL) return message;
    }
    return range->dimensions == 0 ? failure("--global X,Y,Z says how many work-items there are") : NULL;
}

static void print_number(const char *type, const unsigned char *bytes) {
    uint64_t bits = 0;
    size_t unused = 64 - 8 * type_size(type);
    float single;
    double real;
    memcpy(&bits, bytes, type_size(type));
    memcpy(&single, &bits, 4);
    memcpy(&real, &bits, 8);
    if (strcmp(type, "f32") == 0) printf("%g", single);
    else if (strcmp(type, "f64") == 0) printf("%g", real);
    else if (strcmp(type, "f16") == 0) printf("0x%04llx", (unsigned long long)bits);
    else if (type[0] == 'i') printf("%lld", (long long)(bits << unused) / (1LL << unused));
    else printf("%llu", (unsigned long long)bits);
}

static const char *show_outputs(const struct command *command) {
    FILE *file = command->output == NULL ? NULL : fopen(command->output, "wb");
    if (command->output != NULL && file == NULL) return failure("%s cannot be written", command->output);
    for (size_t index = 0; index < command->count; index++) {
        const struct given *given = &command->given[index];
        if (!given->is_output) continue;
        if (file != NULL) fwrite(given->buffer.bytes, 1, given->buffer.size, file);
        printf("argument %zu: %zu %s [", index, given->count, given->type);
        for (size_t shown = 0; shown < given->count && shown < 8; shown++) {
            if (shown > 0) printf(", ");
            print_number(given->type, given->buffer.bytes + shown * type_size(given->type));
        }
        printf(given->count > 8 ? ", ...]\n" : "]\n");
    }
    return file != NULL && fclose(file) != 0 ? failure("%s cannot be written", command->output) : NULL;
}

/* Any kernel, with arguments from the command line. */
static const char *run_command(const struct device *device, const char *reflection, const uint32_t *spirv, size_t size,
                               struct command *command) {
    struct buffer program_data = {0};
    struct binding binding;
    const char *message = NULL;
    size_t shared = reflection_program_data_size(reflection);
    if (shared > 0 && (message = buffer_new(device, shared, &program_data)) != NULL) return message;
    if (shared > 0) reflection_program_data(reflection, program_data.address, program_data.bytes);
    message = kernel_bind(reflection, command->kernel, &command->range, command->arguments, command->count, program_data.address, &binding);
    if (message == NULL) message = device_launch(device, spirv, size, &binding);
    if (message == NULL) message = show_outputs(command);
    binding_free(&binding);
    if (shared > 0) buffer_free(device, &program_data);
    for (size_t index = 0; index < command->count; index++) buffer_free(device, &command->given[index].buffer);
    return message;
}

/* A kernel whose arguments this program knows: what a program with kernels of its own does. */
static const char *run_saxpy(const struct device *device, const char *reflection, const uint32_t *spirv, size_t size) {
    enum { COUNT = 1024 };
    const float a = 2;
    const struct range range = {{COUNT, 1, 1}, {64, 1, 1}, {0, 0, 0}, 1};
    struct buffer x, y;
    struct binding binding;
    const char *message;
    /* The buffers, filled by the host. */
    if ((message = buffer_new(device, COUNT * sizeof(float), &x)) != NULL) return message;
    if ((message = buffer_new(device, COUNT * sizeof(float), &y)) != NULL) return message;
    float *x_numbers = (float *)x.bytes, *y_numbers = (float *)y.bytes;
    for (int index = 0; index < COUNT; index++) x_numbers[index] = (float)index, y_numbers[index] = 1;
    /* The arguments, each where the reflection says; then the launch. */
    const struct argument arguments[] = {
        {.kind = ARGUMENT_VALUE, .name = "a", .value = &a, .size = sizeof a},
        {.kind = ARGUMENT_ADDRESS, .name = "x", .address = x.address},
        {.kind = ARGUMENT_ADDRESS, .name = "y", .address = y.address},
    };
    if ((message = kernel_bind(reflection, "saxpy", &range, arguments, 3, 0, &binding)) != NULL) return message;
    if ((message = device_launch(device, spirv, size, &binding)) != NULL) return message;
    /* The results, where the host sees them. */
    printf("[%.1f, %.1f, %.1f, %.1f] ... ", y_numbers[0], y_numbers[1], y_numbers[2], y_numbers[3]);
    printf("[%.1f, %.1f]\n", y_numbers[COUNT - 2], y_numbers[COUNT - 1]);
    for (int index = 0; index < COUNT && message == NULL; index++)
        if (y_numbers[index] != a * (float)index + 1) message = "the device computed something else";
    binding_free(&binding);
    buffer_free(device, &x);
    buffer_free(device, &y);
    return message;
}

int main(int count, char **words) {
    static struct command command;
    struct device device = {0};
    unsigned char *spirv = NULL, *reflection = NULL;
    size_t spirv_size, reflection_size;
    const char *message = count < 3 ? "usage: host KERNEL.spv KERNEL.json [--global X,Y,Z --arg ARGUMENT ...]" : NULL;
    if (message == NULL) message = read_file(words[1], &spirv, &spirv_size);
    if (message == NULL) message = read_file(words[2], &reflection, &reflection_size);
    if (message == NULL) message = device_open((const char *)reflection, &device);
    if (message == NULL && count > 3) message = read_command(&device, words + 3, count - 3, &command);
    if (message == NULL && count > 3)
        message = run_command(&device, (const char *)reflection, (const uint32_t *)spirv, spirv_size, &command);
    else if (message == NULL) message = run_saxpy(&device, (const char *)reflection, (const uint32_t *)spirv, spirv_size);
    if (message != NULL) fprintf(stderr, "host: %s\n", message);
    device_close(&device);
    free(spirv);
    free(reflection);
    return message == NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}
