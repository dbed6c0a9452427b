// Runs kernels that were compiled for this machine: `runner LIBRARY`, and on the input a line `NAME X Y GROUPS` for each launch. What
// the buffers hold afterwards comes as a line of words.
//
// Each work-item is a context of its own, which a barrier leaves; when all of a work-group have come to one, all go on. Work-items that
// end while others wait break the rule of barriers, which the line then says.

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { ITEMS = 64, STACK = 1 << 20, WORDS = 8, INPUT = 16, SUMS = 4, SECONDS = 2 };

typedef void kernel(uint32_t *, const uint32_t *, uint32_t *, uint32_t *, uint32_t, uint64_t, uint64_t *);

static ucontext_t scheduler, contexts[ITEMS];
static char stacks[ITEMS][STACK];
static int has_ended[ITEMS];
static size_t local[3], groups, group, item;
static uint32_t out[2 * ITEMS * WORDS], in[INPUT], shared[2 * ITEMS], sums[SUMS];
static uint64_t dynamic[ITEMS];
static kernel *running;

size_t _Z12get_local_idj(uint32_t axis) { return axis == 0 ? item % local[0] : axis == 1 ? item / local[0] : 0; }
size_t _Z12get_group_idj(uint32_t axis) { return axis == 0 ? group : 0; }
size_t _Z14get_local_sizej(uint32_t axis) { return axis < 3 ? local[axis] : 1; }
size_t _Z14get_num_groupsj(uint32_t axis) { return axis == 0 ? groups : 1; }
size_t _Z15get_global_sizej(uint32_t axis) { return _Z14get_local_sizej(axis) * _Z14get_num_groupsj(axis); }
size_t _Z13get_global_idj(uint32_t axis) {
    return _Z12get_group_idj(axis) * _Z14get_local_sizej(axis) + _Z12get_local_idj(axis);
}
void _Z7barrierj(uint32_t fence) { swapcontext(&contexts[item], &scheduler); }

static void start(void) {
    running(out, in, shared, sums, 5, 0x123456789abcdef0, dynamic);
    has_ended[item] = 1;
}

// Whether all work-items came to every barrier.
static int run_group(size_t count) {
    for (item = 0; item < count; item++) {
        has_ended[item] = 0;
        getcontext(&contexts[item]);
        contexts[item].uc_stack.ss_sp = stacks[item];
        contexts[item].uc_stack.ss_size = STACK;
        contexts[item].uc_link = &scheduler;
        makecontext(&contexts[item], start, 0);
    }
    for (size_t ended = 0; ended < count;) {
        ended = 0;
        for (item = 0; item < count; item++) {
            swapcontext(&scheduler, &contexts[item]);
            ended += has_ended[item];
        }
        if (ended != 0 && ended != count) return 0;
    }
    return 1;
}

// Says that the kernel takes too long, and runs no other.
static void stop(int signal) {
    (void)signal;
    _exit(write(1, "long\n", 5) != 5);
}

static void print(const uint32_t *words, size_t count) {
    for (size_t index = 0; index < count; index++) printf(" %08x", words[index]);
}

int main(int argc, char **argv) {
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) return fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "no library"), 1;
    uint32_t state = 1;
    for (int index = 0; index < INPUT; index++) {
        state = state * 1664525 + 1013904223;
        in[index] = state ^ (state >> 16);
    }
    char name[64];
    signal(SIGALRM, stop);
    local[2] = 1;
    while (scanf("%63s %zu %zu %zu", name, &local[0], &local[1], &groups) == 4) {
        size_t count = local[0] * local[1];
        running = (kernel *)dlsym(library, name);
        if (!running || count > ITEMS || groups > 2) return fprintf(stderr, "%s cannot be launched\n", name), 1;
        memset(out, 0, sizeof out);
        memset(shared, 0, sizeof shared);
        memset(sums, 0, sizeof sums);
        int is_whole = 1;
        alarm(SECONDS);
        for (group = 0; group < groups; group++) is_whole &= run_group(count);
        printf("%s", is_whole ? "words" : "parted");
        print(out, groups * count * WORDS);
        print(shared, groups * count);
        print(sums, SUMS);
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
