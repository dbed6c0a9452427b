// Products and floats of words that were cut from 64-bit shifts, quotients and remainders; a byte array in private memory.
kernel void wide_products(global uint *out, global const ulong *in, uint factor) {
    size_t id = get_global_id(0);
    ulong x = in[id];
    uchar bytes[8] = {0};
    bytes[id & 7] = (uchar)(x >> 7);
    uint high = (uint)(x >> 32);
    out[id * 6] = (uint)(x >> 20) * factor;
    out[id * 6 + 1] = (uint)(x / 1000u) * factor;
    out[id * 6 + 2] = (uint)(x % 0x1000000ff0ul) * factor;
    out[id * 6 + 3] = as_uint((float)((uint)(x >> 20) & 0xffffff00u));
    out[id * 6 + 4] = high * high;
    out[id * 6 + 5] = bytes[0] + bytes[3] * 256u + bytes[5] * 65536u;
}
