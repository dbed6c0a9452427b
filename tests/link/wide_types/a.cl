// 64-bit integers.
ulong mix64(ulong x, ulong y);
kernel void wide_types(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    ulong x = mix64(in[i], i + 1);
    out[i] = (uint)(x ^ (x >> 32));
}
