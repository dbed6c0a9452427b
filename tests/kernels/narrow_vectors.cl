// Filters bytes and shorts in vectors of 8 and 16, and longs in vectors of 4: wrap-around, unsigned division, shifts.
kernel void narrow_vectors(global const uchar16 *in, global uchar16 *out, global ushort8 *sums, global ulong4 *longs)
{
    uint gid = get_global_id(0);
    uchar16 a = in[gid], b = in[(gid + 1) % get_global_size(0)];
    uchar16 r = (a + b) / (uchar16)2 ^ (a - b);
    r = r * (uchar16)3 + (a & b) % ((b >> (uchar16)4) | (uchar16)1);
    r ^= (a << (uchar16)(1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0));
    char16 mask = a > b;
    out[gid] = as_uchar16(mask) ^ r;
    ushort8 s = as_ushort8(a), t = as_ushort8(b);
    short8 lower = s < t;
    s = s * t + (s >> (ushort8)5);
    sums[gid] = s / (t | (ushort8)256) + as_ushort8(lower);
    ulong4 l = (ulong4)(as_ulong2(a), as_ulong2(b));
    l = l * l.wzyx + (l >> 33);
    longs[gid] = l / (l.yxwz | 1UL) ^ (l % 1000003UL);
}
