// A table in constant memory of another file.
extern constant uint table[8];
kernel void constant_table(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = table[in[i] & 7] + table[i & 7];
}
