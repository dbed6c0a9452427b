/* Runs a kernel of this folder on the CPU: 64 work-items in groups of 16, one after another. The output is on stdout. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 64, GROUP = 16 };
static size_t item;

size_t global_id(unsigned d) __asm__("_Z13get_global_idj");
size_t local_id(unsigned d) __asm__("_Z12get_local_idj");
size_t group_id(unsigned d) __asm__("_Z12get_group_idj");
size_t global_size(unsigned d) __asm__("_Z15get_global_sizej");
size_t local_size(unsigned d) __asm__("_Z14get_local_sizej");
uint32_t least(uint32_t a, uint32_t b) __asm__("_Z3minjj");
uint32_t greatest(uint32_t a, uint32_t b) __asm__("_Z3maxjj");

size_t global_id(unsigned d) { return d ? 0 : item; }
size_t local_id(unsigned d) { return d ? 0 : item % GROUP; }
size_t group_id(unsigned d) { return d ? 0 : item / GROUP; }
size_t global_size(unsigned d) { return d ? 1 : COUNT; }
size_t local_size(unsigned d) { return d ? 1 : GROUP; }
uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
uint32_t greatest(uint32_t a, uint32_t b) { return a > b ? a : b; }

void KERNEL(uint32_t *out, const uint32_t *in);

int main(void) {
    static uint32_t in[COUNT], out[COUNT];
    uint32_t x = SEED;
    for (int k = 0; k < COUNT; k++) {
        x = x * 1664525u + 1013904223u;
        in[k] = (x >> 8) % 1000u;
    }
    for (item = 0; item < COUNT; item++) KERNEL(out, in);
    return fwrite(out, sizeof out, 1, stdout) == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
