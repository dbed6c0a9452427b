// One constant number of another file.
extern constant uint scale;
extern constant uint offset;
kernel void scalar_constant(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = in[i] * scale + offset;
}
