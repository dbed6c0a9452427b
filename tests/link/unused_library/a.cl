// A library of which little is used.
uint used(uint x);
kernel void unused_library(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = used(in[i]);
}
