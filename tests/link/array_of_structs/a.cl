// Structs in global memory that two files read.
typedef struct { uint x; uint y; } pair;
uint best(global const pair *all, uint count);
kernel void array_of_structs(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = best((global const pair *)in, (uint)(i % 32) + 1);
}
