// Blends pixels through conversions of vectors: uchar4 to short4, int8, float4 and back, saturating and rounding, up to 16.
kernel void convert_vectors(global const uchar4 *a, global const uchar4 *b, global uchar4 *out, global uint *sums, global const float *weights)
{
    uint gid = get_global_id(0);
    uchar4 p = a[gid], q = b[gid];
    float w = weights[gid & 7];
    float4 m = convert_float4(p) * w + convert_float4(q) * (1.5f - w);
    out[gid * 4] = convert_uchar4_sat_rte(m);
    out[gid * 4 + 1] = convert_uchar4_sat_rtz(m - 20.0f);
    short4 u = convert_short4(p) * (short4)(7) - convert_short4(q);
    out[gid * 4 + 2] = convert_uchar4(u >> (short4)(3));
    out[gid * 4 + 3] = convert_uchar4_sat(u);
    int8 wide = convert_int8((uchar8)(p, q)) * 1000 - 5000;
    ushort8 narrow = convert_ushort8_sat(wide);
    int16 all = convert_int16((ushort16)(narrow, narrow.s76543210 + (ushort8)1));
    long2 l = convert_long2(as_uint2(all.s0f)) << 20;
    uint4 f = convert_uint4_sat(m * 1e7f);
    sums[gid * 2] = (uint)(all.s0 + all.s3 * 3 + all.s8 * 5 + all.sd * 7) + (uint)(l.x >> 18) + (uint)(l.y >> 16);
    sums[gid * 2 + 1] = f.x ^ f.y ^ f.z ^ f.w;
}
