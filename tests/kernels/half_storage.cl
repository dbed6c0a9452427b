// Reads and writes halves as storage: vload_half, vloada_half3, vstore_half with each rounding, vectors of 2, 4, 8.
kernel void half_storage(global const ushort *in, global float *wide, global ushort *narrow, global const float *numbers)
{
    uint gid = get_global_id(0);
    global const half *h = (global const half *)in;
    global half *o = (global half *)narrow + gid * 32;
    float a = vload_half(gid, h);
    float4 b = vload_half4(gid >> 2, h + (gid & 3));
    float3 c = vloada_half3(0, h + 4 * (gid & 7));
    float2 d = vload_half2(gid & 15, h + 1);
    wide[gid * 4] = a;
    wide[gid * 4 + 1] = b.y + b.w;
    wide[gid * 4 + 2] = c.x - c.z;
    wide[gid * 4 + 3] = d.y * 2.0f;
    float x = numbers[gid];
    vstore_half(x, 0, o);
    vstore_half_rte(x, 1, o);
    vstore_half_rtz(x, 2, o);
    vstore_half_rtp(x, 3, o);
    vstore_half_rtn(x, 4, o);
    vstore_half4((float4)(x, -x, x * 0.5f, a), 0, o + 5);
    vstore_half2_rtz((float2)(x * 3.0f, -x * 5.0f), 0, o + 9);
    vstorea_half3((float3)(x * 7.0f, x, 1.5f), 3, o);
    narrow[gid * 32 + 11] = in[gid];
    narrow[gid * 32 + 15] = in[gid ^ 1];
    vstore_half8_rtn((float8)(x, -x, a, -a, x * 3.0f, x * 5.0f, -x * 3.0f, 2049.0f), 2, o);
    vstore_half8_rtp((float8)(x, -x, a, -a, x * 3.0f, x * 5.0f, -x * 3.0f, 2051.0f), 3, o);
}
