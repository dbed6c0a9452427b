// Roots and quotients in double within a tolerance: sqrt, rsqrt, division, hypot, length, newton steps.
kernel void double_roots(global const double *in, global double *out)
{
    uint gid = get_global_id(0);
    double x = in[gid], y = fabs(x) + 0.125, r = 1.0;
    for (int k = 0; k < 30; ++k)
        r = 0.5 * (r + y / r);
    out[gid * 5] = sqrt(y);
    out[gid * 5 + 1] = r - sqrt(y);
    out[gid * 5 + 2] = rsqrt(y) + x / y;
    out[gid * 5 + 3] = hypot(x, 2.0);
    out[gid * 5 + 4] = length((double3)(x, y, 1.0)) + mix(x, y, 0.25) + clamp(x, -1.0, 1.0);
}
