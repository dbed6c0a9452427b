// A function of another file.
uint triple(uint x);
kernel void two_functions(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = triple(in[i]) + 1;
}
