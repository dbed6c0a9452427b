// Many arguments of several types.
uint many(uint a, ulong b, uchar c, uint2 d, global const uint *e, uint f);
kernel void many_arguments(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = many(in[i], i * 3, (uchar)in[i], (uint2)(1, (uint)i), in, 9);
}
