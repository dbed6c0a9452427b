// Private memory that a function of another file fills.
void powers(uint *to, uint base, uint count);
kernel void private_arrays(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    uint a[6];
    powers(a, in[i] & 15, 6);
    out[i] = a[0] + a[2] + a[5] + a[i % 6];
}
