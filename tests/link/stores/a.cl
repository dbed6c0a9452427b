// A function of another file that writes global memory.
void put(global uint *to, uint at, uint value);
kernel void stores(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    put(out, (uint)i, in[i] + 4);
}
