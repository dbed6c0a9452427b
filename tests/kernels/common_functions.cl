// clamp, mix, step, smoothstep, degrees, radians, sign, min, max and mad on scalars and vectors of 2, 3, 4, 8.
kernel void common_functions(global const float *in, global float *out, global float8 *wide)
{
    uint gid = get_global_id(0);
    float x = in[gid];
    float4 v = (float4)(x, -x, x * 0.5f, 1.0f);
    float2 w = clamp(v.xy, -0.75f, (float)0.5f) + clamp(v.zw, (float2)(-0.25f, 0.0f), (float2)(0.25f, 0.5f));
    global float *o = out + gid * 8;
    o[0] = w.x - w.y;
    o[1] = mix(x, 10.0f, 0.25f) + mix(v, v.wzyx, 0.5f).y;
    o[2] = step(0.5f, x) + step(v, v.yxwz).z;
    o[3] = smoothstep(-1.0f, 2.0f, x);
    o[4] = degrees(x) + radians(x * 90.0f);
    o[5] = sign(x) + sign(v).y * 10.0f;
    o[6] = min(x, 0.25f) + max(v.xyz, (float3)(0.125f)).y + max(v, 0.5f).x;
    o[7] = mad(x, 2.0f, 1.0f) + smoothstep(v.xyz, v.xyz + 1.0f, (float3)(0.5f)).z;
    float8 e = (float8)(v, v.wzyx);
    wide[gid] = min(e, e.s13570246) * 2.0f + clamp(e, -0.5f, 1.5f) - fabs(e);
}
