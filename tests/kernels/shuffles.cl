// Permutes vectors with shuffle and shuffle2 whose masks come from memory, for 8, 16, 32-bit elements and 2, 4, 8, 16 of them.
kernel void shuffles(global const uint *in, global uint *out, global uchar *bytes)
{
    uint gid = get_global_id(0), x = in[gid];
    uint4 v = (uint4)(x, x * 3, x * 5, x * 7), w = ~v;
    uint4 mask = (uint4)(x, x >> 2, x >> 4, x >> 6);
    uint4 r = shuffle(v, mask & 3u);
    uint4 s = shuffle2(v, w, mask & 7u);
    uint8 wide = shuffle2(r, s, (uint8)(mask & 7u, (mask >> 8) & 7u));
    uint2 two = shuffle(wide, (uint2)(x >> 29, (x >> 26) & 7));
    ushort4 h = shuffle((ushort8)(1, 20, 300, 4000, 50000, 6, 70, 800), convert_ushort4(mask & 7u));
    uchar16 text = (uchar16)('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p');
    uchar16 order = (uchar16)((uchar)x) * (uchar16)(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    uchar16 mixed = shuffle(text, order & (uchar16)15);
    out[gid * 4] = r.x ^ r.y * 3 ^ r.z * 5 ^ r.w * 7;
    out[gid * 4 + 1] = s.x ^ s.y * 3 ^ s.z * 5 ^ s.w * 7;
    out[gid * 4 + 2] = two.x - two.y;
    out[gid * 4 + 3] = h.x + h.y * 3u + h.z * 5u + h.w * 7u;
    vstore16(mixed, gid, bytes);
}
