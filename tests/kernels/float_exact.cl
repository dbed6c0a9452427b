// Functions whose results are exact: rounding to integers, remainders, exponents and mantissas, signs, neighbours.
kernel void float_exact(global const float *a, global const float *b, global float *out, global int *numbers)
{
    uint gid = get_global_id(0);
    float x = a[gid], y = b[gid], whole;
    int exponent, quotient;
    global float *o = out + gid * 20;
    o[0] = floor(x) + 4.0f * ceil(x);
    o[1] = trunc(x);
    o[2] = rint(x);
    o[3] = round(x);
    o[4] = fabs(x) - copysign(y, x);
    o[5] = fmin(x, y) * 2.0f;
    o[6] = fmax(x, y);
    o[7] = fmod(x, y);
    o[8] = frexp(x, &exponent);
    o[9] = ldexp(x, 5) + ldexp(x, -3);
    o[10] = modf(x, &whole);
    o[11] = whole;
    o[12] = nextafter(x, y);
    o[13] = fdim(x, y);
    o[14] = remainder(x, y);
    o[15] = remquo(x, y, &quotient);
    o[16] = logb(x);
    o[17] = maxmag(x, y) + minmag(x, y);
    float f = fract(x, &whole);
    o[18] = f;
    o[19] = whole;
    global int *n = numbers + gid * 4;
    n[0] = exponent;
    n[1] = ilogb(y);
    n[2] = quotient & 7;
    n[3] = (int)sign(x) + (signbit(y) ? 10 : 20);
}
