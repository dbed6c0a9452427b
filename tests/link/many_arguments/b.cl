uint many(uint a, ulong b, uchar c, uint2 d, global const uint *e, uint f) {
    return a + (uint)b * 2 + c + d.x * d.y + e[f] + f;
}
