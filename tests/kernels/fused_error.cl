// The rounding error of a product and of a sum, as double words; right only when fma rounds once.
#pragma OPENCL FP_CONTRACT OFF
static float2 product(float a, float b)
{
    float p = a * b;
    return (float2)(p, fma(a, b, -p));
}
static float2 sum(float a, float b)
{
    float s = a + b, t = s - a;
    return (float2)(s, (a - (s - t)) + (b - t));
}
kernel void fused_error(global const float *a, global const float *b, global float *out)
{
    uint gid = get_global_id(0);
    float2 p = product(a[gid], b[gid]), s = sum(a[gid], b[gid] * 1024.0f);
    float2 q = product(p.x, s.x);
    out[gid * 4] = p.x;
    out[gid * 4 + 1] = p.y;
    out[gid * 4 + 2] = s.y;
    out[gid * 4 + 3] = q.y;
}
