// Views the same bits as vectors of other elements with as_type: floats, words, shorts, bytes, longs, also three of them.
kernel void as_types(global const uint4 *in, global uint *out)
{
    uint gid = get_global_id(0);
    uint4 v = in[gid];
    uchar16 bytes = as_uchar16(v);
    bytes = bytes.s1032547698badcfe;
    short8 halves = as_short8(bytes) >> (short8)(2);
    ulong2 longs = as_ulong2(halves) * 3UL;
    float4 f = as_float4((v & 0x007FFFFFu) | 0x40000000u) * 0.5f;
    uint3 t = as_uint3(f.xyz);
    int3 back = as_int3(as_float3(t ^ 0x80000000u));
    double d = as_double(((ulong)v.y << 20 | v.x) & 0x000FFFFFFFFFFFFFUL | 0x3FF0000000000000UL);
    ulong bits = as_ulong(d + d);
    char4 c = as_char4(v.w);
    uint word = as_uint((uchar4)(as_uchar4(c).wzy, 7));
    out[gid * 4] = as_uint2(longs.x).y ^ as_uint2(longs.y).x;
    out[gid * 4 + 1] = t.x + t.y + t.z;
    out[gid * 4 + 2] = (uint)(back.x ^ back.y ^ back.z) + (uint)(bits >> 32) + (uint)bits;
    out[gid * 4 + 3] = word + as_ushort2(as_float(v.x)).y + (uint)as_int(as_float(as_ushort2(v.z).yx));
}
