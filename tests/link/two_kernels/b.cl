uint shared_part(uint x);
kernel void second_kernel(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = shared_part(in[i]) + 2;
}
