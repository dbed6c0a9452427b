// Vectors as arguments and results.
uint4 spread(uint x);
uint fold(uint4 v);
kernel void vectors(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = fold(spread(in[i]));
}
