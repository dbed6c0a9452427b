// The native and half variants: native_sin, native_exp, native_divide, native_rsqrt, half_cos, half_powr, half_recip and others.
kernel void fast_functions(global const float *in, global float *out)
{
    uint gid = get_global_id(0);
    float x = in[gid], p = fabs(x) + 0.5f;
    global float *o = out + gid * 14;
    o[0] = native_sin(x);
    o[1] = native_cos(x);
    o[2] = native_exp(x);
    o[3] = native_log(p);
    o[4] = native_divide(x, p);
    o[5] = native_rsqrt(p);
    o[6] = native_sqrt(p) + native_recip(p);
    o[7] = native_powr(p, 1.25f);
    o[8] = native_exp2(x) + native_log2(p);
    o[9] = half_sin(x) + half_cos(x);
    o[10] = half_powr(p, 0.75f);
    o[11] = half_recip(p) + half_divide(x, p);
    o[12] = half_rsqrt(p) + half_sqrt(p);
    float4 v = native_exp((float4)(x, -x, 0.5f, p)) * half_log((float4)(p + 1.0f));
    o[13] = v.x + v.y + v.z + v.w + native_tan(x * 0.3f) + half_tan(x * 0.2f);
}
