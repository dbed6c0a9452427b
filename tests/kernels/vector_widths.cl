// The same integer recurrence in vectors of two, three, four, eight and sixteen; arithmetic, shifts and logic by element.
kernel void vector_widths(global const uint *in, global uint *out)
{
    uint gid = get_global_id(0);
    global const uint *p = in + gid * 16;
    uint2 a = (uint2)(p[0], p[1]);
    uint3 b = (uint3)(p[2], p[3], p[4]);
    uint4 c = (uint4)(b, p[5]);
    uint8 d = (uint8)(c, a, p[6], p[7]);
    uint16 e = (uint16)(d, c, b, p[8]);
    for (uint k = 0; k < 3; ++k) {
        a = a * 5u + (uint2)(k, 1);
        b = (b << 3) ^ (b >> (uint3)(1, 2, 3)) ^ a.xyx;
        c = c / (b.xyzx | 1u) + c % 1000u;
        d = (d & 0xFFFFFFu) - (uint8)(c, ~c);
        e = (e | 1u) * (uint16)(d, d.s76543210) + k;
        e.s3 = a.x;
        e.hi.lo.odd += b.xy;
    }
    out[gid * 3] = a.x ^ a.y ^ b.x ^ b.y ^ b.z ^ c.x ^ c.y ^ c.z ^ c.w;
    uint4 f = d.lo + d.hi;
    out[gid * 3 + 1] = f.x + f.y * 3 + f.z * 5 + f.w * 7;
    uint8 g = e.even * 3u + e.odd;
    f = g.lo ^ g.hi;
    out[gid * 3 + 2] = f.x + f.y + f.z + f.w;
}
