// Powers, exponentials, logarithms and roots: exp, exp2, exp10, expm1, log, log2, log10, log1p, pow, pown, powr, rootn, cbrt, hypot.
kernel void exponentials(global const float *in, global float *out, global float *vectors)
{
    uint gid = get_global_id(0);
    float x = in[gid], p = fabs(x) + 0.25f;
    global float *o = out + gid * 16;
    o[0] = exp(x);
    o[1] = exp2(x);
    o[2] = exp10(x * 0.5f);
    o[3] = expm1(x);
    o[4] = log(p);
    o[5] = log2(p);
    o[6] = log10(p);
    o[7] = log1p(p);
    o[8] = pow(p, x);
    o[9] = pown(x, 3) + pown(p, -2);
    o[10] = powr(p, 1.5f);
    o[11] = rootn(p, 4);
    o[12] = sqrt(p);
    o[13] = rsqrt(p);
    o[14] = cbrt(x);
    o[15] = hypot(x, 3.0f);
    float3 v = exp((float3)(x, -x, p)) + log((float3)(p, p * p, 2.0f)) + sqrt((float3)(p, 2.0f, p * 9.0f));
    vstore3(v, gid, vectors);
}
