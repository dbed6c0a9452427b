// Fused multiply-add of vectors where one rounding and two differ by less than the tolerance; mad; dot products by fma.
kernel void fused_multiply(global const float4 *a, global const float4 *b, global float *out)
{
    uint gid = get_global_id(0);
    float4 x = a[gid], y = b[gid];
    float4 s = fma(x, y, (float4)(1.5f, -2.5f, 3.5f, 0.5f));
    float4 m = mad(x, y.wzyx, s);
    float sum = fma(s.x, m.x, fma(s.y, m.y, fma(s.z, m.z, s.w * m.w)));
    out[gid * 2] = sum;
    out[gid * 2 + 1] = fma(x.x, 4.0f, y.y) + (float)fma(convert_float2(convert_int2(x.xy)), (float2)(3.0f), (float2)(1.0f)).y;
}
