// A function that returns a pointer.
global const uint *advance(global const uint *p, uint n);
kernel void pointer_results(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = *advance(in, (uint)i) + 2;
}
