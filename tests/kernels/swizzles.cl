// Bubbles the elements of vectors about with swizzles on both sides, lo, hi, even, odd, and dynamic elements.
kernel void swizzles(global const int4 *in, global int4 *out, global uchar *bytes)
{
    uint gid = get_global_id(0);
    int4 v = in[gid], w = v.wzyx;
    v.xy = w.zw;
    v.zw += w.xx;
    int8 wide = (int8)(v, w);
    wide.s0246 = wide.s1357 - wide.s7531;
    wide.hi.lo = wide.even.lo;
    int4 r = wide.s4444 + wide.odd;
    for (uint k = 0; k < 4; ++k)
        if ((gid >> k) & 1)
            r[k] = r[3 - k] * 2 + wide[(gid + k) & 7];
    int3 t = r.wxy;
    t.zx = t.xz;
    r.yzw = t;
    out[gid] = r;
    uchar16 b = as_uchar16(r);
    b.s0f = b.sf0;
    b.even = b.odd.s76543210;
    bytes[gid * 2] = b[gid & 15];
    bytes[gid * 2 + 1] = b.s5 ^ b.hi.s3;
}
