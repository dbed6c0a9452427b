// Tables of one name that are local to their files.
static constant uint table[4] = {1, 2, 3, 4};
uint other(uint at);
kernel void static_tables(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = table[i & 3] * 100 + other(in[i]);
}
