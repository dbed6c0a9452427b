// Sums, roots and conversions in double; compensated sums, fma, rounding, vectors, a struct with doubles.
#pragma OPENCL FP_CONTRACT OFF
typedef struct {
    float weight;
    double value, error;
} Sum;
static void add(Sum *s, double x)
{
    double t = s->value + x;
    s->error += fabs(s->value) >= fabs(x) ? (s->value - t) + x : (x - t) + s->value;
    s->value = t;
}
kernel void double_numbers(global const double *in, global double *out, global long *numbers, double scale)
{
    uint gid = get_global_id(0);
    Sum s = {2.0f, 0.0, 0.0};
    for (uint k = 0; k < 8; ++k)
        add(&s, in[(gid + k * 5) % 40] * (k & 1 ? scale : -1.0 / 1024.0));
    double x = in[gid];
    global double *o = out + gid * 8;
    o[0] = s.value;
    o[1] = s.error;
    o[2] = floor(x) + rint(x * 8.0) + trunc(-x);
    o[3] = fmax(x, scale) - fmin(x, 2.5) * s.weight;
    double2 v = (double2)(x, scale) * (double2)(0.5, x);
    o[4] = v.x - v.y;
    o[5] = x * 4.0 + (float)x;
    o[6] = ldexp(x, 40) + fabs(x);
    o[7] = fmod(x * 16.0, 3.0) + copysign(1.0, x);
    numbers[gid * 3] = convert_long_rte(x * 1000.0);
    numbers[gid * 3 + 1] = as_long(x) ^ (long)(x * 1e9);
    numbers[gid * 3 + 2] = (x < scale) + (isnan(x) ? 2 : 4) + convert_uchar_sat(x * 10.0) * 100 + (uint)fabs(x) * 1000000L;
}
