// Tells NaN, infinities, zeros and normal numbers apart; ordered comparisons, select by sign, min and max with NaN.
kernel void float_classes(global const float *a, global const float *b, global int *out, global float4 *picked)
{
    uint gid = get_global_id(0);
    float x = a[gid], y = b[gid];
    int r = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | isnormal(y) << 3 | (signbit(y) ? 16 : 0);
    r |= isordered(x, y) << 5 | isunordered(x, y) << 6 | islessgreater(x, y) << 7 | isnotequal(x, y) << 8;
    r |= (x < y) << 9 | (x <= y) << 10 | (x == y) << 11 | (x != y) << 12 | !(x > y) << 13 | !(x >= y) << 14;
    int4 m = isnan((float4)(x, y, x - x, 1.0f)) & (int4)(1 << 15, 1 << 16, 1 << 17, 1 << 18);
    m |= isinf((float4)(y, x, 1.0f, x)) & (int4)(1 << 19, 1 << 20, 1 << 21, 1 << 22);
    m |= signbit((float4)(x, y, -1.0f, 1.0f)) & (int4)(1 << 23, 1 << 24, 1 << 25, 1 << 26);
    r |= m.x | m.y | m.z | m.w;
    out[gid * 2] = r;
    float f = fmin(x, y), g = fmax(x, y);
    out[gid * 2 + 1] = (isnan(f) ? 0 : 1) + (f == x ? 2 : 0) + (g == y ? 4 : 0) + (isnan(g) ? 8 : 0) + (as_int(copysign(1.0f, x)) < 0 ? 16 : 0);
    float4 v = (float4)(x, y, x, y);
    picked[gid] = select((float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8), isless(v, v.yxwz) | isnan(v.wzyx));
}
