// Comparisons of vectors as masks of minus one; select, bitselect, and conditions by element.
static int some(int4 mask)
{
    mask |= mask.zwxy;
    return ((mask.x | mask.y) >> 31) & 1;
}
static int every(int4 mask)
{
    mask &= mask.zwxy;
    return ((mask.x & mask.y) >> 31) & 1;
}
kernel void vector_compare(global const int4 *a, global const int4 *b, global int4 *out, global const float4 *f, global int *bits)
{
    uint gid = get_global_id(0);
    int4 x = a[gid], y = b[gid];
    int4 less = x < y, same = x == y;
    int4 r = select(x, y, less) + (less & 100) - (same | 1);
    r = (x != (int4)0) ? r : -y;
    r ^= !x;
    r += (x && y) + (x || y);
    out[gid] = bitselect(r, x, (int4)0x0F0F0F0F);
    float4 g = f[gid], h = g.wzyx;
    int4 m = isless(g, h) ^ isequal(g, (float4)2.0f) ^ isgreaterequal(g, (float4)-1.0f);
    int4 pos = g > h;
    float4 s = select(g, h, pos);
    int t = some(less) + 2 * every(less) + 4 * some(pos) + 8 * every(g != h);
    uchar4 c = as_uchar4(x.x) > as_uchar4(y.x) ? (uchar4)(1, 2, 4, 8) : (uchar4)(16, 32, 64, 128);
    short2 d = as_short2(x.y) <= as_short2(y.y);
    long2 l = (long2)(x.z, x.w) * 65537L >= (long2)(y.w, y.z) * 65537L;
    t += (m.x & 16) + (m.y & 32) + (m.z & 64) + (m.w & 128) + (int)(s.x + s.y) * 256;
    bits[gid * 2] = t;
    bits[gid * 2 + 1] = (c.x | c.y | c.z | c.w) + d.x * 256 - d.y * 512 + (int)(l.x * 1024 - l.y * 2048) + (x.x < y.x) * 10000;
}
